// The one place where the pulse thread meets the others: made and ended by the caller's thread, while no other is there;
// in between only `mailbox` is touched from outside.
internal import Glibc
internal import SegueSystem

/// The running pulse thread with the sink on it.
final class PulseThread: @unchecked Sendable {
  // Proof: `loop`, `sink` and `orders` are touched by `init`, before the thread starts, and by `stop`, after it has
  // ended; in between by the pulse thread alone.
  private let loop: PulseLoop
  private var sink: Sink?
  private var orders: ReadWatch?
  let mailbox: Mailbox

  init(_ setup: Sink.Setup, mailbox: Mailbox) throws(SystemError) {
    guard let loop = PulseLoop() else { throw SystemError("pa_threaded_mainloop_new", code: ENOMEM) }
    self.loop = loop
    self.mailbox = mailbox
    let sink = Sink(setup, loop: loop)
    self.sink = sink
    orders = ReadWatch(loop, descriptor: mailbox.counter.raw) { [unowned sink] in
      for order in mailbox.takeAll() { sink.carryOut(order) }
    }
    orders?.isEnabled = true
    guard loop.start() else { throw SystemError("pthread_create", "pulse", code: EAGAIN) }
  }

  /// Ends the thread, then what lived on it. Once, and not from the pulse thread.
  func stop() {
    loop.stop()
    orders = nil
    sink = nil
  }
}
