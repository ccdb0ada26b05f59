internal import CSystemd
internal import Glibc
public import SegueSystem

/// Tells when what lies at a path may not lie there any more: its name or its rights were changed (inotify(7)).
@MainActor
public final class PathWatcher {
  // Proof: set once in init, used on the loop thread only; deinit runs where the last @MainActor owner lets go.
  private nonisolated(unsafe) var source: OpaquePointer?
  private let handler: @MainActor () -> Void

  /// Follows what lies at `path` now; what comes in its place is another matter.
  public init(on loop: EventLoop, path: FilePath, handler: @escaping @MainActor () -> Void) throws(SystemError) {
    self.handler = handler
    let context = Unmanaged.passUnretained(self).toOpaque()
    // A name less is a change of attributes: the link count's.
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
  // A strong reference for the length of the call: the handler may let go of its watch.
  let watch = Unmanaged<PathWatcher>.fromOpaque(context).takeUnretainedValue()
  MainActor.assumeIsolated { watch.dispatch() }
  return 0
}
