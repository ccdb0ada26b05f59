// Thread: any. `PulseSink` only posts commands and reads the published clock; the pulse thread does everything else, in
// `Sink`. The objects of the pulse thread are created by the caller of `send` before that thread starts, and released
// by the caller of `shutdown` after it has ended; in between, other threads only touch its mailbox.
internal import Glibc
public import SegueOutput
internal import SegueSystem
internal import SegueWire
internal import Synchronization

/// A sink for PCM: a PulseAudio client on a thread of its own, which reads PCM from rings and reports when each
/// generation plays. It survives the server: it connects again for as long as sound is wanted.
public final class PulseSink: AudioOutput {
  private let applicationName: String
  private let server: String?
  private let deliver: @Sendable (SinkEvent) -> Void
  private let publishedClock = PublishedClock()
  private let state = Mutex(State.unused)

  private enum State {
    case unused
    case running(PulseThread)
    /// The sink was shut down, or this machine cannot provide a thread and two descriptors.
    case ended
  }

  /// - Parameters:
  ///   - applicationName: the name that mixers show.
  ///   - server: as in `PULSE_SERVER`; nil for the server that libpulse finds.
  ///   - deliver: is called on the pulse thread; it must not block.
  public init(applicationName: String, server: String? = nil, deliver: @escaping @Sendable (SinkEvent) -> Void) {
    self.applicationName = applicationName
    self.server = server
    self.deliver = deliver
  }

  /// Sends a command. Any thread may call this, and it never blocks. The first command starts the pulse thread.
  public func send(_ command: SinkCommand) {
    let (mailbox, failure) = state.withLock { state -> (MessageQueue<SinkCommand>?, SystemError?) in
      if case .unused = state {
        do throws(SystemError) {
          state = .running(try start())
        } catch {
          state = .ended
          return (nil, error)
        }
      }
      if case .running(let thread) = state { return (thread.mailbox, nil) }
      return (nil, nil)
    }
    mailbox?.post(command)
    if let failure { deliver(.streamRefused(failure.localizableMessage)) }
  }

  /// The clock as published last. Any thread may read it.
  public var clock: SinkClock { publishedClock.current }

  /// Ends the pulse thread and waits for its end. Later commands are ignored. Must not be called by `deliver`: a thread
  /// cannot wait for itself.
  public func shutdown() {
    let old = state.withLock { state in
      let old = state
      state = .ended
      return old
    }
    if case .running(let thread) = old { thread.stop() }
    publishedClock.publish(SinkClock())
  }

  deinit { shutdown() }

  private func start() throws(SystemError) -> PulseThread {
    try PulseThread(
      Sink.Setup(applicationName: applicationName, server: server, deliver: deliver, clock: publishedClock))
  }
}

/// The running pulse thread with its sink.
private final class PulseThread: @unchecked Sendable {
  // Proof: `loop`, `sink` and `commandWatch` are touched by `init`, before the thread starts, and by `stop`, after it
  // has ended; in between, by the pulse thread alone.
  private let loop: PulseLoop
  private var sink: Sink?
  private var commandWatch: ReadWatch?
  let mailbox: MessageQueue<SinkCommand>

  init(_ setup: Sink.Setup) throws(SystemError) {
    guard let loop = PulseLoop() else { throw SystemError("pa_threaded_mainloop_new", code: ENOMEM) }
    self.loop = loop
    mailbox = try MessageQueue()
    let sink = Sink(setup, loop: loop)
    self.sink = sink
    commandWatch = ReadWatch(loop, descriptor: mailbox.raw) { [unowned sink, mailbox] in
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
