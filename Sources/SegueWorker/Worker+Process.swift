internal import SegueFFmpeg
internal import SegueSystem

extension Worker {
  /// Called once, first thing in the process, before it is locked in: it ends with the daemon that started it, and the
  /// libraries keep quiet.
  public static func prepareProcess() {
    CurrentProcess.endWithParent()
    FFmpegLog.disable()
  }
}
