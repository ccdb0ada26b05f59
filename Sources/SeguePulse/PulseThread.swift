// The pulse thread and its mailbox. The caller's thread creates and ends the pulse thread, while the pulse thread does
// not run; in between, other threads only touch `mailbox`.
internal import Glibc
internal import SegueSystem
internal import Synchronization

/// The running pulse thread with its sink.
final class PulseThread: @unchecked Sendable {
  // Proof: `loop`, `sink` and `commandWatch` are touched by `init`, before the thread starts, and by `stop`, after it
  // has ended; in between, by the pulse thread alone.
  private let loop: PulseLoop
  private var sink: Sink?
  private var commandWatch: ReadWatch?
  let mailbox: Mailbox

  init(_ setup: Sink.Setup, mailbox: Mailbox) throws(SystemError) {
    guard let loop = PulseLoop() else { throw SystemError("pa_threaded_mainloop_new", code: ENOMEM) }
    self.loop = loop
    self.mailbox = mailbox
    let sink = Sink(setup, loop: loop)
    self.sink = sink
    commandWatch = ReadWatch(loop, descriptor: mailbox.counter.raw) { [unowned sink] in
      for command in mailbox.takeAll() { sink.execute(command) }
    }
    commandWatch?.enable()
    guard loop.start() else { throw SystemError("pthread_create", "pulse", code: EAGAIN) }
  }

  /// Ends the thread, and then its sink. Must be called once, and not on the pulse thread.
  func stop() {
    loop.stop()
    commandWatch = nil
    sink = nil
  }
}

/// A mailbox for commands to the pulse thread. Any thread posts commands, and the pulse thread takes them. The lock is
/// held for an append or a swap, never across a call.
final class Mailbox: Sendable {
  private let commands = Mutex<[SinkCommand]>([])
  /// The counter that is raised while there are commands to take.
  let counter: EventCounter

  init() throws(SystemError) { counter = try EventCounter() }

  func post(_ command: SinkCommand) {
    let wasEmpty = commands.withLock { commands in
      commands.append(command)
      return commands.count == 1
    }
    if wasEmpty { counter.raise() }
  }

  func takeAll() -> [SinkCommand] {
    counter.clear()
    return commands.withLock { commands in
      let taken = commands
      commands = []
      return taken
    }
  }
}
