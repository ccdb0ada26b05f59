// A C interface to TagLib (1.13 or later).
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The formats that TagLib reads. Of WAV, AIFF and WavPack files, it reads only the audio properties. Of ASF files, it
/// reads no texts.
enum segue_tags_kind {
  SEGUE_TAGS_FLAC, SEGUE_TAGS_VORBIS, SEGUE_TAGS_OPUS, SEGUE_TAGS_SPEEX, SEGUE_TAGS_OGG_FLAC,
  SEGUE_TAGS_MP4, SEGUE_TAGS_ASF, SEGUE_TAGS_WAV, SEGUE_TAGS_AIFF, SEGUE_TAGS_WAVPACK,
};

/// Copies up to `count` bytes at `position` of the file to `target`. Returns the number of bytes, which is smaller than
/// `count` only at the end of the file.
typedef ptrdiff_t (*segue_tags_read)(void *context, int64_t position, void *target, size_t count);

/// A file that was read. It calls `read` until it is closed. It must be used by one thread only.
typedef struct segue_tags segue_tags;

/// Reads the tags of a file of `size` bytes and, if `audio` is set, its audio properties. If the file does not have the
/// format, returns NULL.
segue_tags *segue_tags_open(
    enum segue_tags_kind kind, int64_t size, segue_tags_read read, void *context, int audio);
void segue_tags_close(segue_tags *tags);

/// Receives a value of a tag, which should be UTF-8. The values of a key are passed in order. If `is_lost` is set,
/// TagLib dropped a value that is not UTF-8, and `value` is empty.
typedef void (*segue_tags_text)(
    void *context, int is_lost, const char *key, size_t key_size, const char *value, size_t value_size);

/// Passes all texts to `text`, with the keys of their formats: Vorbis comments, MP4 atoms and freeform names. The
/// number of texts, and the number of values of a key, are limited.
void segue_tags_each(segue_tags *tags, segue_tags_text text, void *context);

/// Finds the picture that is marked as the front cover or, if none is, the first one. Returns its size in bytes; 0 if
/// there is none. If `bytes` is NULL, the result may be any positive number. The bytes are valid until the file is
/// closed.
size_t segue_tags_picture(segue_tags *tags, const void **bytes);

/// Writes the name of a genre of ID3v1 to `name`. Returns its length; 0 if there is no genre with this number.
size_t segue_tags_genre(int number, char *name, size_t capacity);

enum segue_tags_codec { SEGUE_CODEC_OTHER, SEGUE_CODEC_AAC, SEGUE_CODEC_ALAC, SEGUE_CODEC_PCM, SEGUE_CODEC_FLOAT,
  SEGUE_CODEC_PCM_LITTLE, SEGUE_CODEC_WMA1, SEGUE_CODEC_WMA2 };

/// The audio properties in the headers of a file. A property that they do not state is 0.
struct segue_tags_audio {
  int sample_rate, channels, bits_per_sample;
  /// The bit rate in kilobits per second.
  int bit_rate;
  enum segue_tags_codec codec;
  int milliseconds;
  int64_t frames;
  /// Whether an Ogg file has several streams, one after the other.
  int is_chained;
};

struct segue_tags_audio segue_tags_headers(segue_tags *tags);

#ifdef __cplusplus
}
#endif
