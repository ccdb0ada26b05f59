#include "file.hpp"

#include <taglib/aifffile.h>
#include <taglib/asffile.h>
#include <taglib/flacfile.h>
#include <taglib/mp4file.h>
#include <taglib/oggpageheader.h>
#include <taglib/opusfile.h>
#include <taglib/vorbisfile.h>
#include <taglib/wavfile.h>
#include <taglib/wavpackfile.h>

using namespace TagLib;

/// Reads the last granule of an Ogg file.
static void read(Ogg::File *file, segue_tags_audio &audio) {
  const Ogg::PageHeader *first = file->firstPageHeader(), *last = file->lastPageHeader();
  if (!first || !last) return;
  audio.is_chained = first->streamSerialNumber() != last->streamSerialNumber();
  audio.frames = last->absoluteGranularPosition();
}

static void read(const FLAC::Properties *properties, segue_tags_audio &audio) {
  audio.bits_per_sample = properties->bitsPerSample();
  audio.frames = static_cast<int64_t>(properties->sampleFrames());
}

static void read(const WavPack::Properties *properties, segue_tags_audio &audio) {
  audio.bits_per_sample = properties->bitsPerSample();
  audio.frames = properties->sampleFrames();
}

static void read(const MP4::Properties *properties, segue_tags_audio &audio) {
  audio.bits_per_sample = properties->bitsPerSample();
  if (properties->isEncrypted()) return;
  if (properties->codec() == MP4::Properties::AAC) audio.codec = SEGUE_CODEC_AAC;
  if (properties->codec() == MP4::Properties::ALAC) audio.codec = SEGUE_CODEC_ALAC;
}

static void read(const ASF::Properties *properties, segue_tags_audio &audio) {
  if (properties->isEncrypted()) return;
  if (properties->codec() == ASF::Properties::WMA1) audio.codec = SEGUE_CODEC_WMA1;
  if (properties->codec() == ASF::Properties::WMA2) audio.codec = SEGUE_CODEC_WMA2;
}

static void read(const RIFF::WAV::Properties *properties, segue_tags_audio &audio) {
  audio.bits_per_sample = properties->bitsPerSample();
  audio.frames = properties->sampleFrames();
  // WAVE_FORMAT_PCM and WAVE_FORMAT_IEEE_FLOAT.
  if (properties->format() == 1) audio.codec = SEGUE_CODEC_PCM;
  if (properties->format() == 3) audio.codec = SEGUE_CODEC_FLOAT;
}

static void read(const RIFF::AIFF::Properties *properties, segue_tags_audio &audio) {
  audio.bits_per_sample = properties->bitsPerSample();
  audio.frames = properties->sampleFrames();
  const ByteVector type = properties->isAiffC() ? properties->compressionType() : ByteVector("NONE");
  if (type == "NONE" || type == "twos") audio.codec = SEGUE_CODEC_PCM;
  if (type == "sowt") audio.codec = SEGUE_CODEC_PCM_LITTLE;
}

static segue_tags_audio headers(segue_tags *tags) {
  struct segue_tags_audio audio = {};
  File *base = tags->file.get();
  const AudioProperties *common = base->audioProperties();
  if (!common) return audio;
  audio.sample_rate = common->sampleRate();
  audio.channels = common->channels();
  audio.bit_rate = common->bitrate();
  audio.milliseconds = common->lengthInMilliseconds();
  switch (tags->kind) {
    case SEGUE_TAGS_VORBIS:
    case SEGUE_TAGS_OPUS: read(static_cast<Ogg::File *>(base), audio); break;
    case SEGUE_TAGS_FLAC: read(static_cast<FLAC::File *>(base)->audioProperties(), audio); break;
    case SEGUE_TAGS_WAVPACK: read(static_cast<WavPack::File *>(base)->audioProperties(), audio); break;
    case SEGUE_TAGS_MP4: read(static_cast<MP4::File *>(base)->audioProperties(), audio); break;
    case SEGUE_TAGS_ASF: read(static_cast<ASF::File *>(base)->audioProperties(), audio); break;
    case SEGUE_TAGS_WAV: read(static_cast<RIFF::WAV::File *>(base)->audioProperties(), audio); break;
    case SEGUE_TAGS_AIFF: read(static_cast<RIFF::AIFF::File *>(base)->audioProperties(), audio); break;
    default: break;
  }
  return audio;
}

segue_tags_audio segue_tags_headers(segue_tags *tags) {
  return guarded([&] { return headers(tags); });
}
