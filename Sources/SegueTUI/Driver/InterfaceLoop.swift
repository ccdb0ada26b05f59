internal import Glibc
internal import SegueClientKit
internal import SegueRPC
internal import SegueSystem
internal import SegueWire

/// The loop of the interface: it waits for the terminal, the daemon, signals, changes of `ui.conf` and the next change
/// of the view at once, passes what happens to the model, and draws. It has no thread and no timer beside it, and
/// sleeps while nothing happens.
final class InterfaceLoop {
  /// The time for which the first frame waits for the data of the daemon, so that no empty screen flashes up.
  private static let firstFrameDelay = MediaTime.milliseconds(15)
  /// The minimum time between two frames: there are at most 60 in a second.
  private static let frameInterval = MediaTime(nanoseconds: 1_000_000_000 / 60)

  private let display: Display
  private let signals: SignalDescriptor
  private let link: ReconnectingConnection<DaemonCall>
  private let drawsPictures: Bool
  private var tmux = TmuxWatch()
  private let configurationFile: ConfigurationFile
  private var model: Model
  private var parser = InputParser()
  /// The time at which an incomplete sequence of input ends; nil if there is none.
  private var sequenceEnd: MonotonicTime?
  /// The time before which no frame is drawn.
  private var nextFrame: MonotonicTime
  /// Whether the first frame is drawn.
  private var hasDrawn = false
  private var needsFrame = true
  /// The calls that the model has made since the last frame. The daemon, which may run on the same core, gets them
  /// after the frame with the response to a key.
  private var calls: [DaemonCall] = []
  /// The exit status, once the interface is to end.
  private var status: Int32?

  init(
    display: Display, signals: SignalDescriptor, link: ReconnectingConnection<DaemonCall>, appearance: Appearance,
    drawsPictures: Bool, configurationPath: FilePath
  ) {
    self.display = display
    self.signals = signals
    self.link = link
    self.drawsPictures = drawsPictures && TerminalEnvironment.allowsColors
    configurationFile = ConfigurationFile(path: configurationPath)
    let (configuration, warnings) = configurationFile.read()
    InterfaceConfiguration.select(language: configuration.language)
    model = Model(
      size: display.size, appearance: appearance, configuration: configuration, warnings: warnings, at: .now)
    nextFrame = .now + Self.firstFrameDelay
  }

  /// Runs until the user quits, a signal ends the program, or the terminal is lost. Returns the exit status.
  func run() -> Int32 {
    if TerminalEnvironment.allowsColors { display.query(pictures: drawsPictures) }
    process(link.handleDeadline().compactMap(Event.init))
    while status == nil {
      if needsFrame, nextFrame <= .now || !hasDrawn && model.isComplete { draw() }
      sendCalls()
      let tick = model.nextTick
      // A terminal that does not read is awaited instead.
      let frame = needsFrame && display.awaitedOutput == nil ? nextFrame : nil
      let ready = wait(for: link.interest, until: [tick, sequenceEnd, frame, tmux.deadline])
      if ready.signal { handleSignals() }
      if ready.configuration { readConfiguration() }
      if ready.input { readInput() }
      if ready.daemon { process(link.handleDescriptor().compactMap(Event.init)) }
      process(link.handleDeadline().compactMap(Event.init))
      if !ready.input, let end = sequenceEnd, end <= .now {
        process(parser.endSequence().map(Event.input))
        renewSequenceEnd()
      }
      if let tick, tick <= .now { process([.tick]) }
      if let deadline = tmux.deadline, deadline <= .now { askTmux() }
    }
    sendCalls()
    display.leave()
    return status ?? 0
  }

  // MARK: Waiting

  /// The sources of events that have some.
  private struct Readiness {
    var input = false
    var daemon = false
    var signal = false
    var configuration = false
  }

  /// Waits for an event or the first of the times.
  private func wait(for link: ConnectionInterest, until times: [MonotonicTime?]) -> Readiness {
    var entries = [
      pollfd(fd: 0, events: Int16(POLLIN), revents: 0), pollfd(fd: link.descriptor, events: link.events, revents: 0),
      pollfd(fd: signals.raw, events: Int16(POLLIN), revents: 0),
      pollfd(fd: display.awaitedOutput ?? -1, events: Int16(POLLOUT), revents: 0),
      pollfd(fd: configurationFile.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    let deadline = (times + [link.deadline]).compactMap { $0 }.min()
    guard poll(&entries, until: deadline) > 0 else { return Readiness() }
    if entries[3].revents != 0 { display.flush() }
    return Readiness(
      input: entries[0].revents != 0, daemon: entries[1].revents != 0, signal: entries[2].revents != 0,
      configuration: entries[4].revents != 0)
  }

  /// Draws the newest state, unless the terminal has not read the last frame: then this frame is left out, and the next
  /// one is drawn when the terminal reads again.
  private func draw() {
    guard display.awaitedOutput == nil else { return }
    guard Terminal.isInForeground(0) else { return stopInBackground() }
    display.show(model.frame())
    needsFrame = !display.isComplete
    hasDrawn = true
    tmux.noteFrame(display.graphics)
    // After a pause, the next frame may follow at once. Usually it shows the response to the key that has caused this
    // frame.
    nextFrame = max(nextFrame, .now - Self.frameInterval) + Self.frameInterval
    process(display.takeUnreadablePictures().map(Event.pictureUnreadable))
  }

  /// Stops as a program does that writes to its terminal from the background. SIGCONT is the next event.
  private func stopInBackground() {
    process([.suspended])
    sendCalls()
    if !SignalDescriptor.stopProcessGroup(by: SIGTTOU) { status = ExitCode.failed.rawValue }
  }

  // MARK: Events

  private func process(_ events: [Event]) {
    var events = events[...]
    while var event = events.popFirst() {
      needsFrame = true
      switch event {
      case .input(.graphics(let terminal)): event = use(terminal)
      case .input(.cellSize(let width, let height)):
        guard let terminal = display.graphics, terminal.statesCellSize else { continue }
        var changed = terminal
        changed.setCellSize(width: width, height: height)
        guard changed != terminal else { continue }
        event = use(changed)
      case .input(.tmux(let terminal)):
        event = use(tmux.start(own: terminal))
      case .input(.focus(isGained: true)): tmux.noteFocus()
      // The model forgets its calls, which would reach the next daemon otherwise.
      case .disconnected: calls = []
      default: break
      }
      for request in model.update(event, at: .now) { events += perform(request) }
    }
  }

  /// Displays pictures by a terminal. Returns the event of the model for that.
  private func use(_ terminal: GraphicsTerminal?) -> Event {
    var usable = drawsPictures ? GraphicsTerminal.usable(terminal) : nil
    usable?.completeCellSize(of: 1)
    display.graphics = usable
    return .input(.graphics(display.graphics))
  }

  /// Asks tmux which terminals display the pane, and sends the pictures to others than before.
  private func askTmux() {
    guard let (terminal, hasChanged) = tmux.ask() else { return }
    let before = display.graphics
    let event = use(terminal)
    if display.graphics != before { process([event]) }
    if hasChanged, display.graphics != nil { process(perform(.redraw)) }
  }

  private func perform(_ request: InterfaceRequest) -> [Event] {
    switch request {
    case .call(let call): calls.append(call)
    case .openLink(let url): return [Browser.open(url) ? .linkOpened(url) : .linkNotOpened(url)]
    case .readColor(let path): return [Pixmap(path).map { .colorRead(path, $0.accent) } ?? .pictureUnreadable(path)]
    case .save(let change):
      if case .setting(.language, let word) = change { InterfaceConfiguration.select(language: word) }
      do throws(SystemError) {
        try configurationFile.save(change)
        return [.saved(nil)]
      } catch {
        return [.saved(error)]
      }
    case .quit: status = 0
    case .suspend: return suspend()
    case .redraw:
      display.redraw()
      needsFrame = true
    }
    return []
  }

  /// Sends the calls to the daemon, also those that follow from a call that cannot be sent.
  private func sendCalls() {
    while !calls.isEmpty {
      let call = calls.removeFirst()
      process(link.send(call.request, for: call).compactMap(Event.init))
    }
  }

  /// Reads `ui.conf` after another program has changed it, such as an editor or another interface.
  private func readConfiguration() {
    guard let (configuration, warnings) = configurationFile.readChange() else { return }
    InterfaceConfiguration.select(language: configuration.language)
    process([.configurationChanged(configuration, warnings)])
  }

  private func renewSequenceEnd() { sequenceEnd = parser.timeout.map { .now + $0 } }

  private func readInput() {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = read(0, &bytes, bytes.count)
    if count > 0 {
      process(parser.parse(bytes[..<count]).map(Event.input))
      display.send(parser.takeRequests())
      renewSequenceEnd()
    } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
      // The terminal is closed.
      status = ExitCode.failed.rawValue
    }
  }

  private func handleSignals() {
    var isResized = false
    while let number = signals.next() {
      switch number {
      case SIGWINCH: isResized = true
      case SIGTSTP: process(suspend())
      // After a stop that no key has caused, the shell may have changed the terminal.
      case SIGCONT where status == nil: process(resume())
      case SIGCONT: break
      default: status = 128 + number
      }
    }
    if isResized { process(resizeEvents()) }
  }

  /// The event of a new size, if the terminal reports one.
  private func resizeEvents() -> [Event] {
    guard let size = ScreenSize.ofTerminal else { return [] }
    display.resize(to: size)
    return [.resized(size)] + cellSizeEvents()
  }

  /// The event of another size of a cell, if the kernel reports one. A terminal that states the size itself is asked.
  private func cellSizeEvents() -> [Event] {
    guard var terminal = display.graphics else { return [] }
    if terminal.statesCellSize { display.send(GraphicsQuery.cellSizeRequest) }
    terminal.completeCellSize(of: 1)
    return terminal == display.graphics ? [] : [use(terminal)]
  }

  /// Gives the terminal back and stops until the shell continues the program, which SIGCONT reports.
  private func suspend() -> [Event] {
    process([.suspended])
    sendCalls()
    display.leave()
    return SignalDescriptor.stopProcessGroup(by: SIGTSTP) ? [] : resume()
  }

  /// Takes the terminal, or stops again if the shell has continued the program in the background.
  private func resume() -> [Event] {
    guard Terminal.isInForeground(0) else {
      stopInBackground()
      return []
    }
    display.enter(size: ScreenSize.ofTerminal ?? display.size)
    return [.resized(display.size)]
  }
}

extension Event {
  /// Creates the event of the model for one of the connection.
  init?(_ event: ReconnectingConnection<DaemonCall>.Event) {
    switch event {
    case .connected: self = .connected
    case .disconnected(let error): self = .disconnected(ClientError(error))
    // The model forgets its calls when the connection is lost.
    case .response(_, .failure(.closed)): return nil
    case .response(let call, let result): self = .response(call, result.mapError { ClientError($0) })
    case .changeNotSaved: self = .changeNotSaved
    case .changed(let parameters):
      guard let event = ProtocolEvent(parameters) else { return nil }
      self = .changed(event)
    }
  }
}
