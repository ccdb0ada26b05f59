// The pictures in tags.
#include "file.hpp"

#include <taglib/asffile.h>
#include <taglib/asfpicture.h>
#include <taglib/flacfile.h>
#include <taglib/mp4coverart.h>
#include <taglib/mp4file.h>
#include <taglib/oggflacfile.h>
#include <taglib/opusfile.h>
#include <taglib/speexfile.h>
#include <taglib/vorbisfile.h>
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

static void show(const List<FLAC::Picture *> &pictures, Choice &choice) {
  for (const FLAC::Picture *picture : pictures) {
    if (picture->mimeType() != "-->") choice.show(picture->data(), picture->type());
  }
}

static void show(Ogg::XiphComment *tag, Choice &choice) {
  if (tag) show(tag->pictureList(), choice);
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
    case SEGUE_TAGS_WAV:
    case SEGUE_TAGS_AIFF:
    case SEGUE_TAGS_WAVPACK: break;
  }
  if (bytes) *bytes = tags->picture.data();
  return tags->picture.size();
}

size_t segue_tags_picture(segue_tags *tags, const void **bytes) {
  return guarded([&] { return picture(tags, bytes); });
}
