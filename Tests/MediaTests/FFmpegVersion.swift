import CFFmpeg

/// What this system's FFmpeg can do and another version cannot.
enum FFmpegVersion {
  /// Whether links of an Ogg file may have different numbers of channels: libavformat refuses them from FFmpeg 8 on.
  static let decodesLinksOfOtherChannels = avformat_version() >> 16 < 62
}
