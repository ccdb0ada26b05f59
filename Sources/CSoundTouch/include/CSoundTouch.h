// A C interface to SoundTouch (2.3 or later, whose output begins without a delay).
#pragma once
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A stretcher, which changes the tempo of PCM and keeps its pitch. It must be used by one thread only. If memory is
/// exhausted, the process is terminated.
typedef struct segue_stretcher segue_stretcher;

/// Creates a stretcher of frames with `channels` samples. Returns NULL if it does not support the number of channels or
/// the rate, which is at most 192,000 Hz.
segue_stretcher *segue_stretcher_create(unsigned rate, unsigned channels, double tempo);
void segue_stretcher_destroy(segue_stretcher *stretcher);

/// Adds `frames` frames of interleaved samples to the input.
void segue_stretcher_put(segue_stretcher *stretcher, const float *samples, unsigned frames);

/// Returns the number of frames that can be taken.
unsigned segue_stretcher_available(const segue_stretcher *stretcher);

/// Moves at most `capacity` frames of the output to `target`. Returns their number.
unsigned segue_stretcher_take(segue_stretcher *stretcher, float *target, unsigned capacity);

#ifdef __cplusplus
}
#endif
