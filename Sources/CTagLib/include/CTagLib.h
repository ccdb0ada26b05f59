// What Segue asks of TagLib (1.13 or later), as C.
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The forms of files that TagLib is asked about: of WAV, AIFF and WavPack only what their headers say of the audio, of
/// ASF no texts.
enum segue_tags_kind {
  SEGUE_TAGS_FLAC, SEGUE_TAGS_VORBIS, SEGUE_TAGS_OPUS, SEGUE_TAGS_SPEEX, SEGUE_TAGS_OGG_FLAC,
  SEGUE_TAGS_MP4, SEGUE_TAGS_ASF, SEGUE_TAGS_WAV, SEGUE_TAGS_AIFF, SEGUE_TAGS_WAVPACK,
};

/// Copies up to `count` bytes that lie at `position` of the file to `target`; fewer only at its end. How many.
typedef ptrdiff_t (*segue_tags_read)(void *context, int64_t position, void *target, size_t count);

/// A file that was read. It asks `read` until it is closed; one thread has it.
typedef struct segue_tags segue_tags;

/// Reads the tags of a file of `size` bytes and, if `audio`, what it says of its audio. NULL if it is none of that
/// kind.
segue_tags *segue_tags_open(
    enum segue_tags_kind kind, int64_t size, segue_tags_read read, void *context, int audio);
void segue_tags_close(segue_tags *tags);

/// A value of a tag, which claims to be UTF-8. Several of one key come in their order. `is_lost`: TagLib has dropped it
/// for not being UTF-8, and it is empty.
typedef void (*segue_tags_text)(
    void *context, int is_lost, const char *key, size_t key_size, const char *value, size_t value_size);

/// Every text, by the key the format has for it: Vorbis comments, MP4 atoms and freeform names. Of any
/// key and of all of them together no more come than anybody needs.
void segue_tags_each(segue_tags *tags, segue_tags_text text, void *context);

/// The picture of the front or, if none is said to be that, the first; its size in bytes, 0 if there is none. With
/// `bytes` NULL it is only looked for, and the size may be any but 0. The bytes are valid until the file is closed.
size_t segue_tags_picture(segue_tags *tags, const void **bytes);

/// A genre of ID3v1 by its number; empty if there is none of that number.
size_t segue_tags_genre(int number, char *name, size_t capacity);

enum segue_tags_codec { SEGUE_CODEC_OTHER, SEGUE_CODEC_AAC, SEGUE_CODEC_ALAC, SEGUE_CODEC_PCM, SEGUE_CODEC_FLOAT,
  SEGUE_CODEC_PCM_LITTLE, SEGUE_CODEC_WMA1, SEGUE_CODEC_WMA2 };

/// What a file's headers say of its audio; what they do not is 0.
struct segue_tags_audio {
  int sample_rate, channels, bits_per_sample;
  /// Kilobits per second.
  int bit_rate;
  enum segue_tags_codec codec;
  int milliseconds;
  int64_t frames;
  /// Of Ogg: more than one stream.
  int is_chained;
};

struct segue_tags_audio segue_tags_headers(segue_tags *tags);

#ifdef __cplusplus
}
#endif
