#include "file.hpp"

#include <taglib/aifffile.h>
#include <taglib/asffile.h>
#include <taglib/flacfile.h>
#include <taglib/id3v2framefactory.h>
#include <taglib/mp4file.h>
#include <taglib/oggflacfile.h>
#include <taglib/opusfile.h>
#include <taglib/speexfile.h>
#include <taglib/vorbisfile.h>
#include <taglib/wavfile.h>
#include <taglib/wavpackfile.h>

using namespace TagLib;

/// The maximum size of a block in bytes. No tag is larger (ID3v2.4, 3.1), and the size of a ByteVector has 32 bits.
static const StreamLength maximumBlockSize = 1ul << 28;

ByteVector CallbackStream::readBlock(StreamLength length) {
  if (position < 0 || position >= size) return ByteVector();
  if (length > maximumBlockSize) length = maximumBlockSize;
  if (length > static_cast<StreamLength>(size - position)) length = static_cast<StreamLength>(size - position);
  ByteVector block(static_cast<unsigned>(length), 0);
  ptrdiff_t count = read(context, position, block.data(), length);
  if (count < 0) count = 0;
  if (static_cast<StreamLength>(count) < length) block.resize(static_cast<unsigned>(count));
  position += count;
  return block;
}

void CallbackStream::seek(StreamOffset offset, Position from) {
  const StreamOffset base = from == Beginning ? 0 : from == Current ? position : size;
  // Headers may state any offset.
  if (__builtin_add_overflow(base, offset, &position)) position = size;
}

/// TagLib's own factory creates ID3v2 frames. TagLib 1 requires it as a parameter, which is deprecated in TagLib 2.
static File *openFLAC(IOStream *stream, bool audio, AudioProperties::ReadStyle style) {
#if TAGLIB_MAJOR_VERSION >= 2
  return new FLAC::File(stream, audio, style);
#else
  return new FLAC::File(stream, ID3v2::FrameFactory::instance(), audio, style);
#endif
}

static File *open(segue_tags_kind kind, IOStream *stream, bool audio) {
  const AudioProperties::ReadStyle style = AudioProperties::Fast;
  switch (kind) {
    case SEGUE_TAGS_FLAC: return openFLAC(stream, audio, style);
    case SEGUE_TAGS_VORBIS: return new Ogg::Vorbis::File(stream, audio, style);
    case SEGUE_TAGS_OPUS: return new Ogg::Opus::File(stream, audio, style);
    case SEGUE_TAGS_SPEEX: return new Ogg::Speex::File(stream, audio, style);
    case SEGUE_TAGS_OGG_FLAC: return new Ogg::FLAC::File(stream, audio, style);
    case SEGUE_TAGS_MP4: return new MP4::File(stream, audio, style);
    case SEGUE_TAGS_ASF: return new ASF::File(stream, audio, style);
    case SEGUE_TAGS_WAV: return new RIFF::WAV::File(stream, audio, style);
    case SEGUE_TAGS_AIFF: return new RIFF::AIFF::File(stream, audio, style);
    case SEGUE_TAGS_WAVPACK: return new WavPack::File(stream, audio, style);
  }
  return nullptr;
}

segue_tags *segue_tags_open(segue_tags_kind kind, int64_t size, segue_tags_read read, void *context, int audio) {
  return guarded([&]() -> segue_tags * {
    std::unique_ptr<segue_tags> tags(new segue_tags(kind, size, read, context));
    tags->file.reset(open(kind, &tags->stream, audio != 0));
    if (!tags->file || !tags->file->isValid()) return nullptr;
    return tags.release();
  });
}

void segue_tags_close(segue_tags *tags) { delete tags; }
