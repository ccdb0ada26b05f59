#include "CKissFFT.h"

#include <kissfft/kissfft.hh>

#include <vector>

struct segue_fft {
  explicit segue_fft(unsigned count) : transform(count / 2, false), amplitudes(count / 2) {}

  // Transforms of real samples are those of half as many complex ones.
  kissfft<float> transform;
  std::vector<std::complex<float>> amplitudes;
};

segue_fft *segue_fft_create(unsigned count) { return new segue_fft(count); }

void segue_fft_destroy(segue_fft *fft) { delete fft; }

void segue_fft_powers(segue_fft *fft, const float *samples, float *powers) {
  fft->transform.transform_real(samples, fft->amplitudes.data());
  // The imaginary part of the first amplitude is the amplitude of half the sample rate.
  fft->amplitudes[0].imag(0);
  for (const std::complex<float> &amplitude : fft->amplitudes) *powers++ = std::norm(amplitude);
}
