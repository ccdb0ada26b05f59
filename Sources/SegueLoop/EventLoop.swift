// Thread: the loop, which is the main thread. Everything here is @MainActor and synchronous. Other threads post work to
// the mailbox. Nothing on this thread may block.

internal import CSystemd
public import SegueSystem

/// A queue of work that other threads post for the loop.
public typealias Mailbox = MessageQueue<@MainActor @Sendable () -> Void>

/// An event loop of sd-event, which dispatches sockets, timers, signals and child processes and sleeps otherwise.
@MainActor
public final class EventLoop {
  // Proof: used on the loop thread only; the last owner releases the loop when nothing runs it any more.
  nonisolated(unsafe) let event: OpaquePointer
  /// The mailbox to which other threads post work. The loop does the work in the order of posting.
  public let mailbox: Mailbox
  private var mailboxSource: IOSource?

  public init() throws(SystemError) {
    var event: OpaquePointer?
    try sdChecked("sd_event_new") { sd_event_new(&event) }
    guard let event else { throw SystemError("sd_event_new") }
    self.event = event
    mailbox = try Mailbox()
    let mailbox = mailbox
    mailboxSource = try IOSource(on: self, descriptor: mailbox.raw, for: .readable) { _ in
      for work in mailbox.takeAll() { work() }
    }
  }

  deinit { sd_event_unref(event) }

  /// Dispatches events until `exit` is called, and returns its code.
  public func run() throws(SystemError) -> Int32 { try sdChecked("sd_event_loop") { sd_event_loop(event) } }

  public func exit(_ code: Int32) { sd_event_exit(event, code) }

  /// The number of iterations so far. Each iteration is one wakeup.
  public var iterations: UInt64 {
    var count: UInt64 = 0
    return sd_event_get_iteration(event, &count) >= 0 ? count : 0
  }
}

/// Calls a function of libsystemd. If it fails, it returns a negated errno, which is thrown.
@discardableResult
func sdChecked(_ call: String, _ body: () -> Int32) throws(SystemError) -> Int32 {
  let result = body()
  if result < 0 { throw SystemError(call, code: -result) }
  return result
}
