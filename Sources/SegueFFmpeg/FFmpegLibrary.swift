internal import CFFmpeg

/// The log of the FFmpeg libraries.
package enum FFmpegLog {
  /// Suppresses all messages of the FFmpeg libraries in this process.
  package static func disable() { av_log_set_level(AV_LOG_QUIET) }
}
