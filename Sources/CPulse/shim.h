// libpulse, and those of its macros that Swift cannot import.
#pragma once
#include <pulse/pulseaudio.h>
#include <stdint.h>
#include <sys/time.h>

static const pa_sample_format_t segue_pa_sample_s16 = PA_SAMPLE_S16NE;
static const pa_sample_format_t segue_pa_sample_s32 = PA_SAMPLE_S32NE;
static const pa_sample_format_t segue_pa_sample_float32 = PA_SAMPLE_FLOAT32NE;

/// Returns the time since `then` by the wall clock, in microseconds; negative if the clock was set back. It is
/// written in C because `timeval` belongs to different modules on different systems.
static inline int64_t segue_pa_age(struct timeval then) {
  struct timeval now;
  pa_gettimeofday(&now);
  int64_t age = (int64_t)pa_timeval_diff(&now, &then);
  return pa_timeval_cmp(&now, &then) < 0 ? -age : age;
}
