internal import CFFmpeg

/// The FFmpeg libraries as a whole.
package enum FFmpegLibrary {
  /// The major version of libavformat: 59 in FFmpeg 5.1, 62 in FFmpeg 8.
  package static var formatVersion: UInt32 { avformat_version() >> 16 }

  /// Suppresses all log messages of the FFmpeg libraries in this process.
  package static func disableLog() { av_log_set_level(AV_LOG_QUIET) }
}
