// The front of the sink: called from any thread, it only posts orders and reads the published clock. What happens,
// happens on the pulse thread, in `Sink`.
internal import SegueSystem
internal import Synchronization

/// The way to the loudspeaker: a PulseAudio client on a thread of its own, which reads PCM from rings and says when
/// which frame is heard. It outlives the server: it connects anew for as long as something is wanted.
public final class PulseSink: Sendable {
  private let applicationName: String
  private let server: String?
  private let deliver: @Sendable (SinkEvent) -> Void
  private let face = PublishedClock()
  private let state = Mutex(State.unused)

  private enum State {
    case unused
    case running(PulseThread)
    /// Shut down, or this machine would not give a thread and two descriptors.
    case over
  }

  /// - Parameters:
  ///   - applicationName: as mixers show it.
  ///   - server: as in `PULSE_SERVER`; nil for what libpulse finds by itself.
  ///   - deliver: called on the pulse thread; must not block.
  public init(applicationName: String, server: String? = nil, deliver: @escaping @Sendable (SinkEvent) -> Void) {
    self.applicationName = applicationName
    self.server = server
    self.deliver = deliver
  }

  /// Any thread; never blocks. The first order starts the pulse thread.
  public func send(_ order: SinkCommand) {
    let (mailbox, refusal) = state.withLock { state -> (Mailbox?, String?) in
      if case .unused = state {
        do throws(SystemError) {
          state = .running(try start())
        } catch {
          state = .over
          return (nil, error.description)
        }
      }
      if case .running(let thread) = state { return (thread.mailbox, nil) }
      return (nil, nil)
    }
    mailbox?.post(order)
    if let refusal { deliver(.streamRefused(refusal)) }
  }

  /// Any thread.
  public var clock: SinkClock { face.current }

  /// Ends the thread and everything on it, and waits for that. Orders sent later are ignored.
  /// Not from `deliver`: a thread cannot wait for itself.
  public func shutdown() {
    let old = state.withLock { state in
      let old = state
      state = .over
      return old
    }
    if case .running(let thread) = old { thread.stop() }
    face.publish(SinkClock())
  }

  deinit { shutdown() }

  private func start() throws(SystemError) -> PulseThread {
    try PulseThread(
      Sink.Setup(applicationName: applicationName, server: server, deliver: deliver, face: face), mailbox: Mailbox())
  }
}
