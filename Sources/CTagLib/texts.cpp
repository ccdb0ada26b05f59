#include "file.hpp"

#include <taglib/flacfile.h>
#include <taglib/id3v1genres.h>
#include <taglib/mp4file.h>
#include <taglib/oggfile.h>

using namespace TagLib;

/// Passes on Vorbis comments (Vorbis I, 5) unchanged. TagLib itself drops comments that are not UTF-8.
static void putComments(const ByteVector &data, unsigned at, Output &output) {
  const auto number = [&](unsigned position) { return data.toUInt(position, false); };
  if (data.size() < at + 8 || number(at) > data.size() - at - 8) return;
  at += 4 + number(at);
  unsigned left = number(at);
  at += 4;
  for (; left > 0 && !output.isFull() && data.size() >= at + 4; left--) {
    const unsigned size = number(at);
    at += 4;
    if (size > data.size() - at) return;
    const char *comment = data.data() + at;
    at += size;
    const void *sign = memchr(comment, '=', size < 256 ? size : 256);
    if (!sign) continue;
    const size_t key = static_cast<size_t>(static_cast<const char *>(sign) - comment);
    output.put(comment, key, comment + key + 1, size - key - 1);
  }
}

/// Passes on the comments in the metadata blocks of a FLAC file (RFC 9639, 8).
static void putComments(FLAC::File *file, Output &output) {
  // An ID3v2 tag may precede the marker.
  file->seek(0);
  long at = file->readBlock(4) == "fLaC" ? 0 : file->find("fLaC");
  if (at < 0) return;
  at += 4;
  for (int i = 0; i < 128; i++) {
    file->seek(at);
    const ByteVector head = file->readBlock(4);
    if (head.size() < 4) return;
    const unsigned size = head.toUInt(1, 3, true);
    if ((head[0] & 0x7F) == 4) return putComments(file->readBlock(size), 0, output);
    if (head[0] & 0x80) return;
    at += 4 + static_cast<long>(size);
  }
}

static String pair(const MP4::Item &item) {
  const MP4::Item::IntPair numbers = item.toIntPair();
  return String::number(numbers.first) + "/" + String::number(numbers.second);
}

static void put(const MP4::Tag *tag, Output &output) {
  if (!tag) return;
  for (const auto &entry : tag->itemMap()) {
    const String &key = entry.first;
    const MP4::Item &item = entry.second;
    if (key == "trkn" || key == "disk") {
      output.put(key, pair(item));
    } else if (key == "cpil") {
      output.put(key, item.toBool() ? "1" : "0");
    } else if (key != "covr") {
      // "----:mean:name"
      const int colon = key.startsWith("----:") ? key.rfind(":") : -1;
      output.put(key.substr(static_cast<unsigned>(colon + 1)), item.toStringList());
    }
  }
}

static void each(segue_tags *tags, Output output) {
  File *base = tags->file.get();
  switch (tags->kind) {
    case SEGUE_TAGS_FLAC: {
      auto file = static_cast<FLAC::File *>(base);
      if (file->hasXiphComment()) putComments(file, output);
      break;
    }
    // The comments are in the second packet, after its identifier.
    case SEGUE_TAGS_VORBIS: putComments(static_cast<Ogg::File *>(base)->packet(1), 7, output); break;
    case SEGUE_TAGS_OPUS: putComments(static_cast<Ogg::File *>(base)->packet(1), 8, output); break;
    case SEGUE_TAGS_SPEEX: putComments(static_cast<Ogg::File *>(base)->packet(1), 0, output); break;
    case SEGUE_TAGS_OGG_FLAC: putComments(static_cast<Ogg::File *>(base)->packet(1), 4, output); break;
    case SEGUE_TAGS_MP4: put(static_cast<MP4::File *>(base)->tag(), output); break;
    case SEGUE_TAGS_ASF:
    case SEGUE_TAGS_WAV:
    case SEGUE_TAGS_AIFF:
    case SEGUE_TAGS_WAVPACK: break;
  }
}

void segue_tags_each(segue_tags *tags, segue_tags_text text, void *context) {
  guarded([&] { each(tags, Output(text, context)); });
}

size_t segue_tags_genre(int number, char *name, size_t capacity) {
  const std::string text = ID3v1::genre(number).to8Bit(true);
  const size_t count = text.size() < capacity ? text.size() : 0;
  memcpy(name, text.data(), count);
  return count;
}
