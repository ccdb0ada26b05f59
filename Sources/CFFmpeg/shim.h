// The FFmpeg libraries (5.1 or later), and those of their macros that Swift cannot import.
#pragma once
#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/crc.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>

static const int64_t segue_av_nopts_value = AV_NOPTS_VALUE;
static const int segue_averror_eof = AVERROR_EOF;
static const int segue_averror_eagain = AVERROR(EAGAIN);
static const int segue_averror_einval = AVERROR(EINVAL);
static const int segue_averror_exit = AVERROR_EXIT;
static const int segue_averror_invalid_data = AVERROR_INVALIDDATA;
static const int segue_averror_patch_welcome = AVERROR_PATCHWELCOME;
static const int segue_averror_decoder_not_found = AVERROR_DECODER_NOT_FOUND;

/// Frees an I/O context that avio_alloc_context created, and its current buffer.
static inline void segue_free_io(AVIOContext *io) {
  av_freep(&io->buffer);
  avio_context_free(&io);
}

/// Converts interleaved samples with swr_convert. If `input` is NULL, drains the samples that are held back. The
/// constness of the parameter differs between versions of FFmpeg.
static inline int segue_resample(
    struct SwrContext *context, uint8_t **output, int room, const uint8_t *input, int count) {
  const uint8_t *planes[1] = {input};
  return swr_convert(context, output, room, input ? (void *)planes : NULL, count);
}

/// Scales `source` to the size and pixel format of `target`, whose buffers must be allocated. Returns 0 or more,
/// AVERROR(EINVAL) if libswscale cannot convert between the formats, or another error of sws_scale_frame. The scaler's
/// context and flags have other types in Swift from FFmpeg 8 on.
static inline int segue_scale(const AVFrame *source, AVFrame *target) {
  struct SwsContext *scaler = sws_getContext(
      source->width, source->height, (enum AVPixelFormat)source->format, target->width, target->height,
      (enum AVPixelFormat)target->format, SWS_AREA | SWS_ACCURATE_RND, NULL, NULL, NULL);
  if (!scaler) return AVERROR(EINVAL);
  // libswscale derives the full colour range only from the yuvj formats. For later formats the frame states it.
  if (source->color_range == AVCOL_RANGE_JPEG) {
    const int *table = sws_getCoefficients(SWS_CS_DEFAULT);
    sws_setColorspaceDetails(scaler, table, 1, table, 1, 0, 1 << 16, 1 << 16);
  }
  int status = sws_scale_frame(scaler, target, source);
  sws_freeContext(scaler);
  return status;
}
