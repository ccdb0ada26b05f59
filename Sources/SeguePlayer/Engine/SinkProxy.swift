// Thread: the loop. The sink's own thread is reached by its orders and heard through the loop's mailbox.

internal import SegueLoop
internal import SeguePulse
internal import SegueRing
internal import SegueSystem
internal import SegueWire

/// The sink as the loop sees it: what it reported last, and each track's news at the moment it is heard.
@MainActor
final class SinkProxy {
  enum Event {
    case audible(Generation)
    case finished(Generation)
    /// A pause fades, and `position` is where it will stand.
    case stands
    /// Where the ear was, if it was anywhere.
    case lost(Generation?, at: MediaTime)
    case connected
    case corkRequested
    case uncorkRequested
    case volume(VolumeState)
    /// `output` has changed.
    case output
    case corrupt(Generation, String)
    /// The server would not open a stream.
    case refused(String)
  }

  var onEvent: (@MainActor (Event) -> Void)?
  private(set) var output = Output()

  private let sink: PulseSink
  private let mailbox: Mailbox
  private var clockTimer: Timer?
  /// What happens when, in the order of time.
  private var agenda: [(at: MonotonicTime, generation: Generation, what: Happening)] = []
  /// Titles whose frame has not been handed to the server yet.
  private var unscheduled: [(generation: Generation, time: MediaTime, action: @MainActor () -> Void)] = []
  private var listings: [UInt64: Completion<OutputList>] = [:]
  private var lastListing: UInt64 = 0
  /// Whether sound was lost and has not come back.
  private var isLost = false
  /// What `output.state` is again when a server that hangs answers.
  private var beforeSilence = Output.State.idle

  private enum Happening {
    case audible
    case action(@MainActor () -> Void)
  }

  init(loop: EventLoop) throws(SystemError) {
    mailbox = loop.mailbox
    let relay = Relay(mailbox: loop.mailbox)
    sink = PulseSink(applicationName: "Segue", deliver: relay.deliver)
    clockTimer = try Timer(on: loop) { [weak self] in self?.keepAgenda() }
    relay.port = self
  }

  func send(_ order: SinkCommand) {
    switch order {
    case .play, .stop, .release:
      agenda = []
      unscheduled = []
      clockTimer?.disarm()
    case .pause: clockTimer?.disarm()
    case .resume: if !agenda.isEmpty { clockTimer?.arm(after: Self.lookAgain) }
    default: break
    }
    sink.send(order)
  }

  /// Where the ear is: nil while nothing is heard.
  var position: (generation: Generation, time: MediaTime, at: MonotonicTime, isAdvancing: Bool)? {
    let now = MonotonicTime.now
    guard let heard = sink.clock.position(at: now) else { return nil }
    return (heard.generation, heard.rate.time(of: heard.frame), now, heard.advancing)
  }

  /// Whether all that is missing for more sound is PCM from the worker.
  var awaitsPCM: Bool { sink.clock.awaitsPCM }

  var latency: MediaTime? { sink.clock.latency }

  /// Does `action` on a later turn of the loop.
  func later(_ action: @escaping Mailbox.Work) { mailbox.post(action) }

  /// Does `action` when `time` of `generation` is heard.
  func whenAudible(_ generation: Generation, _ time: MediaTime, _ action: @escaping @MainActor () -> Void) {
    if let position, position.generation == generation {
      enter(position.at + (time - position.time), generation, .action(action))
    } else {
      unscheduled.append((generation, time, action))
    }
  }

  func list(then: @escaping Completion<OutputList>) {
    lastListing += 1
    listings[lastListing] = then
    sink.send(.listSinks(token: lastListing))
  }

  func shutdown() { sink.shutdown() }

  // MARK: The agenda

  private func enter(_ time: MonotonicTime, _ generation: Generation, _ what: Happening) {
    let index = agenda.firstIndex { $0.at > time } ?? agenda.endIndex
    agenda.insert((time, generation, what), at: index)
    arm()
  }

  private func arm() {
    if let first = agenda.first { clockTimer?.arm(at: first.at) } else { clockTimer?.disarm() }
  }

  private func keepAgenda() {
    let now = MonotonicTime.now
    while let first = agenda.first, first.at <= now {
      switch first.what {
      case .audible:
        // Where the ear is beyond it, it was heard, or something else took its place: whoever is told knows which.
        if let position, position.generation.number < first.generation.number {
          // The clock was set back or stood still meanwhile. Paused, it is looked at again when it goes on.
          if position.isAdvancing { clockTimer?.arm(after: Self.lookAgain) }
          return
        }
        agenda.removeFirst()
        onEvent?(.audible(first.generation))
      case .action(let action):
        agenda.removeFirst()
        action()
      }
    }
    arm()
  }

  private static let lookAgain = MediaTime.milliseconds(5)

  private func expectSound(of generation: Generation, at time: MonotonicTime) {
    agenda.removeAll { entry in
      if case .audible = entry.what { entry.generation == generation } else { false }
    }
    enter(time, generation, .audible)
  }

  private func schedule(_ generation: Generation, _ start: MediaTime, at time: MonotonicTime) {
    expectSound(of: generation, at: time)
    let waiting = unscheduled
    unscheduled = []
    for entry in waiting {
      if entry.generation == generation {
        enter(time + (entry.time - start), generation, .action(entry.action))
      } else {
        unscheduled.append(entry)
      }
    }
  }

  // MARK: What the sink reports

  fileprivate func hear(_ event: SinkEvent) {
    switch event {
    case .connected:
      // A server without a sink is asked again and again: that it answers brings no sound.
      if output.errorKind != .noSink { (output.error, output.errorKind) = (nil, nil) }
      onEvent?(.connected)
    case .lost(let loss, let reason, let heard):
      output = Output(carrying: output, error: reason)
      output.errorKind = Output.ErrorKind(loss)
      isLost = true
      agenda = []
      onEvent?(.lost(heard?.generation, at: heard.map { $0.rate.time(of: $0.frame) } ?? .zero))
      onEvent?(.output)
    case .silent(let reason):
      beforeSilence = output.state
      output.state = .lost
      (output.error, output.errorKind) = (reason, .noAnswer)
      onEvent?(.output)
    case .answering:
      output.state = beforeSilence
      (output.error, output.errorKind) = (nil, nil)
      onEvent?(.output)
    case .opened(let info), .moved(let info):
      if isLost { output.reconnects += 1 }
      isLost = false
      output.state = .open
      output.describe(info)
      onEvent?(.output)
    case .closed:
      output = Output(carrying: output, error: nil)
      onEvent?(.output)
    case .scheduled(let generation, let frame, let rate, let time):
      schedule(generation, rate.time(of: frame), at: time)
    case .resumed(let generation, let time):
      expectSound(of: generation, at: time)
    case .stands: onEvent?(.stands)
    case .finished(let generation):
      onEvent?(.finished(generation))
    case .underrun(let total):
      output.underruns = total
      onEvent?(.output)
    case .volume(let percent, let isMuted):
      onEvent?(.volume(VolumeState(volume: percent, muted: isMuted)))
    case .corkRequested: onEvent?(.corkRequested)
    case .uncorkRequested: onEvent?(.uncorkRequested)
    case .corrupt(let generation, let what): onEvent?(.corrupt(generation, what))
    case .refused(let reason):
      output.error = reason
      onEvent?(.refused(reason))
      onEvent?(.output)
    case .deviceUnavailable(let reason):
      Log.warning("\(reason)")
      output.error = reason
      onEvent?(.output)
    case .sinks(let token, let sinks):
      let list = OutputList(outputs: sinks.map(OutputDevice.init))
      listings.removeValue(forKey: token)?(.success(list))
    case .sinksUnavailable(let token, let reason):
      listings.removeValue(forKey: token)?(.failure(Failure(.unavailable, "no sound server can be asked: \(reason)")))
    }
  }
}

/// Carries events from the pulse thread to the loop.
private final class Relay: Sendable {
  private let mailbox: Mailbox
  // Guard: read and written on the loop thread only.
  @MainActor weak var port: SinkProxy?

  init(mailbox: Mailbox) { self.mailbox = mailbox }

  @Sendable func deliver(_ event: SinkEvent) {
    mailbox.post { self.port?.hear(event) }
  }
}

extension Output {
  /// Nothing is open any more; the counts stay.
  fileprivate init(carrying old: Output, error: String?) {
    self.init()
    underruns = old.underruns
    reconnects = old.reconnects
    self.error = error
  }

  fileprivate mutating func describe(_ info: StreamInfo) {
    device = info.device
    sampleRate = info.sampleRate
    channels = info.channels
    format = info.format
    (error, errorKind) = (nil, nil)
  }
}

extension Output.ErrorKind {
  fileprivate init(_ loss: OutputLoss) {
    self =
      switch loss {
      case .server: .noServer
      case .sink: .noSink
      case .stream: .noStream
      }
  }
}

extension OutputDevice {
  fileprivate init(_ sink: SinkDescription) {
    self.init(
      name: sink.name, description: sink.description, isDefault: sink.isDefault, isCurrent: sink.isCurrent,
      sampleRate: sink.sampleRate, channels: sink.channels, format: sink.format)
  }
}
