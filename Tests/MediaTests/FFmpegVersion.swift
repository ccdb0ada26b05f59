import SegueFFmpeg

/// Features of this system's FFmpeg that other versions lack.
enum FFmpegVersion {
  /// Whether the links of an Ogg file may have different numbers of channels. libavformat rejects them from FFmpeg 8
  /// on.
  static let decodesLinksOfOtherChannels = FFmpegLibrary.formatVersion < 62

  /// Whether the parser of FLAC drops the first frame after a change of the rate.
  static let losesFrameAfterChangeOfRate = FFmpegLibrary.formatVersion >= 61

  /// Whether there is a decoder for samples of 32 bits in FLAC.
  static let decodesWideFLAC = FFmpegLibrary.maximumFLACSampleSize >= 32
}
