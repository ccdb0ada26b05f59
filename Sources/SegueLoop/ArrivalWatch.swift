internal import CSystemd
internal import Glibc
public import SegueSystem

/// Tells when something may have come to lie at a path: inotify on the folder it comes in, or on the nearest folder above
/// it that is there. No timer runs for it. Which folder that is, is looked up once: after it has told, it is made anew.
@MainActor
public final class ArrivalWatch {
  // Proof: set once in init, used on the loop thread only; deinit runs where the last @MainActor owner lets go.
  private nonisolated(unsafe) var source: OpaquePointer?
  /// The name that is waited for in the folder.
  private let awaited: [UInt8]
  private let handler: @MainActor () -> Void

  /// nil if no folder on the way to `path` can be watched.
  public init?(on loop: EventLoop, path: FilePath, handler: @escaping @MainActor () -> Void) {
    guard path.isAbsolute else { return nil }
    self.handler = handler
    // A socket is bound first and listens then; who means well changes its attributes after that, to tell.
    let events = UInt32(IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)
    var child = path
    while true {
      let folder = child.parent
      var source: OpaquePointer?
      let result = folder.withCString { sd_event_add_inotify(loop.event, &source, $0, events, somethingCame, nil) }
      if result >= 0 {
        self.source = source
        break
      }
      guard folder != child, folder.bytes.count > 1 else { return nil }
      child = folder
    }
    awaited = Array(child.lastComponent)
    sd_event_source_set_userdata(source, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit { sd_event_source_disable_unref(source) }

  /// `name`: empty in an event about the folder itself.
  fileprivate func dispatch(_ name: some Collection<UInt8>) {
    if name.isEmpty || name.elementsEqual(awaited) { handler() }
  }
}

private nonisolated func somethingCame(
  _: OpaquePointer?, event: UnsafePointer<inotify_event>?, context: UnsafeMutableRawPointer?
) -> Int32 {
  guard let event, let context else { return 0 }
  // inotify(7): the name lies behind the event's fixed part, filled up with NULs.
  let behind = UnsafeRawPointer(event) + MemoryLayout<inotify_event>.size
  let name = Array(UnsafeRawBufferPointer(start: behind, count: Int(event.pointee.len)).prefix { $0 != 0 })
  // A strong reference for the length of the call: the handler may let go of its watch.
  let watch = Unmanaged<ArrivalWatch>.fromOpaque(context).takeUnretainedValue()
  MainActor.assumeIsolated { watch.dispatch(name) }
  return 0
}
