internal import CSegue
internal import Glibc

/// An open file descriptor with one owner, closed when the owner lets go.
public struct Descriptor: ~Copyable, Sendable {
  /// The number; valid for as long as this value lives.
  public let raw: Int32

  /// Takes ownership of `raw`.
  public init(owning raw: Int32) { self.raw = raw }

  deinit { close(raw) }

  /// Hands the number, and the duty to close it, to the caller.
  public consuming func release() -> Int32 {
    let raw = raw
    discard self
    return raw
  }
}

/// An eventfd: a counter one side raises and the other side polls. Safe from any thread.
public final class EventCounter: Sendable {
  private let descriptor: Descriptor

  public init() throws(SystemError) {
    descriptor = Descriptor(owning: try checked("eventfd") { segue_eventfd() })
  }

  public init(adopting descriptor: consuming Descriptor) { self.descriptor = descriptor }

  public var raw: Int32 { descriptor.raw }

  /// Makes the descriptor readable. Never blocks: a full counter is readable already.
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
