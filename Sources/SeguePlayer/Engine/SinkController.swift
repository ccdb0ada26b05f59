// Thread: the loop. Commands go to the output's own thread; its events arrive through the loop's mailbox.

internal import SegueLoop
internal import SegueOutput
internal import SegueRing
internal import SegueState
internal import SegueSystem
internal import SegueWire

/// A position in a track that is audible.
struct AudiblePosition {
  let generation: Generation
  let time: MediaTime
  /// The speed at which the track is played.
  let speed: PlaybackSpeed
  /// The time at which the position is audible.
  let at: MonotonicTime
  let isAdvancing: Bool
}

/// The sink on the loop: it holds the state that the sink reported last, and reports events that belong to a
/// frame at the time at which that frame is audible.
@MainActor
final class SinkController {
  weak var delegate: (any EngineDelegate)?
  /// The decoder whose worker writes into the rings that the sink reads; it sets this itself.
  weak var decoder: DecoderController?
  /// The volume, which the server may change; it sets this itself.
  weak var volume: VolumeControl?
  /// The monitor of the sound, which follows the clock; it sets this itself.
  weak var monitor: SoundMonitor?
  private(set) var output = Output()

  private let sink: any AudioOutput
  private var clockTimer: Timer?
  /// The scheduled events, ordered by time.
  private var schedule: [(at: MonotonicTime, generation: Generation, event: ScheduledEvent)] = []
  /// Actions whose frame has not been passed to the server yet, or before which the position stands still.
  private var unscheduled: [PositionAction] = []
  private var pendingLists: [UInt64: Completion<OutputList>] = [:]
  private var lastToken: UInt64 = 0
  /// Whether the connection was lost and no stream has been opened since.
  private var isLost = false
  /// The state and the error to which `output` returns when a server or sink that hangs acts again.
  private var beforeHang = (
    state: Output.State.idle, error: LocalizableMessage?.none, errorKind: Output.ErrorKind?.none
  )

  private enum ScheduledEvent {
    case audible
    case starved
    case action(PositionAction)
  }

  /// An action that is performed when `time` of `generation` is audible.
  private struct PositionAction {
    let generation: Generation
    let time: MediaTime
    let perform: @MainActor () -> Void
  }

  /// `makeOutput` creates the output.
  init(loop: EventLoop, makeOutput: AudioOutputMaker) throws(SystemError) {
    let relay = Relay(mailbox: loop.mailbox)
    sink = makeOutput(relay.deliver)
    clockTimer = try Timer(on: loop) { [weak self] in self?.performDueEvents() }
    relay.controller = self
  }

  func send(_ command: SinkCommand) {
    switch command {
    case .play, .stop, .release:
      schedule = []
      unscheduled = []
      clockTimer?.disarm()
    case .pause: clockTimer?.disarm()
    case .resume: if !schedule.isEmpty { clockTimer?.arm(after: Self.recheckInterval) }
    case .enqueue, .finish, .endOfInput, .fadeLength, .endFade, .volume, .mute, .balance, .device, .properties,
      .listSinks, .tap:
      break
    }
    sink.send(command)
  }

  /// The audible position; nil while nothing is audible.
  var position: AudiblePosition? { position { $0.position(at: $1) } }

  /// The position that was audible last; nil if nothing was since the last command to play or to stop.
  var latestPosition: AudiblePosition? { position { $0.latestPosition(at: $1) } }

  private func position(_ read: (SinkClock, MonotonicTime) -> SinkClock.Position?) -> AudiblePosition? {
    let now = MonotonicTime.now
    return read(sink.clock, now).map {
      AudiblePosition(
        generation: $0.generation, time: $0.rate.time(of: $0.frame), speed: $0.speed, at: now, isAdvancing: $0.advancing
      )
    }
  }

  /// Whether the sink needs PCM from the worker, and nothing else, to continue.
  var awaitsPCM: Bool { sink.clock.awaitsPCM }

  var latency: MediaTime? { sink.clock.latency }

  /// Returns the length of the PCM that is ready to be played: what the sink has, and what `ring` has.
  func buffered(in ring: SharedRing?) -> MediaTime {
    let clock = sink.clock
    return clock.unplayed(at: .now) + (ring.flatMap { clock.length(ofBytes: $0.unreadBytes) } ?? .zero)
  }

  /// The clock of the sink.
  var clock: SinkClock { sink.clock }

  /// Performs `action` when `time` of `generation` is audible.
  func whenAudible(_ generation: Generation, _ time: MediaTime, _ action: @escaping @MainActor () -> Void) {
    scheduleAction(PositionAction(generation: generation, time: time, perform: action), after: .now)
  }

  func list(then: @escaping Completion<OutputList>) {
    lastToken += 1
    pendingLists[lastToken] = then
    sink.send(.listSinks(token: lastToken))
  }

  func shutdown() { sink.shutdown() }

  // MARK: Scheduled events

  private func insert(_ event: ScheduledEvent, of generation: Generation, at time: MonotonicTime) {
    let index = schedule.firstIndex { $0.at > time } ?? schedule.endIndex
    schedule.insert((time, generation, event), at: index)
    armTimer()
  }

  private func armTimer() {
    if let first = schedule.first { clockTimer?.arm(at: first.at) } else { clockTimer?.disarm() }
  }

  private func performDueEvents() {
    let now = MonotonicTime.now
    while let first = schedule.first, first.at <= now {
      switch first.event {
      case .audible:
        // If playback is beyond the generation, it was audible, or another one replaced it: the delegate knows which.
        if let position, position.generation.number < first.generation.number {
          // The clock was set back or stood still meanwhile. While paused, this is checked again on resume.
          if position.isAdvancing { clockTimer?.arm(after: Self.recheckInterval) }
          return
        }
        schedule.removeFirst()
        delegate?.handle(.audible(first.generation))
      case .starved:
        schedule.removeFirst()
        reportStarvation(at: now)
      case .action(let action):
        schedule.removeFirst()
        perform(action, at: now)
      }
    }
    armTimer()
  }

  /// Performs an action if its position is audible. Otherwise the position stood still meanwhile, or the start of the
  /// generation was delayed, and the action is scheduled again.
  private func perform(_ action: PositionAction, at now: MonotonicTime) {
    if isAhead(action) { scheduleAction(action, after: now + Self.recheckInterval) } else { action.perform() }
  }

  /// Whether the position of an action, whose time has come, is still to be played.
  private func isAhead(_ action: PositionAction) -> Bool {
    guard let position else { return sink.clock.speed(of: action.generation) != nil }
    return position.generation == action.generation
      ? position.time + Self.tolerance < action.time : position.generation.number < action.generation.number
  }

  /// Schedules an action for the time at which its position is audible, but not before `earliest`. While the position
  /// stands still, or the generation has not been passed to the server, a later event of the sink schedules it.
  private func scheduleAction(_ action: PositionAction, after earliest: MonotonicTime) {
    if let time = sink.clock.time(of: action.time, in: action.generation) {
      insert(.action(action), of: action.generation, at: max(time, earliest))
    } else {
      unscheduled.append(action)
    }
  }

  /// Reports that the server has run dry when its last frame has been played.
  private func reportStarvation(at now: MonotonicTime) {
    let clock = sink.clock
    guard let position = clock.position(at: now), position.advancing else {
      delegate?.handle(.starved)
      return
    }
    // Without this time, the server plays again.
    if let time = clock.stallTime {
      insert(.starved, of: position.generation, at: max(time, now + Self.recheckInterval))
    }
  }

  private static let recheckInterval = MediaTime.milliseconds(5)
  /// The error of a position, by which an action may be early.
  private static let tolerance = MediaTime.milliseconds(20)

  private func scheduleAudible(_ generation: Generation, at time: MonotonicTime) {
    schedule.removeAll { scheduled in
      if case .audible = scheduled.event { scheduled.generation == generation } else { false }
    }
    insert(.audible, of: generation, at: time)
  }

  /// Schedules the actions whose positions are known now.
  private func scheduleActions() {
    let waiting = unscheduled
    unscheduled = []
    for action in waiting { scheduleAction(action, after: .now) }
  }

  // MARK: Events of the sink

  fileprivate func handle(_ event: SinkEvent) {
    let before = output
    carryOut(event)
    if output != before { delegate?.handleOutputChange() }
    monitor?.update()
  }

  private func carryOut(_ event: SinkEvent) {
    switch event {
    case .connected:
      // A server without a sink is asked again and again: its response does not restore playback.
      if output.errorKind != .noSink { (output.error, output.errorKind) = (nil, nil) }
      delegate?.handle(.connected)
    case .lost(let loss, let reason, let position):
      output = Output(carrying: output, error: reason)
      output.errorKind = Output.ErrorKind(loss)
      isLost = true
      schedule = []
      delegate?.handle(.lost(position?.generation, at: position.map { $0.rate.time(of: $0.frame) } ?? .zero))
    case .unresponsive(let hang, let reason):
      beforeHang = (output.state, output.error, output.errorKind)
      output.state = .lost
      (output.error, output.errorKind) = (reason, Output.ErrorKind(hang))
    case .responsive:
      // A stream that was opened or closed since the hang began has set the state already.
      guard output.state == .lost else { return }
      (output.state, output.error, output.errorKind) = beforeHang
    case .opened(let info), .moved(let info):
      if isLost { output.reconnects += 1 }
      isLost = false
      output.state = .open
      output.describe(info)
    case .closed: output = Output(carrying: output, error: nil)
    case .scheduled(let generation, at: let time), .resumed(let generation, at: let time):
      scheduleAudible(generation, at: time)
      scheduleActions()
    case .pauseFading: delegate?.handlePausePosition()
    case .finished(let generation): delegate?.handle(.finished(generation))
    case .ranDry: reportStarvation(at: .now)
    case .underrun(let total): output.underruns = total
    case .volume(let percent, let isMuted, let balance, let command):
      let report = SavedVolume(level: percent.clamped(to: 0...100), muted: isMuted, balance: balance)
      volume?.handleReport(report, after: command)
    case .corkRequested: delegate?.handle(.pause(.server))
    case .uncorkRequested: delegate?.handle(.resume(.server))
    case .ringCorrupted(let generation, let reason): decoder?.handleCorruption(of: generation, reason)
    case .streamRefused(let reason):
      Log.error("the sound server refused to open a stream: \(reason); paused")
      output.error = reason
      delegate?.handle(.refused)
    case .deviceUnavailable(let reason):
      Log.warning("\(reason)")
      output.error = reason
    case .sinks(let token, let sinks):
      let list = OutputList(outputs: sinks.map(OutputDevice.init))
      pendingLists.removeValue(forKey: token)?(.success(list))
    case .sinksUnavailable(let token, let reason):
      let failure = Failure(.unavailable, "cannot query the sound server: \(reason)")
      pendingLists.removeValue(forKey: token)?(.failure(failure))
    }
  }
}

/// A relay of events from the thread of the output to the loop.
private final class Relay: Sendable {
  private let mailbox: Mailbox
  // Proof: read and written on the loop thread only.
  @MainActor weak var controller: SinkController?

  init(mailbox: Mailbox) { self.mailbox = mailbox }

  @Sendable func deliver(_ event: SinkEvent) {
    mailbox.post { self.controller?.handle(event) }
  }
}

extension Output {
  /// Creates the state without a stream, with the counters of `old`.
  fileprivate init(carrying old: Output, error: LocalizableMessage?) {
    self.init()
    underruns = old.underruns
    reconnects = old.reconnects
    self.error = error
  }

  fileprivate mutating func describe(_ info: StreamSink) {
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

  fileprivate init(_ hang: OutputHang) {
    self =
      switch hang {
      case .server: .noAnswer
      case .sink: .sinkStalled
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
