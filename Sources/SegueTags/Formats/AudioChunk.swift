// Thread: the decoding thread.
internal import SegueFFmpeg

/// The samples of a file of uncompressed audio: WAV, RF64, Wave64, AIFF or AU.
///
/// The size of the file limits all sizes that its headers state. Writers that were interrupted leave a size of zero or
/// of ones, and those that write more than 4 GiB to a WAV file leave the last 32 bits of the size.
struct AudioChunk {
  /// The range of the samples in the file. If the file is truncated, it is smaller than the size in the chunk's header.
  let samples: Range<Int64>
  /// Whether libavformat reads beyond the samples.
  let isOpenEnded: Bool
  /// The ratio of the samples that the header states to those in the file; 1 if the file is not truncated.
  let statedRatio: Double

  /// Returns nil if `file` is of another format, or has no samples.
  init?(_ file: FileInput) {
    guard let layout = SampleLayout(file), let samples = layout.samples else { return nil }
    self.samples = samples
    isOpenEnded = layout.isOpenEnded
    statedRatio = samples.isEmpty ? 1 : 1 + Double(layout.missing) / Double(samples.count)
  }

  /// Returns the bytes that libavformat reads in place of those in `file`, so that it finds the samples, or ends its
  /// search.
  static func replacements(_ file: FileInput) -> [FileInput.Replacement] { SampleLayout(file)?.replacements ?? [] }
}
