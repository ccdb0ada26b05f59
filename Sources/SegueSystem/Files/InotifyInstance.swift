internal import Glibc

/// An inotify(7) instance, which never blocks. One thread at a time uses it.
public struct InotifyInstance: ~Copyable {
  /// A change in a watched folder, or of a watched file or folder itself.
  public struct Event: Sendable {
    /// The watch that noticed the change.
    public let watch: Int32
    public let mask: UInt32
    /// The number that the two halves of a move share.
    public let cookie: UInt32
    /// The name within the watched folder; empty if the event is about the watched file or folder itself.
    public let name: [UInt8]

    /// Reads an event that the kernel has written at `address`, with its name.
    public init(at address: UnsafeRawPointer) {
      let event = address.loadUnaligned(as: inotify_event.self)
      let name = UnsafeRawBufferPointer(start: address + MemoryLayout<inotify_event>.size, count: Int(event.len))
      // The kernel pads the name with zeros.
      (watch, mask, cookie, self.name) = (event.wd, event.mask, event.cookie, Array(name.prefix { $0 != 0 }))
    }

    public func has(_ flag: Int) -> Bool { mask & UInt32(truncatingIfNeeded: flag) != 0 }
    public var isFolder: Bool { has(Int(IN_ISDIR)) }
  }

  private let descriptor: Descriptor

  public init() throws(SystemError) {
    descriptor = Descriptor(
      owning: try checked("inotify_init1") { inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK)) })
  }

  /// The descriptor, which is readable when events are waiting.
  public var raw: Int32 { descriptor.raw }

  /// Watches `path` for the events in `mask` and returns the number of the watch. If the path is watched already, that
  /// is the number of its watch. Throws `ENOSPC` if the user has no watches left.
  public func add(_ path: FilePath, _ mask: UInt32) throws(SystemError) -> Int32 {
    try checked("inotify_add_watch", path.description) {
      path.withCString { inotify_add_watch(descriptor.raw, $0, mask) }
    }
  }

  public func remove(_ watch: Int32) { inotify_rm_watch(descriptor.raw, watch) }

  /// Returns the waiting events, at most one buffer of them; an empty array if there are none.
  public func read(upTo bytes: Int = 32 * 1024) -> [Event] {
    let raw = descriptor.raw
    var events: [Event] = []
    withUnsafeTemporaryAllocation(byteCount: bytes, alignment: MemoryLayout<inotify_event>.alignment) { buffer in
      guard let start = buffer.baseAddress else { return }
      let count = Glibc.read(raw, start, buffer.count)
      let header = MemoryLayout<inotify_event>.size
      var offset = 0
      while offset + header <= count {
        events.append(Event(at: start + offset))
        offset += header + Int(buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self).len)
      }
    }
    return events
  }
}
