internal import CSystemd
public import SegueSystem

/// What a descriptor is ready for.
public struct Readiness: OptionSet, Sendable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  public static let readable = Readiness(rawValue: EPOLLIN.rawValue)
  public static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
  /// The other side sends nothing more; what it sent can still be read.
  public static let endOfInput = Readiness(rawValue: EPOLLRDHUP.rawValue)
  /// The other side is gone; what it left can still be read. Always reported, never asked for.
  public static let hangUp = Readiness(rawValue: EPOLLHUP.rawValue)
  public static let error = Readiness(rawValue: EPOLLERR.rawValue)
  /// To ask for: every readiness is reported when it comes about, once, and not for as long as it lasts (EPOLLET).
  /// With a hundred sources ready at once the loop then looks at each once, not at all of them for each.
  public static let onChange = Readiness(rawValue: EPOLLET.rawValue)
}

/// A descriptor the loop watches for as long as this object lives. The descriptor stays its owner's.
@MainActor
public final class IOSource {
  // Proof: set once in init, used on the loop thread only; deinit runs where the last @MainActor owner lets go.
  private nonisolated(unsafe) var source: OpaquePointer?
  private let handler: @MainActor (Readiness) -> Void
  private let owner: AnyObject?

  /// Loop thread. `interest` may be empty: then only hang-ups and errors are reported.
  ///
  /// `owner`, who closes the descriptor, is held until it is watched no more. One that is closed before stays watched
  /// as long as somebody has a copy (epoll(7)), and a child that another thread is just starting has one of all there
  /// are: sd-event would be told of a source that is gone, and end the process.
  public init(
    on loop: EventLoop, descriptor: Int32, of owner: AnyObject? = nil, for interest: Readiness,
    handler: @escaping @MainActor (Readiness) -> Void
  ) throws(SystemError) {
    self.handler = handler
    self.owner = owner
    self.interest = interest
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
  // A strong reference for the length of the call: the handler may let go of its source.
  let source = Unmanaged<IOSource>.fromOpaque(context).takeUnretainedValue()
  MainActor.assumeIsolated { source.dispatch(Readiness(rawValue: events)) }
  return 0
}
