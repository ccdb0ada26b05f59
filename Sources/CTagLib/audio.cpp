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

/// The last granule of the one stream.
static void state(Ogg::File *file, segue_tags_audio &audio) {
  const Ogg::PageHeader *first = file->firstPageHeader(), *last = file->lastPageHeader();
  if (!first || !last) return;
  audio.is_chained = first->streamSerialNumber() != last->streamSerialNumber();
  audio.frames = last->absoluteGranularPosition();
}

static void state(const FLAC::Properties *said, segue_tags_audio &audio) {
  audio.bits_per_sample = said->bitsPerSample();
  audio.frames = static_cast<int64_t>(said->sampleFrames());
}

static void state(const WavPack::Properties *said, segue_tags_audio &audio) {
  audio.bits_per_sample = said->bitsPerSample();
  audio.frames = said->sampleFrames();
}

static void state(const MP4::Properties *said, segue_tags_audio &audio) {
  audio.bits_per_sample = said->bitsPerSample();
  if (said->isEncrypted()) return;
  if (said->codec() == MP4::Properties::AAC) audio.codec = SEGUE_CODEC_AAC;
  if (said->codec() == MP4::Properties::ALAC) audio.codec = SEGUE_CODEC_ALAC;
}

static void state(const ASF::Properties *said, segue_tags_audio &audio) {
  if (said->isEncrypted()) return;
  if (said->codec() == ASF::Properties::WMA1) audio.codec = SEGUE_CODEC_WMA1;
  if (said->codec() == ASF::Properties::WMA2) audio.codec = SEGUE_CODEC_WMA2;
}

static void state(const RIFF::WAV::Properties *said, segue_tags_audio &audio) {
  audio.bits_per_sample = said->bitsPerSample();
  audio.frames = said->sampleFrames();
  // WAVE_FORMAT_PCM, WAVE_FORMAT_IEEE_FLOAT.
  if (said->format() == 1) audio.codec = SEGUE_CODEC_PCM;
  if (said->format() == 3) audio.codec = SEGUE_CODEC_FLOAT;
}

static void state(const RIFF::AIFF::Properties *said, segue_tags_audio &audio) {
  audio.bits_per_sample = said->bitsPerSample();
  audio.frames = said->sampleFrames();
  const ByteVector type = said->isAiffC() ? said->compressionType() : ByteVector("NONE");
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
    case SEGUE_TAGS_OPUS: state(static_cast<Ogg::File *>(base), audio); break;
    case SEGUE_TAGS_FLAC: state(static_cast<FLAC::File *>(base)->audioProperties(), audio); break;
    case SEGUE_TAGS_WAVPACK: state(static_cast<WavPack::File *>(base)->audioProperties(), audio); break;
    case SEGUE_TAGS_MP4: state(static_cast<MP4::File *>(base)->audioProperties(), audio); break;
    case SEGUE_TAGS_ASF: state(static_cast<ASF::File *>(base)->audioProperties(), audio); break;
    case SEGUE_TAGS_WAV: state(static_cast<RIFF::WAV::File *>(base)->audioProperties(), audio); break;
    case SEGUE_TAGS_AIFF: state(static_cast<RIFF::AIFF::File *>(base)->audioProperties(), audio); break;
    default: break;
  }
  return audio;
}

segue_tags_audio segue_tags_headers(segue_tags *tags) {
  return guarded([&] { return headers(tags); });
}
