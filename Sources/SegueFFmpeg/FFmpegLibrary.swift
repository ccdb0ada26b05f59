internal import CFFmpeg

/// The FFmpeg libraries as a whole.
package enum FFmpegLibrary {
  /// The major version of libavformat: 59 in FFmpeg 5.1, 62 in FFmpeg 8.
  package static var formatVersion: UInt32 { avformat_version() >> 16 }

  /// The largest size in bits of the samples of FLAC that libavcodec decodes. FFmpeg 6 can decode all.
  package static var maximumFLACSampleSize: Int { formatVersion < 60 ? 24 : 32 }

  /// Whether libavformat was built with libopenmpt, which plays tracker modules.
  package static var playsModules: Bool { av_find_input_format("libopenmpt") != nil }

  /// Suppresses all log messages of the FFmpeg libraries in this process.
  package static func disableLog() { av_log_set_level(AV_LOG_QUIET) }
}
