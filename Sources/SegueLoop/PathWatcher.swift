internal import CSystemd
internal import Glibc
public import SegueSystem

/// A watcher that reports when a file may no longer be at its path, because its name or attributes have changed
/// (inotify(7)).
@MainActor
public final class PathWatcher {
  // Proof: set once in init, used on the loop thread only; deinit runs where the last @MainActor owner releases it.
  private nonisolated(unsafe) var source: OpaquePointer?
  private let handler: @MainActor () -> Void

  /// Watches the file that is at `path` now, and not a later one at the same path.
  public init(on loop: EventLoop, path: FilePath, handler: @escaping @MainActor () -> Void) throws(SystemError) {
    self.handler = handler
    let context = Unmanaged.passUnretained(self).toOpaque()
    // Removing a name changes the attributes: the link count.
    let events = UInt32(IN_ATTRIB | IN_MOVE_SELF | IN_DELETE_SELF)
    try sdChecked("sd_event_add_inotify") {
      path.withCString { sd_event_add_inotify(loop.event, &source, $0, events, pathChanged, context) }
    }
  }

  deinit { sd_event_source_disable_unref(source) }

  fileprivate func dispatch() { handler() }
}

private nonisolated func pathChanged(
  _: OpaquePointer?, _: UnsafePointer<inotify_event>?, context: UnsafeMutableRawPointer?
) -> Int32 {
  guard let context else { return 0 }
  // The reference is strong during the call, because the handler may release its watcher.
  let watcher = Unmanaged<PathWatcher>.fromOpaque(context).takeUnretainedValue()
  MainActor.assumeIsolated { watcher.dispatch() }
  return 0
}
