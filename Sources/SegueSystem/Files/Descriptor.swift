internal import CSegue
public import Glibc

/// An open file descriptor with one owner. It is closed when the owner releases it.
public struct Descriptor: ~Copyable, Sendable {
  /// The number of the descriptor, which is valid as long as this value exists.
  public let raw: Int32

  /// Takes ownership of `raw`.
  public init(owning raw: Int32) { self.raw = raw }

  deinit { close(raw) }

  /// Returns whether the byte at `position` of this file is in the page cache; false if the file system does not tell
  /// (preadv2(2), `RWF_NOWAIT`).
  public func isCached(at position: Int64) -> Bool { segue_is_cached(raw, position) }

  /// The state of the file now; nil if the kernel does not tell. In a sandboxed process, this is faster than fstat(3).
  public var status: stat? {
    var status = stat()
    return segue_fstat(raw, &status) == 0 ? status : nil
  }

  /// Returns the number, which the caller has to close.
  public consuming func release() -> Int32 {
    let raw = raw
    discard self
    return raw
  }
}

/// An open file descriptor with several owners. It is closed when the last one releases it.
public final class SharedDescriptor: Sendable {
  public let descriptor: Descriptor

  public init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

  /// The number of the descriptor, which is valid as long as this object exists.
  public var raw: Int32 { descriptor.raw }
}

/// An eventfd(2): a counter that one thread or process raises and another thread or process polls. Any thread may use
/// it.
public final class EventCounter: Sendable {
  private let descriptor: Descriptor

  public init() throws(SystemError) {
    descriptor = Descriptor(owning: try checked("eventfd") { segue_eventfd() })
  }

  /// Takes over an eventfd that another process created.
  public init(adopting descriptor: consuming Descriptor) { self.descriptor = descriptor }

  public var raw: Int32 { descriptor.raw }

  /// Makes the descriptor readable. Never blocks: a full counter is already readable.
  public func raise() {
    var one: UInt64 = 1
    _ = write(descriptor.raw, &one, 8)
  }

  /// Makes the descriptor unreadable again. Never blocks.
  public func clear() {
    var count: UInt64 = 0
    _ = read(descriptor.raw, &count, 8)
  }
}
