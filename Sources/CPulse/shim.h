// libpulse, and the macros of its that Swift cannot import.
#pragma once
#include <pulse/pulseaudio.h>

static const pa_sample_format_t segue_pa_sample_s16 = PA_SAMPLE_S16NE;
static const pa_sample_format_t segue_pa_sample_s32 = PA_SAMPLE_S32NE;
static const pa_sample_format_t segue_pa_sample_float32 = PA_SAMPLE_FLOAT32NE;
