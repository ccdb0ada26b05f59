internal import CSystemd
internal import Glibc
public import SegueSystem

/// A watch of the files in a folder, but not in those below it (inotify(7)). It ends when the folder is removed, moved or
/// unmounted, until `start` is called again.
@MainActor
public final class FolderWatch {
  private let folder: FilePath
  private let loop: EventLoop
  /// Called with the name of a file that was created, written, renamed or removed, and with nil if the folder itself was removed
  /// or moved, or too many files have changed to name them.
  public var onChange: @MainActor (_ name: [UInt8]?) -> Void = { _ in }
  // Proof: used on the loop thread only; deinit runs where the last @MainActor owner releases it.
  private nonisolated(unsafe) var source: OpaquePointer?

  /// Watches nothing yet.
  public init(of folder: FilePath, on loop: EventLoop) {
    self.folder = folder
    self.loop = loop
  }

  deinit { sd_event_source_disable_unref(source) }

  /// Watches the folder if it exists and is not watched yet.
  public func start() {
    guard source == nil else { return }
    let context = Unmanaged.passUnretained(self).toOpaque()
    // A file that is being written is announced when it is closed.
    let events = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_MOVE_SELF | IN_DELETE_SELF)
    _ = folder.withCString {
      sd_event_add_inotify(loop.event, &source, $0, events | UInt32(IN_ONLYDIR), folderChanged, context)
    }
  }

  fileprivate func handle(_ events: UInt32, _ name: [UInt8]?) {
    if events & UInt32(IN_MOVE_SELF | IN_DELETE_SELF | IN_IGNORED | IN_UNMOUNT) != 0 {
      source = sd_event_source_disable_unref(source)
    }
    onChange(name)
  }
}

private nonisolated func folderChanged(
  _: OpaquePointer?, _ event: UnsafePointer<inotify_event>?, context: UnsafeMutableRawPointer?
) -> Int32 {
  guard let context, let event else { return 0 }
  // Proof: the kernel pads the name, which follows the event, with zeros.
  let name =
    event.pointee.len == 0
    ? nil
    : Array(
      UnsafeRawPointer(event + 1).assumingMemoryBound(to: UInt8.self).withMemoryRebound(to: CChar.self, capacity: 1) {
        UnsafeRawBufferPointer(start: $0, count: strlen($0))
      })
  let events = event.pointee.mask
  // The reference is strong during the call, because the handler may release its watch.
  let watch = Unmanaged<FolderWatch>.fromOpaque(context).takeUnretainedValue()
  MainActor.assumeIsolated { watch.handle(events, name) }
  return 0
}
