internal import CSystemd
internal import Glibc
public import SegueSystem

/// A watcher of a file or a folder (inotify(7)).
@MainActor
public final class PathWatcher {
  /// The changes that are reported.
  public enum Subject {
    /// Whether the file may no longer be at its path, because its name or attributes have changed.
    case place
    /// The files in a folder, but not in those below it, and whether the folder may no longer be at its path. A file
    /// that is being written is reported when it is closed.
    case files
    /// The names that appear in a folder: of what is created there, or moved there.
    case arrivals

    fileprivate var events: UInt32 {
      switch self {
      // Removing a name changes the attributes: the link count.
      case .place: UInt32(IN_ATTRIB | IN_MOVE_SELF | IN_DELETE_SELF)
      case .files:
        UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_MOVE_SELF | IN_DELETE_SELF | IN_ONLYDIR)
      case .arrivals: UInt32(IN_CREATE | IN_MOVED_TO | IN_ONLYDIR)
      }
    }
  }

  public typealias Event = InotifyInstance.Event

  // Proof: set once in init, used on the loop thread only; deinit runs where the last @MainActor owner releases it.
  private nonisolated(unsafe) var source: OpaquePointer?
  private let handler: @MainActor (Event) -> Void

  /// Watches what is at `path` now, and not something later at the same path. The handler may release the watcher.
  public init(
    on loop: EventLoop, path: FilePath, for subject: Subject, handler: @escaping @MainActor (Event) -> Void
  ) throws(SystemError) {
    self.handler = handler
    // Proof: `deinit` removes the source, which calls on the loop thread only.
    let context = Unmanaged.passUnretained(self).toOpaque()
    try sdChecked("sd_event_add_inotify") {
      path.withCString { sd_event_add_inotify(loop.event, &source, $0, subject.events, pathChanged, context) }
    }
  }

  deinit { sd_event_source_disable_unref(source) }

  fileprivate func dispatch(_ event: Event) { handler(event) }
}

extension InotifyInstance.Event {
  /// Whether the watched file or folder is no longer where it was, or can no longer be watched.
  public var endsWatch: Bool {
    has(Int(IN_MOVE_SELF)) || has(Int(IN_DELETE_SELF)) || has(Int(IN_IGNORED)) || has(Int(IN_UNMOUNT))
  }
}

private nonisolated func pathChanged(
  _: OpaquePointer?, _ event: UnsafePointer<inotify_event>?, context: UnsafeMutableRawPointer?
) -> Int32 {
  guard let context, let event else { return 0 }
  let change = PathWatcher.Event(at: event)
  // The reference is strong during the call, because the handler may release its watcher.
  let watcher = Unmanaged<PathWatcher>.fromOpaque(context).takeUnretainedValue()
  MainActor.assumeIsolated { watcher.dispatch(change) }
  return 0
}
