internal import CFFmpeg
internal import CSegue
internal import SegueWire

extension Worker {
  /// Called once, first thing in the process, before it is locked in: it ends with the daemon that started it, the
  /// libraries keep quiet, and what opens files of its own has done so.
  public static func prepareProcess() {
    segue_die_with_parent()
    av_log_set_level(AV_LOG_QUIET)
    // Jansson takes the seed of its hash tables from /dev/urandom when it makes the first.
    _ = try? JSON(parsing: "{}")
  }
}
