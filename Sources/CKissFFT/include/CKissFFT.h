// A C interface to KISS FFT (131.1 or later), of which only a header is used, so that nothing is loaded at the start.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/// A Fourier transform of real samples. It may be used by one thread at a time. If memory is exhausted, the process is
/// terminated.
typedef struct segue_fft segue_fft;

/// Creates a transform of `count` samples, a power of two from 4 on.
segue_fft *segue_fft_create(unsigned count);
void segue_fft_destroy(segue_fft *fft);

/// Stores the squares of the amplitudes of `count / 2` frequencies, from zero on, in `powers`.
void segue_fft_powers(segue_fft *fft, const float *samples, float *powers);

#ifdef __cplusplus
}
#endif
