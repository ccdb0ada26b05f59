internal import CSystemd
public import SegueSystem

/// The operations that a descriptor is ready for, or that a source is interested in.
public struct Readiness: OptionSet, Sendable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  public static let readable = Readiness(rawValue: EPOLLIN.rawValue)
  public static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
  /// The other side has shut down its writing half. The data that it sent can still be read.
  public static let endOfInput = Readiness(rawValue: EPOLLRDHUP.rawValue)
  /// The other side has closed the connection. The data that it sent can still be read. Always reported, never
  /// requested.
  public static let hangUp = Readiness(rawValue: EPOLLHUP.rawValue)
  public static let error = Readiness(rawValue: EPOLLERR.rawValue)
  /// The edge-triggered mode of a source (EPOLLET): readiness is reported once when it begins, and once for each
  /// further change, instead of in every iteration of the loop as long as it lasts.
  public static let onChange = Readiness(rawValue: EPOLLET.rawValue)
}

/// An event source that watches a descriptor as long as this object exists. It does not close the descriptor.
@MainActor
public final class IOSource {
  // Proof: set once in init, used on the loop thread only; deinit runs where the last @MainActor owner releases it.
  private nonisolated(unsafe) var source: OpaquePointer?
  private let handler: @MainActor (Readiness) -> Void
  private let owner: AnyObject?

  /// - Parameters:
  ///   - owner: The object that closes the descriptor, which is kept alive until the descriptor is no longer watched. A
  ///     descriptor that is closed too early stays watched as long as there is a copy of it (epoll(7)), and a child
  ///     process that another thread is starting has copies of all descriptors. sd-event would then get an event of a
  ///     source that no longer exists, and abort.
  ///   - interest: If it is empty, only hang-ups and errors are reported.
  public init(
    on loop: EventLoop, descriptor: Int32, of owner: AnyObject? = nil, for interest: Readiness,
    handler: @escaping @MainActor (Readiness) -> Void
  ) throws(SystemError) {
    self.handler = handler
    self.owner = owner
    self.interest = interest
    // Proof: `deinit` removes the source, which calls on the loop thread only.
    let context = Unmanaged.passUnretained(self).toOpaque()
    try sdChecked("sd_event_add_io") {
      sd_event_add_io(loop.event, &source, descriptor, interest.rawValue, ioBecameReady, context)
    }
  }

  deinit { sd_event_source_disable_unref(source) }

  public var interest: Readiness {
    didSet {
      guard interest != oldValue else { return }
      sd_event_source_set_io_events(source, interest.rawValue)
    }
  }

  fileprivate func dispatch(_ readiness: Readiness) { handler(readiness) }
}

private nonisolated func ioBecameReady(
  _: OpaquePointer?, _: Int32, events: UInt32, context: UnsafeMutableRawPointer?
) -> Int32 {
  guard let context else { return 0 }
  // The reference is strong during the call, because the handler may release its source.
  let source = Unmanaged<IOSource>.fromOpaque(context).takeUnretainedValue()
  MainActor.assumeIsolated { source.dispatch(Readiness(rawValue: events)) }
  return 0
}
