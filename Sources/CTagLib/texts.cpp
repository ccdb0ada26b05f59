#include "file.hpp"

#include <cstdio>
#include <taglib/aifffile.h>
#include <taglib/apefile.h>
#include <taglib/apetag.h>
#include <taglib/asffile.h>
#include <taglib/commentsframe.h>
#include <taglib/flacfile.h>
#include <taglib/id3v1genres.h>
#include <taglib/id3v1tag.h>
#include <taglib/id3v2tag.h>
#include <taglib/infotag.h>
#include <taglib/mp4file.h>
#include <taglib/mpcfile.h>
#include <taglib/mpegfile.h>
#include <taglib/oggfile.h>
#include <taglib/relativevolumeframe.h>
#include <taglib/textidentificationframe.h>
#include <taglib/trueaudiofile.h>
#include <taglib/uniquefileidentifierframe.h>
#include <taglib/unsynchronizedlyricsframe.h>
#include <taglib/wavfile.h>
#include <taglib/wavpackfile.h>

using namespace TagLib;

/// ID3v2.4, 4.11: gain in 512ths of a dB, and a peak of so many bits.
static void put(const ID3v2::RelativeVolumeFrame &frame, const Output &output) {
  const std::string name = frame.identification().to8Bit();
  const std::string key = "RVA2" + name;
  char text[64];
  snprintf(text, sizeof text, "%.4f dB", static_cast<double>(frame.volumeAdjustment()));
  output.put((key + "gain").c_str(), text);
  const auto peak = frame.peakVolume();
  if (peak.bitsRepresentingPeak == 0 || peak.bitsRepresentingPeak > 64) return;
  double value = 0;
  for (const char c : peak.peakVolume) value = value * 256 + static_cast<unsigned char>(c);
  const unsigned bits = (peak.bitsRepresentingPeak + 7u) / 8u * 8u;
  for (unsigned i = 1; i < bits; i++) value /= 2;
  snprintf(text, sizeof text, "%.6f", value);
  output.put((key + "peak").c_str(), text);
}

static void put(const ID3v2::Tag *tag, const Output &output) {
  if (!tag) return;
  for (const ID3v2::Frame *frame : tag->frameList()) {
    const ByteVector id = frame->frameID();
    if (id.size() != 4) continue;
    if (id[0] == 'T') {
      if (auto user = dynamic_cast<const ID3v2::UserTextIdentificationFrame *>(frame)) {
        const StringList fields = user->fieldList();
        const String key = user->description();
        for (unsigned i = 1; i < fields.size(); i++) output.put(key, fields[i]);
      } else if (auto text = dynamic_cast<const ID3v2::TextIdentificationFrame *>(frame)) {
        for (const String &value : text->fieldList()) output.put(id.data(), id.size(), value);
      }
    } else if (auto owned = dynamic_cast<const ID3v2::UniqueFileIdentifierFrame *>(frame)) {
      output.put("UFID" + owned->owner(), String(owned->identifier(), String::Latin1));
    } else if (auto lyrics = dynamic_cast<const ID3v2::UnsynchronizedLyricsFrame *>(frame)) {
      output.put("USLT", lyrics->text());
    } else if (auto comment = dynamic_cast<const ID3v2::CommentsFrame *>(frame)) {
      if (!comment->description().isEmpty()) output.put("COMM" + comment->description(), comment->text());
    } else if (auto volume = dynamic_cast<const ID3v2::RelativeVolumeFrame *>(frame)) {
      put(*volume, output);
    } else if (id == "SYLT") {
      output.put("SYLT", "1");
    } else if (id == "CHAP") {
      output.put("CHAP", "1");
    }
  }
}

static void put(const ID3v1::Tag *tag, const Output &output) {
  if (!tag) return;
  output.put("TITLE", tag->title());
  output.put("ARTIST", tag->artist());
  output.put("ALBUM", tag->album());
  output.put("GENRE", tag->genre());
  if (tag->year() > 0) output.put("DATE", String::number(static_cast<int>(tag->year())));
  if (tag->track() > 0) output.put("TRACK", String::number(static_cast<int>(tag->track())));
}

static void put(const APE::Tag *tag, const Output &output) {
  if (!tag) return;
  for (const auto &item : tag->itemListMap()) {
    if (item.second.type() != APE::Item::Text) continue;
    for (const String &value : item.second.values()) {
      if (value.isEmpty()) output.lose();
      else output.put(item.first, value);
    }
  }
}

/// Vorbis comments (Vorbis I, 5) as they are: TagLib leaves out what is no UTF-8.
static void putComments(const ByteVector &data, unsigned at, const Output &output) {
  const auto number = [&](unsigned position) { return data.toUInt(position, false); };
  if (data.size() < at + 8 || number(at) > data.size() - at - 8) return;
  at += 4 + number(at);
  unsigned left = number(at);
  at += 4;
  for (; left > 0 && data.size() >= at + 4; left--) {
    const unsigned size = number(at);
    at += 4;
    if (size > data.size() - at) return;
    const char *comment = data.data() + at;
    at += size;
    const void *sign = memchr(comment, '=', size < 256 ? size : 256);
    if (!sign) continue;
    const size_t key = static_cast<size_t>(static_cast<const char *>(sign) - comment);
    output.text(output.context, output.rank, comment, key, comment + key + 1, size - key - 1, 0);
  }
}

/// The comments of a FLAC file, among its metadata blocks (RFC 9639, 8).
static void putComments(FLAC::File *file, const Output &output) {
  // Behind an ID3v2 tag there may be anything.
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

static void put(const RIFF::Info::Tag *tag, const Output &output) {
  if (!tag) return;
  for (const auto &field : tag->fieldListMap()) output.put(field.first.data(), field.first.size(), field.second);
}

static String pair(const MP4::Item &item) {
  const MP4::Item::IntPair numbers = item.toIntPair();
  return String::number(numbers.first) + "/" + String::number(numbers.second);
}

static void put(const MP4::Tag *tag, const Output &output) {
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
      for (const String &value : item.toStringList()) {
        if (value.isEmpty()) output.lose();
        else output.put(key.substr(static_cast<unsigned>(colon + 1)), value);
      }
    }
  }
}

static void put(const ASF::Tag *tag, const Output &output) {
  if (!tag) return;
  if (!tag->title().isEmpty()) output.put("TITLE", tag->title());
  if (!tag->artist().isEmpty()) output.put("ARTIST", tag->artist());
  for (const auto &entry : tag->attributeListMap()) {
    for (const ASF::Attribute &attribute : entry.second) {
      switch (attribute.type()) {
        case ASF::Attribute::BytesType:
        case ASF::Attribute::GuidType: break;
        case ASF::Attribute::UnicodeType: output.put(entry.first, attribute.toString()); break;
        case ASF::Attribute::BoolType: output.put(entry.first, attribute.toBool() ? "1" : "0"); break;
        case ASF::Attribute::WordType: output.put(entry.first, String::number(attribute.toUShort())); break;
        default: output.put(entry.first, String::number(static_cast<int>(attribute.toUInt()))); break;
      }
    }
  }
}

static void each(segue_tags *tags, segue_tags_text text, void *context) {
  Output first{text, context, 0}, second{text, context, 1}, third{text, context, 2};
  File *base = tags->file.get();
  switch (tags->kind) {
    case SEGUE_TAGS_MPEG: {
      auto file = static_cast<MPEG::File *>(base);
      if (file->hasID3v2Tag()) put(file->ID3v2Tag(), first);
      if (file->hasAPETag()) put(file->APETag(), second);
      if (file->hasID3v1Tag()) put(file->ID3v1Tag(), third);
      break;
    }
    case SEGUE_TAGS_FLAC: {
      auto file = static_cast<FLAC::File *>(base);
      if (file->hasXiphComment()) putComments(file, first);
      if (file->hasID3v2Tag()) put(file->ID3v2Tag(), second);
      if (file->hasID3v1Tag()) put(file->ID3v1Tag(), third);
      break;
    }
    // The comments are the second packet, behind what marks it.
    case SEGUE_TAGS_VORBIS: putComments(static_cast<Ogg::File *>(base)->packet(1), 7, first); break;
    case SEGUE_TAGS_OPUS: putComments(static_cast<Ogg::File *>(base)->packet(1), 8, first); break;
    case SEGUE_TAGS_SPEEX: putComments(static_cast<Ogg::File *>(base)->packet(1), 0, first); break;
    case SEGUE_TAGS_OGG_FLAC: putComments(static_cast<Ogg::File *>(base)->packet(1), 4, first); break;
    case SEGUE_TAGS_MP4: put(static_cast<MP4::File *>(base)->tag(), first); break;
    case SEGUE_TAGS_ASF: put(static_cast<ASF::File *>(base)->tag(), first); break;
    case SEGUE_TAGS_WAV: {
      auto file = static_cast<RIFF::WAV::File *>(base);
      if (file->hasID3v2Tag()) put(file->ID3v2Tag(), first);
      if (file->hasInfoTag()) put(file->InfoTag(), second);
      break;
    }
    case SEGUE_TAGS_AIFF: put(static_cast<RIFF::AIFF::File *>(base)->tag(), first); break;
    case SEGUE_TAGS_APE: {
      auto file = static_cast<APE::File *>(base);
      if (file->hasAPETag()) put(file->APETag(), first);
      if (file->hasID3v1Tag()) put(file->ID3v1Tag(), second);
      break;
    }
    case SEGUE_TAGS_MUSEPACK: {
      auto file = static_cast<MPC::File *>(base);
      if (file->hasAPETag()) put(file->APETag(), first);
      if (file->hasID3v1Tag()) put(file->ID3v1Tag(), second);
      break;
    }
    case SEGUE_TAGS_WAVPACK: {
      auto file = static_cast<WavPack::File *>(base);
      if (file->hasAPETag()) put(file->APETag(), first);
      if (file->hasID3v1Tag()) put(file->ID3v1Tag(), second);
      break;
    }
    case SEGUE_TAGS_TTA: {
      auto file = static_cast<TrueAudio::File *>(base);
      if (file->hasID3v2Tag()) put(file->ID3v2Tag(), first);
      if (file->hasID3v1Tag()) put(file->ID3v1Tag(), second);
      break;
    }
  }
}

void segue_tags_each(segue_tags *tags, segue_tags_text text, void *context) {
  guarded([&] { each(tags, text, context); });
}

size_t segue_tags_genre(int number, char *name, size_t capacity) {
  const std::string text = ID3v1::genre(number).to8Bit(true);
  const size_t count = text.size() < capacity ? text.size() : 0;
  memcpy(name, text.data(), count);
  return count;
}
