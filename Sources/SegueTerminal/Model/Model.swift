internal import SegueFrontend
internal import SegueSystem
internal import SegueWire

/// The whole state of the interface as a value: events change it and yield requests, and `frame` draws it. It needs neither a
/// terminal nor a daemon.
struct Model {
  private(set) var state: SharedState
  private(set) var screens = ScreenStack()
  private var messages: ActionMessages
  /// The time at which a failed subscription is repeated; nil if none has failed.
  private var nextSubscription: MonotonicTime?
  /// The input that waits for the result of the last change.
  private var deferred = DeferredInput()
  /// The time without an answer after which the status line says so.
  private static let answerTime = MediaTime.seconds(3)
  private var clicks = ClickRecognizer()
  /// The number of rows that the mouse wheel scrolls.
  private static let wheelRows = 3

  /// Creates the model. `warnings` are the errors in the file of the configuration.
  init(
    size: ScreenSize, appearance: Appearance, configuration: InterfaceConfiguration = InterfaceConfiguration(),
    warnings: [INIWarning] = [], at now: MonotonicTime
  ) {
    state = SharedState(size: size, appearance: appearance, configuration: configuration, now: now)
    messages = ActionMessages(
      configuration: warnings.isEmpty ? nil : .failure(ConfigurationMessages.summary(warnings)))
  }

  private var bindings: KeyBindings { state.configuration.bindings }

  private var screen: any Screen {
    get { screens.top }
    set { screens.top = newValue }
  }

  /// Whether everything that the screen displays has arrived.
  var isComplete: Bool {
    guard let status = state.status else { return false }
    return status.length == 0 || state.queue.element(at: 0) != nil || !screens.isAtQueue
  }

  /// Handles an event and returns what has to be done.
  mutating func update(_ event: Event, at now: MonotonicTime) -> [InterfaceRequest] {
    state.now = now
    messages.beginEvent()
    var requests: [InterfaceRequest] = []
    switch event {
    case .input(let input): requests += handle(input)
    case .resized(let size): state.size = size
    case .connected:
      state.connection = .connected
      // The message may be that there is no connection.
      messages.remove()
      requests.append(subscribe())
    case .disconnected(let error): disconnect(error)
    case .response(let call, let result):
      state.unanswered.remove(call)
      requests += receive(call, result)
    case .playerChanged(let status): change(status)
    case .queueChanged(let version, let length): state.announceQueue(version: version, length: length)
    case .libraryChanged(let library): state.update(library)
    case .settingsChanged(let settings): state.settings = settings
    case .saved(let error?): messages.show(.failure(SettingsMessages.notSaved(error.translatedReason)))
    case .linkOpened(let url): messages.show(.information(DetailsMessages.linkOpened(url)))
    case .linkNotOpened(let url): messages.show(.failure(DetailsMessages.linkNotOpened(url)))
    case .saved(nil), .tick: break
    }
    if let time = nextSubscription, time <= now { requests.append(subscribe()) }
    requests += prepareScreen()
    note(requests)
    return requests + performDeferredInput()
  }

  /// Adapts the displayed screen to the state, and returns the calls for what it displays.
  private mutating func prepareScreen() -> [InterfaceRequest] {
    var prepared = screen
    var calls: [DaemonCall] = []
    if state.isConnected, state.status != nil { calls = prepared.prepare(&state) }
    prepared.fit(state)
    screen = prepared
    return calls.map(InterfaceRequest.call)
  }

  /// Remembers the calls among the requests as unanswered.
  private mutating func note(_ requests: [InterfaceRequest]) {
    for case .call(let call) in requests { state.unanswered.add(call, at: state.now) }
  }

  /// Performs the input that has waited, as far as the screen shows the result of the last change.
  private mutating func performDeferredInput() -> [InterfaceRequest] {
    var requests: [InterfaceRequest] = []
    if let deadline = deferred.deadline, deadline <= state.now {
      deferred.removeAll()
      messages.show(.failure(ModelMessages.keysDiscarded))
    }
    while let element = deferred.first {
      let performed: [InterfaceRequest]
      switch element {
      case .key(let key):
        guard isReady(for: key) else { return requests }
        deferred.removeFirst(at: state.now)
        performed = perform(key)
      case .command(let command):
        guard isReady(for: command) else { return requests }
        deferred.removeFirst(at: state.now)
        messages.beginAction()
        performed = perform(command)
      }
      let prepared = performed + prepareScreen()
      note(prepared)
      requests += prepared
    }
    return requests
  }

  /// Returns the time at which the view changes without an event; nil if nothing changes by itself.
  var nextTick: MonotonicTime? {
    let change = state.size.fitsScreens ? screen.nextChange(state) : state.nextSecond
    let answerDeadline = state.unanswered.oldest.map { $0 + Self.answerTime }.flatMap { $0 > state.now ? $0 : nil }
    return [change, state.queue.nextRetry, nextSubscription, deferred.deadline, answerDeadline].compactMap { $0 }
      .min()
  }

  // MARK: The daemon

  private mutating func subscribe() -> InterfaceRequest {
    nextSubscription = nil
    return .call(.subscribe)
  }

  private mutating func change(_ status: Status) {
    var status = status
    // The screens calculate with these numbers, which a faulty daemon may choose freely.
    status.length = ListLimits.limited(status.length)
    if let index = status.index, !(0..<status.length ~= index) { status.index = nil }
    state.update(status)
    state.queue.update(version: status.version, length: status.length)
  }

  private mutating func disconnect(_ error: ClientError) {
    state.connection = .lost(error)
    nextSubscription = nil
    state.unanswered.removeAll()
    deferred.removeAll()
    state.dragged = nil
    // Nothing plays without a daemon, and its responses will not come.
    if let position = state.status?.position(at: state.now) {
      state.status?.position = position
      state.status?.rate = 0
    }
    state.queue.markOutdated()
    state.lyrics.reset()
    state.covers.disconnect()
    state.settings = []
    state.markLibraryOutdated()
    screens.updateAll { $0.disconnect() }
  }

  private mutating func receive(_ call: DaemonCall, _ result: Result<JSON, ClientError>) -> [InterfaceRequest] {
    switch (call, result) {
    case (.subscribe, .success(let snapshot)):
      if let status = snapshot["status"].map({ Status($0) }) {
        change(status)
        state.beginAnnouncements(at: status.version)
      }
      if let library = snapshot["library"] { state.update(LibraryStatus(library)) }
      if let settings = snapshot["settings"] { state.settings = SettingList(settings).settings }
      return []
    case (.read(.queue, .page(let number)), .success(let page)):
      state.queue.receive(
        page: number, page.list("tracks"), version: UInt64(clamping: page["version"]?.integer ?? 0),
        total: page["total"]?.int ?? 0)
    case (.read(.queue, .page(let number)), .failure(let error)):
      state.queue.fail(page: number, error, at: state.now)
    case (.lyrics(let uri), .success(let lyrics)): state.lyrics.receive(Lyrics(lyrics), for: uri)
    case (.lyrics(let uri), .failure): state.lyrics.receive(nil, for: uri)
    case (.cover(let request), .success(let art)): state.covers.receive(Art(art), for: request, at: state.now)
    case (.cover(let request), .failure): state.covers.receive(nil, for: request, at: state.now)
    // The screens take these over, and show their failures in place of the list.
    case (.read, _), (.locate, _): break
    case (.catalog, _), (.details, _), (.hints, _), (.suggestions, _): break
    case (.subscribe, .failure(let error)):
      messages.show(.failure(PlaybackMessages.failure(error)))
      nextSubscription = state.now + .seconds(1)
    case (_, .failure(let error)):
      // A loss of the connection is reported as such.
      if error.exit != .noDaemon { messages.show(.failure(PlaybackMessages.failure(error))) }
    case (_, .success(let result)):
      // The methods of playback return the new state before the event that follows.
      if result["state"] != nil { change(Status(result)) }
      // So do those that change the queue.
      let queue = result["queue"] ?? result
      if call.changesQueue, let version = queue["version"]?.integer, let length = queue["length"]?.int {
        state.queue.update(version: UInt64(clamping: version), length: length)
      }
      if call.changesLibrary { state.markLibraryOutdated() }
      if let success = CallMessages.success(call, result) { messages.show(success) }
    }
    var requests: [InterfaceRequest] = []
    let state = state
    var actions: [Action] = []
    screens.updateAll { actions += $0.receive(call, result, state) }
    requests += perform(actions)
    return requests
  }

  // MARK: Input

  private mutating func handle(_ input: InputEvent) -> [InterfaceRequest] {
    switch input {
    case .key(let key): return handle(key)
    case .mouse(let mouse): return handle(mouse)
    case .paste(let text):
      guard screen.takesText, state.size.fitsScreens else { return [] }
      messages.beginAction()
      return perform(screen.paste(text, state))
    case .focus(let isGained):
      // The release of the mouse is not reported to a window without the focus.
      if !isGained { state.dragged = nil }
      // The multiplexer or the terminal may have lost pictures meanwhile.
      return isGained && state.graphics != nil ? [.redraw] : []
    case .graphics(let terminal):
      state.graphics = terminal
      return []
    case .background(let brightness):
      state.background = brightness
      return []
    }
  }

  private mutating func handle(_ key: Key) -> [InterfaceRequest] {
    state.dragged = nil
    // Keys keep their order, but Ctrl-C and its kind must always work.
    if !key.modifiers.contains(.control), !deferred.isEmpty || !isReady(for: key) {
      if key.code == .escape { deferred.removeAll() } else { deferred.append(.key(key), at: state.now) }
      return []
    }
    return perform(key)
  }

  /// Returns whether the command of a key acts on what the user sees.
  private func isReady(for key: Key) -> Bool {
    guard !screen.takesText,
      let command = bindings.command(for: key, among: screen.commands)
    else { return true }
    return isReady(for: command)
  }

  /// Returns whether a command acts on what the user sees.
  private func isReady(for command: Command) -> Bool {
    !state.isConnected || !state.size.fitsScreens || screen.isReady(for: command, state)
  }

  /// Performs a command that was chosen with the mouse or in the help, after the input that waits.
  private mutating func choose(_ command: Command) -> [InterfaceRequest] {
    if deferred.isEmpty, isReady(for: command) { return perform(command) }
    deferred.append(.command(command), at: state.now)
    return []
  }

  private mutating func perform(_ key: Key) -> [InterfaceRequest] {
    messages.beginAction()
    if screen.takesText, state.size.fitsScreens, let actions = screen.type(key, state) { return perform(actions) }
    guard let command = bindings.command(for: key, among: screen.commands) else {
      if !screen.takesText { messages.show(.information(ModelMessages.unknownKey(key.name))) }
      return []
    }
    return perform(command)
  }

  /// Performs a command of the displayed screen, or says why that is not possible.
  private mutating func perform(_ command: Command) -> [InterfaceRequest] {
    guard state.size.fitsScreens || command.needsNoScreen else {
      messages.show(.information(ModelMessages.tooSmall))
      return []
    }
    switch command {
    case .quit: return [.quit]
    case .suspend: return [.suspend]
    case .redraw: return [.redraw]
    case .back: return perform([.back])
    case .help: return perform([.show(HelpScreen(screen, bindings, state))])
    case .showQueue:
      screens.showQueue()
      return []
    case .showPlayer where screen is PlayerScreen:
      messages.show(.information(ModelMessages.alreadyDisplayed))
      return []
    case .showPlayer where state.status?.track != nil: return perform([.show(PlayerScreen())])
    default: break
    }
    if let make = command.mainScreen { return showMain(command, make) }
    if let reason = reasonDisabled(command) {
      messages.show(.information(reason))
      return []
    }
    if let status = state.status, let call = PlaybackCommands.call(for: command, status) { return [.call(call)] }
    return perform(screen.perform(command, state))
  }

  /// Shows a main screen above the queue. The key of the displayed one shows its next tab.
  private mutating func showMain(_ command: Command, _ make: () -> any Screen) -> [InterfaceRequest] {
    if screens.isShowing(command) {
      return screen.commands.contains(.nextTab) ? perform(.nextTab) : []
    }
    screens.show(command, make)
    // Not every change since the screen was displayed last is announced.
    state.markLibraryOutdated()
    return []
  }

  private func reasonDisabled(_ command: Command) -> String? {
    if command == .showPlayer { return ModelMessages.noCurrentTrack }
    return Command.playback.contains(command)
      ? PlaybackCommands.reasonDisabled(command, state) : screen.reasonDisabled(command, state)
  }

  private mutating func perform(_ actions: [Action]) -> [InterfaceRequest] {
    var requests: [InterfaceRequest] = []
    for action in actions {
      switch action {
      case .call(let call):
        if state.isConnected {
          requests.append(.call(call))
        } else {
          messages.show(.information(PlaybackMessages.noDaemon))
        }
      case .confirm(let confirmation):
        if messages.confirm(confirmation) { requests += perform(confirmation.calls.map(Action.call)) }
      case .show(let shown): screens.push(shown)
      case .back: screens.pop()
      case .backAndPerform(let command):
        screens.pop()
        requests += choose(command)
      case .showMessage(let message): messages.show(message)
      case .reload: state.markLibraryOutdated()
      case .openLink(let url): requests.append(.openLink(url))
      case .configure(let change):
        change.apply(to: &state.configuration)
        requests.append(.save(change))
      }
    }
    return requests
  }

  private mutating func handle(_ mouse: MouseEvent) -> [InterfaceRequest] {
    guard state.size.fitsScreens || mouse.action == .press else {
      state.dragged = nil
      return []
    }
    switch mouse.action {
    case .wheelUp: return perform(screen.scroll(by: -Self.wheelRows, state))
    case .wheelDown: return perform(screen.scroll(by: Self.wheelRows, state))
    case .press: return press(at: mouse.position)
    case .drag:
      guard state.dragged != nil, let area = frame().area(of: .progress) else { return [] }
      state.dragged = area.fraction(at: mouse.position.column)
      return []
    case .release:
      guard let fraction = state.dragged else { return [] }
      state.dragged = nil
      return state.isConnected ? [.call(.seekTo(fraction: fraction))] : []
    }
  }

  private mutating func press(at position: Position) -> [InterfaceRequest] {
    messages.beginAction()
    state.dragged = nil
    let found = frame().target(at: position)
    let isDouble = clicks.recognize(found?.target, at: position, state.now) == .double
    guard let (area, target) = found else { return [] }
    switch target {
    case .command(let command): return choose(command)
    case .tab(let tab): return perform(screen.click(tab: tab, state))
    case .row(let row): return perform(screen.click(row: row, isDouble: isDouble, state))
    case .progress:
      if let reason = PlaybackCommands.reasonDisabled(.seekForward, state) {
        messages.show(.information(reason))
      } else {
        state.dragged = area.fraction(at: position.column)
      }
      return []
    }
  }

  // MARK: The view

  /// Draws the model.
  func frame() -> Frame {
    var frame = Frame(state.size, palette: state.palette)
    guard state.size.fitsScreens else {
      if let displayedMessage {
        frame.grid.write(displayedMessage.text, row: 0, column: 0)
      } else {
        SmallView.draw(&frame, state)
      }
      return frame
    }
    screen.draw(&frame, state)
    let row = state.size.rows - 2
    if let displayedMessage {
      draw(displayedMessage, endingAt: row, &frame)
    } else {
      screen.drawStatus(&frame, row: row, state)
    }
    KeyLine.draw(&frame, row: row + 1, screen, bindings)
    return frame
  }

  /// Draws a message into the status line. A long one covers lines above it, too, and hides the pictures there.
  private func draw(_ message: Message, endingAt last: Int, _ frame: inout Frame) {
    let isFailure = message.kind == .failure
    let look = isFailure ? state.appearance.look(.red, .bold) : Look.bold
    let columns = state.size.columns
    let lines = ((isFailure ? "! " : "") + message.text).visible.wrapped(to: columns - 2).prefix(3)
    frame.removePictures(below: last - lines.count)
    for (index, line) in lines.enumerated() {
      let row = last - lines.count + 1 + index
      frame.grid.write(String(repeating: " ", count: columns), row: row, column: 0)
      frame.grid.write(line, row: row, column: 1, look: look)
    }
  }

  /// The message of the status line: about the last action, or about a lasting problem.
  private var displayedMessage: Message? {
    if let message = messages.displayed { return message }
    switch state.connection {
    case .connecting: return .information(PlaybackMessages.connecting)
    case .lost(let error): return .failure(PlaybackMessages.lost(error))
    case .connected: break
    }
    if let oldest = state.unanswered.oldest, state.now - oldest >= Self.answerTime {
      return .failure(PlaybackMessages.noAnswer)
    }
    if let problem = screen.problem(state) { return problem }
    guard let output = state.status?.output, output.state == .lost else { return nil }
    return .failure(PlaybackMessages.lost(output))
  }
}

/// The messages of the model itself.
enum ModelMessages {
  static var noCurrentTrack: String { tr("There is no current track. Choose one with Enter.") }

  static var keysDiscarded: String {
    tr("The list does not show the last change yet. The keys that you have pressed since then are ignored.")
  }

  static var alreadyDisplayed: String { tr("This screen is displayed already.") }

  static var tooSmall: String { tr("The terminal is too small for this key.") }

  static func unknownKey(_ name: String) -> String {
    tr("The key %1$s has no function here. The key ? lists all keys.", name)
  }
}
