internal import Glibc
internal import SegueFrontend
internal import SegueSystem

/// The loop of the interface: it waits for the terminal, the daemon, signals and the next change of the view at once, passes
/// what happens to the model, and draws. It has no thread and no timer beside it, and sleeps while nothing happens.
final class InterfaceLoop {
  /// The time for which the first frame waits for the data of the daemon, so that no empty screen flashes up.
  private static let firstFrameDelay = MediaTime.milliseconds(15)

  private let display: Display
  private let signals: SignalDescriptor
  private let link: DaemonLink
  private let drawsPictures: Bool
  private let configurationFile: ConfigurationFile
  private var model: Model
  private var parser = InputParser()
  /// The time at which an incomplete sequence of input ends; nil if there is none.
  private var sequenceEnd: MonotonicTime?
  /// The time before which no frame is drawn; nil once the first one was.
  private var firstFrame: MonotonicTime?
  private var needsFrame = true
  /// The exit status, once the interface is to end.
  private var status: Int32?

  init(
    display: Display, signals: SignalDescriptor, link: DaemonLink, appearance: Appearance, drawsPictures: Bool,
    configurationPath: FilePath
  ) {
    self.display = display
    self.signals = signals
    self.link = link
    self.drawsPictures = drawsPictures && TerminalEnvironment.allowsColors
    configurationFile = ConfigurationFile(path: configurationPath)
    let (configuration, warnings) = InterfaceConfiguration.read(configurationPath)
    model = Model(
      size: display.size, appearance: appearance, configuration: configuration, warnings: warnings, at: .now)
    firstFrame = .now + Self.firstFrameDelay
  }

  /// Runs until the user quits, a signal ends the program, or the terminal is lost. Returns the exit status.
  func run() -> Int32 {
    if TerminalEnvironment.allowsColors { display.query(pictures: drawsPictures) }
    process(link.handleDeadline())
    while status == nil {
      let tick = model.nextTick
      let isFrameDue = needsFrame && (firstFrame.map { $0 <= .now || model.isComplete } ?? true)
      let (input, daemon, signal) = wait(
        until: [tick, link.deadline, sequenceEnd, needsFrame && !isFrameDue ? firstFrame : nil], isFrameDue: isFrameDue)
      if signal { handleSignals() }
      if input { readInput() }
      if daemon { process(link.handleInput()) }
      process(link.handleDeadline())
      if !input, let end = sequenceEnd, end <= .now {
        process(parser.endSequence().map(Event.input))
        renewSequenceEnd()
      }
      if let tick, tick <= .now { process([.tick]) }
    }
    display.leave()
    return status ?? 0
  }

  // MARK: Waiting

  /// Draws if a frame is due and the terminal reads, and waits for an event or the first of the times. The frame of a terminal
  /// that does not read is dropped: when it reads again, the newest state is drawn.
  private func wait(
    until times: [MonotonicTime?], isFrameDue: Bool
  ) -> (input: Bool, daemon: Bool, signal: Bool) {
    if isFrameDue, isTerminalWritable { draw() }
    let deadline = times.compactMap { $0 }.min()
    let milliseconds = deadline.map { Int32(clamping: (max(0, ($0 - .now).nanoseconds) + 999_999) / 1_000_000) } ?? -1
    let isBlocked = isFrameDue && needsFrame
    var entries = [
      pollfd(fd: 0, events: Int16(POLLIN), revents: 0), pollfd(fd: link.raw, events: Int16(POLLIN), revents: 0),
      pollfd(fd: signals.raw, events: Int16(POLLIN), revents: 0),
      pollfd(fd: isBlocked ? 1 : -1, events: Int16(POLLOUT), revents: 0),
    ]
    guard poll(&entries, nfds_t(entries.count), milliseconds) > 0 else { return (false, false, false) }
    return (entries[0].revents != 0, entries[1].revents != 0, entries[2].revents != 0)
  }

  private var isTerminalWritable: Bool {
    var entry = pollfd(fd: 1, events: Int16(POLLOUT), revents: 0)
    return poll(&entry, 1, 0) > 0
  }

  private func draw() {
    display.show(model.frame())
    needsFrame = false
    firstFrame = nil
  }

  // MARK: Events

  private func process(_ events: [Event]) {
    var events = events[...]
    while let event = events.popFirst() {
      needsFrame = true
      if case .input(.graphics(let terminal)) = event {
        let isUsable = terminal?.graphicsProtocol != .sixel || Sixel.isAvailable
        display.graphics = drawsPictures && isUsable ? terminal : nil
        for request in model.update(.input(.graphics(display.graphics)), at: .now) { events += perform(request) }
        continue
      }
      for request in model.update(event, at: .now) { events += perform(request) }
    }
  }

  private func perform(_ request: InterfaceRequest) -> [Event] {
    switch request {
    case .call(let call): return link.send(call)
    case .openLink(let url): return [Browser.open(url) ? .linkOpened(url) : .linkNotOpened(url)]
    case .save(let change):
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

  private func renewSequenceEnd() { sequenceEnd = parser.timeout.map { .now + $0 } }

  private func readInput() {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = read(0, &bytes, bytes.count)
    if count > 0 {
      process(parser.parse(bytes[..<count]).map(Event.input))
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
      case SIGCONT: process(resume())
      default: status = 128 + number
      }
    }
    if isResized { process(resizeEvents()) }
  }

  /// The event of a new size, if the terminal reports one.
  private func resizeEvents() -> [Event] {
    guard let size = Terminal.size(of: 1) else { return [] }
    display.resize(to: ScreenSize(rows: size.rows, columns: size.columns))
    return [.resized(display.size)]
  }

  /// Gives the terminal back and stops until the shell continues the program.
  private func suspend() -> [Event] {
    display.leave()
    SignalDescriptor.stopProcessGroup()
    return resume()
  }

  private func resume() -> [Event] {
    let size = Terminal.size(of: 1).map { ScreenSize(rows: $0.rows, columns: $0.columns) } ?? display.size
    display.reenter(size: size)
    return [.resized(size)]
  }
}
