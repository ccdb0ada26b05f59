// The FFmpeg libraries (5.1 or later), and the macros of theirs that Swift cannot import.
#pragma once
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>

static const int64_t segue_av_nopts_value = AV_NOPTS_VALUE;
static const int segue_averror_eof = AVERROR_EOF;
static const int segue_averror_eagain = AVERROR(EAGAIN);
static const int segue_averror_exit = AVERROR_EXIT;
static const int segue_averror_invalid_data = AVERROR_INVALIDDATA;
static const int segue_averror_protocol_not_found = AVERROR_PROTOCOL_NOT_FOUND;
static const int segue_averror_http_not_found = AVERROR_HTTP_NOT_FOUND;
static const int segue_averror_http_forbidden = AVERROR_HTTP_FORBIDDEN;
static const int segue_averror_http_unauthorized = AVERROR_HTTP_UNAUTHORIZED;

/// Frees an I/O context made by avio_alloc_context, and the buffer it has by now.
static inline void segue_free_io(AVIOContext *io) {
  av_freep(&io->buffer);
  avio_context_free(&io);
}

/// swr_convert of interleaved samples; `input` NULL asks for what is still held. The parameter's constness differs
/// between FFmpeg's versions.
static inline int segue_resample(
    struct SwrContext *context, uint8_t **output, int room, const uint8_t *input, int count) {
  const uint8_t *planes[1] = {input};
  return swr_convert(context, output, room, input ? (void *)planes : NULL, count);
}
