internal import Glibc
internal import SegueSystem

/// inotify: what the kernel tells of the folders that are watched.
struct InotifyInstance: ~Copyable {
  struct Event {
    let watch: Int32
    let mask: UInt32
    /// Ties the two halves of a move together.
    let cookie: UInt32
    let name: [UInt8]

    func has(_ flag: Int) -> Bool { mask & UInt32(truncatingIfNeeded: flag) != 0 }
    var isFolder: Bool { has(Int(IN_ISDIR)) }
  }

  private let descriptor: Descriptor

  init() throws(SystemError) {
    descriptor = Descriptor(
      owning: try checked("inotify_init1") { inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK)) })
  }

  var raw: Int32 { descriptor.raw }

  /// Watches `folder`; the number it already has if it is watched. ENOSPC when there are no more watches to be had.
  func add(_ folder: FilePath) throws(SystemError) -> Int32 {
    let mask =
      IN_CREATE | IN_CLOSE_WRITE | IN_ATTRIB | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF
      | IN_ONLYDIR | IN_EXCL_UNLINK
    return try add(folder, UInt32(truncatingIfNeeded: mask))
  }

  /// Watches for folders that come or go in `folder`, in which there is no music.
  func addForNames(_ folder: FilePath) throws(SystemError) -> Int32 {
    try add(folder, UInt32(truncatingIfNeeded: IN_CREATE | IN_MOVED_TO | IN_ONLYDIR))
  }

  private func add(_ folder: FilePath, _ mask: UInt32) throws(SystemError) -> Int32 {
    try checked("inotify_add_watch", folder.description) {
      folder.withCString { inotify_add_watch(descriptor.raw, $0, mask) }
    }
  }

  func remove(_ watch: Int32) { inotify_rm_watch(descriptor.raw, watch) }

  /// What lies ready, a buffer's worth; empty when there is nothing.
  func read() -> [Event] {
    var buffer = [UInt8](repeating: 0, count: 32 * 1024)
    let count = Glibc.read(descriptor.raw, &buffer, buffer.count)
    guard count > 0 else { return [] }
    var events: [Event] = []
    buffer.withUnsafeBytes { bytes in
      let header = MemoryLayout<inotify_event>.size
      var offset = 0
      while offset + header <= count {
        let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
        let name = bytes[(offset + header)..<(offset + header + Int(event.len))].prefix { $0 != 0 }
        events.append(Event(watch: event.wd, mask: event.mask, cookie: event.cookie, name: Array(name)))
        offset += header + Int(event.len)
      }
    }
    return events
  }
}
