// The FFmpeg libraries (5.1 or later), and the macros of theirs that Swift cannot import.
#pragma once
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/opt.h>
#include <libswresample/swresample.h>

static const int64_t segue_av_nopts_value = AV_NOPTS_VALUE;
static const int segue_averror_eof = AVERROR_EOF;
static const int segue_averror_eagain = AVERROR(EAGAIN);
static const int segue_averror_exit = AVERROR_EXIT;
static const int segue_averror_invalid_data = AVERROR_INVALIDDATA;
