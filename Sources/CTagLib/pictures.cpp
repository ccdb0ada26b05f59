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

/// A selection of one picture: the front cover or, if there is none, the first picture.
struct Selection {
  ByteVector &chosen;
  bool isFront = false;

  void consider(const ByteVector &picture, int type) {
    // In all formats the types are those of ID3v2's APIC. Types 1 and 2 are icons.
    if (picture.isEmpty() || isFront || type == 1 || type == 2) return;
    if (type != 3 && !chosen.isEmpty()) return;
    chosen = picture;
    isFront = type == 3;
  }
};

}  // namespace

static void consider(const List<FLAC::Picture *> &pictures, Selection &selection) {
  for (const FLAC::Picture *picture : pictures) {
    if (picture->mimeType() != "-->") selection.consider(picture->data(), picture->type());
  }
}

static void consider(Ogg::XiphComment *tag, Selection &selection) {
  if (tag) consider(tag->pictureList(), selection);
}

static void consider(const MP4::Tag *tag, Selection &selection) {
  if (!tag || !tag->contains("covr")) return;
  for (const MP4::CoverArt &picture : tag->item("covr").toCoverArtList()) selection.consider(picture.data(), 0);
}

static void consider(ASF::Tag *tag, Selection &selection) {
  if (!tag) return;
  for (const ASF::Attribute &attribute : tag->attribute("WM/Picture")) {
    const ASF::Picture picture = attribute.toPicture();
    if (picture.isValid()) selection.consider(picture.picture(), picture.type());
  }
}

static size_t picture(segue_tags *tags, const void **bytes) {
  tags->picture.clear();
  Selection selection{tags->picture};
  File *base = tags->file.get();
  switch (tags->kind) {
    case SEGUE_TAGS_FLAC: {
      auto file = static_cast<FLAC::File *>(base);
      consider(file->pictureList(), selection);
      if (file->hasXiphComment()) consider(file->xiphComment(), selection);
      break;
    }
    case SEGUE_TAGS_VORBIS: consider(static_cast<Ogg::Vorbis::File *>(base)->tag(), selection); break;
    case SEGUE_TAGS_OPUS: consider(static_cast<Ogg::Opus::File *>(base)->tag(), selection); break;
    case SEGUE_TAGS_SPEEX: consider(static_cast<Ogg::Speex::File *>(base)->tag(), selection); break;
    case SEGUE_TAGS_OGG_FLAC: consider(static_cast<Ogg::FLAC::File *>(base)->tag(), selection); break;
    case SEGUE_TAGS_MP4: consider(static_cast<MP4::File *>(base)->tag(), selection); break;
    case SEGUE_TAGS_ASF: consider(static_cast<ASF::File *>(base)->tag(), selection); break;
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
