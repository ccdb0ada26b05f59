// What is more than a text: pictures, chapters, lyrics with times.
#include "file.hpp"

#include <taglib/apefile.h>
#include <taglib/apetag.h>
#include <taglib/asffile.h>
#include <taglib/asfpicture.h>
#include <taglib/attachedpictureframe.h>
#include <taglib/chapterframe.h>
#include <taglib/flacfile.h>
#include <taglib/id3v2tag.h>
#include <taglib/mp4coverart.h>
#include <taglib/mp4file.h>
#include <taglib/mpcfile.h>
#include <taglib/mpegfile.h>
#include <taglib/oggflacfile.h>
#include <taglib/opusfile.h>
#include <taglib/speexfile.h>
#include <taglib/synchronizedlyricsframe.h>
#include <taglib/textidentificationframe.h>
#include <taglib/vorbisfile.h>
#include <taglib/wavpackfile.h>
#include <taglib/xiphcomment.h>

using namespace TagLib;

namespace {

/// Of the pictures that it is shown, the front or else the first.
struct Choice {
  ByteVector &chosen;
  bool isFront = false;

  void show(const ByteVector &picture, int type) {
    // The types are those of ID3v2's APIC everywhere; 1 and 2 are icons.
    if (picture.isEmpty() || isFront || type == 1 || type == 2) return;
    if (type != 3 && !chosen.isEmpty()) return;
    chosen = picture;
    isFront = type == 3;
  }
};

}  // namespace

static void show(const ID3v2::Tag *tag, Choice &choice) {
  if (!tag) return;
  for (const ID3v2::Frame *frame : tag->frameList("APIC")) {
    auto picture = dynamic_cast<const ID3v2::AttachedPictureFrame *>(frame);
    // A picture may be an address instead.
    if (picture && picture->mimeType() != "-->") choice.show(picture->picture(), picture->type());
  }
}

static void show(const List<FLAC::Picture *> &pictures, Choice &choice) {
  for (const FLAC::Picture *picture : pictures) {
    if (picture->mimeType() != "-->") choice.show(picture->data(), picture->type());
  }
}

static void show(Ogg::XiphComment *tag, Choice &choice) {
  if (tag) show(tag->pictureList(), choice);
}

static void show(const APE::Tag *tag, Choice &choice) {
  if (!tag) return;
  for (const auto &item : tag->itemListMap()) {
    if (item.second.type() != APE::Item::Binary || !item.first.upper().startsWith("COVER ART")) continue;
    // The file's name, a zero, the picture.
    const ByteVector data = item.second.binaryData();
    const int end = data.find('\0');
    if (end >= 0) choice.show(data.mid(static_cast<unsigned>(end) + 1), item.first.upper().find("FRONT") >= 0 ? 3 : 0);
  }
}

static void show(const MP4::Tag *tag, Choice &choice) {
  if (!tag || !tag->contains("covr")) return;
  for (const MP4::CoverArt &picture : tag->item("covr").toCoverArtList()) choice.show(picture.data(), 0);
}

static void show(ASF::Tag *tag, Choice &choice) {
  if (!tag) return;
  for (const ASF::Attribute &attribute : tag->attribute("WM/Picture")) {
    const ASF::Picture picture = attribute.toPicture();
    if (picture.isValid()) choice.show(picture.picture(), picture.type());
  }
}

static size_t picture(segue_tags *tags, const void **bytes) {
  tags->picture.clear();
  Choice choice{tags->picture};
  File *base = tags->file.get();
  switch (tags->kind) {
    case SEGUE_TAGS_FLAC: {
      auto file = static_cast<FLAC::File *>(base);
      show(file->pictureList(), choice);
      if (file->hasXiphComment()) show(file->xiphComment(), choice);
      break;
    }
    case SEGUE_TAGS_VORBIS: show(static_cast<Ogg::Vorbis::File *>(base)->tag(), choice); break;
    case SEGUE_TAGS_OPUS: show(static_cast<Ogg::Opus::File *>(base)->tag(), choice); break;
    case SEGUE_TAGS_SPEEX: show(static_cast<Ogg::Speex::File *>(base)->tag(), choice); break;
    case SEGUE_TAGS_OGG_FLAC: show(static_cast<Ogg::FLAC::File *>(base)->tag(), choice); break;
    case SEGUE_TAGS_MP4: show(static_cast<MP4::File *>(base)->tag(), choice); break;
    case SEGUE_TAGS_ASF: show(static_cast<ASF::File *>(base)->tag(), choice); break;
    case SEGUE_TAGS_MPEG: {
      auto file = static_cast<MPEG::File *>(base);
      if (file->hasAPETag()) show(file->APETag(), choice);
      break;
    }
    case SEGUE_TAGS_APE: show(static_cast<APE::File *>(base)->APETag(), choice); break;
    case SEGUE_TAGS_MUSEPACK: show(static_cast<MPC::File *>(base)->APETag(), choice); break;
    case SEGUE_TAGS_WAVPACK: show(static_cast<WavPack::File *>(base)->APETag(), choice); break;
    case SEGUE_TAGS_WAV:
    case SEGUE_TAGS_AIFF:
    case SEGUE_TAGS_TTA: break;
  }
  show(id3v2(tags), choice);
  if (bytes) *bytes = tags->picture.data();
  return tags->picture.size();
}

static void lyrics(segue_tags *tags, segue_tags_text text, void *context) {
  const ID3v2::Tag *tag = id3v2(tags);
  if (!tag) return;
  for (const ID3v2::Frame *frame : tag->frameList("SYLT")) {
    auto sung = dynamic_cast<const ID3v2::SynchronizedLyricsFrame *>(frame);
    if (!sung || sung->timestampFormat() != ID3v2::SynchronizedLyricsFrame::AbsoluteMilliseconds) continue;
    for (const auto &line : sung->synchedText()) {
      const Output output{text, context, static_cast<int>(line.time & 0x7FFFFFFF)};
      output.put("SYLT", line.text);
    }
    return;
  }
}

static void chapters(segue_tags *tags, segue_tags_text text, void *context) {
  const ID3v2::Tag *tag = id3v2(tags);
  if (!tag) return;
  for (const ID3v2::Frame *frame : tag->frameList("CHAP")) {
    auto chapter = dynamic_cast<const ID3v2::ChapterFrame *>(frame);
    if (!chapter) continue;
    String title;
    for (const ID3v2::Frame *part : chapter->embeddedFrameList("TIT2")) {
      auto name = dynamic_cast<const ID3v2::TextIdentificationFrame *>(part);
      if (name && !name->fieldList().isEmpty()) title = name->fieldList().front();
    }
    const Output output{text, context, static_cast<int>(chapter->startTime() & 0x7FFFFFFF)};
    output.put("CHAP", title);
  }
}

size_t segue_tags_picture(segue_tags *tags, const void **bytes) {
  return guarded([&] { return picture(tags, bytes); });
}

void segue_tags_lyrics(segue_tags *tags, segue_tags_text text, void *context) {
  guarded([&] { lyrics(tags, text, context); });
}

void segue_tags_chapters(segue_tags *tags, segue_tags_text text, void *context) {
  guarded([&] { chapters(tags, text, context); });
}
