internal import Glibc

/// Tells when a socket may have come to its name: inotify(7) on the folder that it comes in, or on the nearest folder
/// above that is there. No timer runs for it. One thread at a time.
public final class SocketWatcher {
  private let inotify: Descriptor
  private let path: FilePath
  private var watch: Int32 = -1
  /// The folder that is watched, and the name that is waited for in it.
  private var folder = FilePath("")
  private var awaited: [UInt8] = []

  /// Throws where inotify is not to be had.
  public init(path: FilePath) throws(SystemError) {
    self.path = path
    inotify = Descriptor(
      owning: try checked("inotify_init1") { inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK)) })
    try watchNearest()
  }

  /// Readable when there are news; for whoever waits.
  public var raw: Int32 { inotify.raw }

  /// Takes what has happened, without waiting; true if the socket may be there, or may be another.
  public func takeNews() -> Bool {
    var isNews = false
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: MemoryLayout<inotify_event>.alignment) { buffer in
      while case let count = read(raw, buffer.baseAddress, buffer.count), count > 0 {
        var events = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        while let event = InotifyEvent(takenFrom: &events) {
          // That of a watch that was taken back says nothing any more.
          if event.watch == watch { isNews = isNews || event.name == nil || event.name == awaited }
        }
      }
    }
    guard isNews else { return false }
    let wasThere = isAtTheSocket
    // What cannot be watched any more was there to be seen.
    do throws(SystemError) { try watchNearest() } catch { return true }
    // The folder may have come with the socket in it.
    return wasThere || isAtTheSocket
  }

  private var isAtTheSocket: Bool { folder == path.parent }

  /// Watches the deepest folder of the path that is there.
  private func watchNearest() throws(SystemError) {
    if watch >= 0 { inotify_rm_watch(raw, watch) }
    (folder, awaited) = (path.parent, Array(path.lastComponent))
    // A folder may come between two looks: then it is begun anew from there.
    var missing: FilePath?
    while true {
      let events = UInt32(IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)
      watch = folder.withCString { inotify_add_watch(raw, $0, events) }
      if watch >= 0 {
        guard let deeper = missing, deeper.withCString({ access($0, F_OK) }) == 0 else { return }
        missing = nil
        (folder, awaited) = (path.parent, Array(path.lastComponent))
        continue
      }
      missing = errno == ENOENT ? folder : nil
      guard folder.parent != folder else { throw SystemError("inotify_add_watch", folder.description) }
      (folder, awaited) = (folder.parent, Array(folder.lastComponent))
    }
  }
}

/// One event as the kernel writes it.
private struct InotifyEvent {
  let watch: Int32
  /// nil for one about the folder itself.
  let name: [UInt8]?

  /// Takes the first event off `bytes`; nil if there is none.
  init?(takenFrom bytes: inout UnsafeRawBufferPointer) {
    let header = MemoryLayout<inotify_event>.size
    guard bytes.count >= header else { return nil }
    let event = bytes.loadUnaligned(as: inotify_event.self)
    watch = event.wd
    name = event.len == 0 ? nil : Array(bytes[header...].prefix(Int(event.len)).prefix { $0 != 0 })
    bytes = UnsafeRawBufferPointer(rebasing: bytes[min(header + Int(event.len), bytes.count)...])
  }
}
