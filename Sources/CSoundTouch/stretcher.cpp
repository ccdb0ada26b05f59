#include "CSoundTouch.h"

#include <soundtouch/SoundTouch.h>

#include <cfenv>
#include <type_traits>

using namespace soundtouch;

static_assert(std::is_same<SAMPLETYPE, float>::value, "this SoundTouch processes samples of another type");

/// Distributions compile SoundTouch with -ffast-math. Such a library lets the processor treat denormal numbers as zero in the
/// thread that loads it (crtfastmath.o of GCC), which would change the samples of all tracks. This function runs after that
/// and before `main`.
__attribute__((constructor)) static void restoreFloatingPoint() { std::fesetenv(FE_DFL_ENV); }

struct segue_stretcher {
  SoundTouch processor;
};

segue_stretcher *segue_stretcher_create(unsigned rate, unsigned channels, double tempo) {
  // SoundTouch throws an exception for a higher rate.
  if (channels < 1 || channels > SOUNDTOUCH_MAX_CHANNELS || rate > 192000) return nullptr;
  segue_stretcher *stretcher = new segue_stretcher;
  stretcher->processor.setSampleRate(rate);
  stretcher->processor.setChannels(channels);
  // The pitch is not transposed: the filter of the transposer would only cost time.
  stretcher->processor.setSetting(SETTING_USE_AA_FILTER, 0);
  stretcher->processor.setTempo(tempo);
  return stretcher;
}

void segue_stretcher_destroy(segue_stretcher *stretcher) { delete stretcher; }

void segue_stretcher_put(segue_stretcher *stretcher, const float *samples, unsigned frames) {
  stretcher->processor.putSamples(samples, frames);
}

unsigned segue_stretcher_available(const segue_stretcher *stretcher) { return stretcher->processor.numSamples(); }

unsigned segue_stretcher_take(segue_stretcher *stretcher, float *target, unsigned capacity) {
  return stretcher->processor.receiveSamples(target, capacity);
}
