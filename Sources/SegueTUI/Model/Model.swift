internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// The whole state of the interface as a value: events change it and yield requests, and `frame` draws it. It needs
/// neither a terminal nor a daemon.
struct Model {
  /// The number of rows that the mouse wheel scrolls.
  private static let wheelRows = 3

  private(set) var state: SharedState
  private var screens = ScreenStack()
  private var messages: ActionMessages
  /// The input that waits for the result of the last change.
  private var deferred = DeferredInput()
  private var clicks = ClickRecognizer()
  /// The scroll bar that the mouse drags; nil if it drags none.
  private var draggedBar: Area?
  /// The time at which the topics of the daemon are subscribed to; nil if they are, or if there is no connection.
  private var nextSubscription: MonotonicTime?
  /// Whether the program is about to be stopped, so that it shows nothing.
  private var isSuspended = false

  /// Creates the model. `warnings` are the errors in the file of the configuration.
  init(
    size: ScreenSize, appearance: Appearance, configuration: InterfaceConfiguration = InterfaceConfiguration(),
    warnings: [INIWarning] = [], at now: MonotonicTime
  ) {
    state = SharedState(size: size, appearance: appearance, configuration: configuration, now: now)
    messages = ActionMessages(
      configuration: warnings.isEmpty ? nil : .failure(ConfigurationMessages.summary(warnings)))
  }

  private var screen: any Screen {
    get { screens.top }
    set { screens.top = newValue }
  }

  /// Whether everything that the screen displays has arrived.
  var isComplete: Bool {
    guard let status = state.status else { return false }
    return status.length == 0 || state.queue.element(at: 0) != nil || !screens.isAtQueue
  }

  /// The time at which the view changes without an event; nil if nothing changes by itself. The last event has done
  /// everything that was due, or it cannot be done now, such as a request without a daemon.
  var nextTick: MonotonicTime? {
    let change = state.size.fitsScreens ? screen.nextChange(state) : state.nextSecond
    return [
      change, screens.background?.nextChange(state), state.nextSleepChange, state.sound.nextChange, deferred.deadline,
      state.queue.nextRetry, nextSubscription, state.answerDeadline,
    ]
    .compactMap { $0 }.filter { $0 > state.now }.min()
  }

  // MARK: Events

  /// Handles an event and returns what has to be done.
  mutating func update(_ event: Event, at now: MonotonicTime) -> [InterfaceRequest] {
    state.now = now
    state.sound.advance(to: now)
    messages.beginEvent()
    var requests: [InterfaceRequest] = []
    switch event {
    case .input(let input): requests += handle(input)
    case .resized(let size): (state.size, isSuspended) = (size, false)
    case .connected: nextSubscription = now
    case .disconnected(let error): disconnect(error)
    case .response(let call, let result): requests += receive(call, result.map(call.decode))
    case .changeNotSaved: messages.show(.failure(ClientError.changeNotSaved))
    case .changed(let event): state.update(event)
    case .pictureUnreadable(let path): state.covers.forget(path, at: now)
    case .colorRead(let path, let color): state.coverAccent.receive(color, of: path)
    case .configurationChanged(let configuration, let warnings):
      state.configuration = configuration
      if !warnings.isEmpty { messages.show(.failure(ConfigurationMessages.summary(warnings))) }
    case .saved(let error?): messages.show(.failure(ConfigurationMessages.notSaved(error)))
    case .linkOpened(let url): messages.show(.information(tr("The page is opened in the browser: %1$s", url)))
    case .linkNotOpened(let url):
      messages.show(
        .failure(tr("The page cannot be opened, because xdg-open is not installed. Its address is: %1$s", url)))
    case .suspended: isSuspended = true
    case .saved(nil), .tick: break
    }
    if let time = nextSubscription, time <= now {
      nextSubscription = nil
      requests.append(.call(.subscribe))
    }
    requests += prepareScreens()
    state.note(requests)
    return requests + performDeferredInput() + prepareSound()
  }

  private mutating func disconnect(_ error: ClientError) {
    state.disconnect(error)
    nextSubscription = nil
    deferred.removeAll()
    screens.updateAll { $0.disconnect() }
  }

  /// Takes over the response to a call, which any screen may await.
  private mutating func receive(_ call: DaemonCall, _ result: CallResult) -> [InterfaceRequest] {
    state.receive(call, result)
    switch result {
    case .failure(let error):
      if call == .subscribe { nextSubscription = state.now + .seconds(1) }
      // A loss of the connection is reported as such.
      if !call.isShownByScreens, error.exit != .noDaemon {
        messages.show(.failure(PlaybackMessages.failure(error, state)))
      }
    case .success(let value):
      // The message may be that there is no connection.
      if call == .subscribe { messages.remove() }
      if let success = CallMessages.success(call, value, state) { messages.show(success) }
    }
    var actions: [Action] = []
    let state = state
    screens.updateAll { actions += $0.receive(call, result, state) }
    return perform(actions)
  }

  /// Adapts the displayed screens to the state, and returns the calls for what they display.
  private mutating func prepareScreens() -> [InterfaceRequest] {
    var requests: [InterfaceRequest] = []
    if let prompt = screens.removePrompt() {
      requests += prepareScreen()
      screens.push(prompt)
    }
    return requests + prepareScreen()
  }

  private mutating func prepareScreen() -> [InterfaceRequest] {
    var prepared = screen
    prepared.setParent(screens.below)
    var calls: [DaemonCall] = []
    if state.isConnected, state.status != nil {
      if prepared.showsParent(state), var below = screens.below {
        calls = below.prepareBesideChild(state)
        screens.below = below
        prepared.setParent(below)
      }
      calls += prepared.prepare(&state)
    }
    prepared.fit(state)
    screen = prepared
    return calls.map(InterfaceRequest.call) + state.prepareAccent()
  }

  /// Returns the calls that have the sound sent while it is displayed.
  private mutating func prepareSound() -> [InterfaceRequest] {
    guard state.isConnected else { return [] }
    let isShown =
      (screens.background ?? screen).showsSound(state) && state.size.fitsScreens && !isSuspended
      && state.allowsVisualizer
    let requests = state.sound.prepare(isShown: isShown).map(InterfaceRequest.call)
    state.note(requests)
    return requests
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
        // An element before this one may have shown another screen, such as the help that was chosen twice.
        guard screen.possibleCommands.contains(command) else { continue }
        messages.beginAction()
        performed = perform(command)
      }
      let prepared = performed + prepareScreens()
      state.note(prepared)
      requests += prepared
    }
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
    case .graphics(let terminal), .tmux(let terminal):
      state.graphics = terminal
      return []
    // The driver displays the pictures in the new size.
    case .cellSize: return []
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
      let command = state.configuration.bindings.command(for: key, among: screen.commands)
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
    if screen.takesText, state.size.fitsScreens, let actions = screen.type(key, state) {
      return perform(actions)
    }
    guard let command = state.configuration.bindings.command(for: key, among: screen.commands) else {
      if !screen.takesText {
        messages.show(.information(ModelMessages.noFunction(key, state)))
      }
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
    case .help: return perform([.show(HelpScreen(screen, state.configuration.bindings, state))])
    case .showQueue:
      screens.showQueue()
      return []
    case .showVisualizer where screen is VisualizerScreen: return perform([.back])
    case .showVisualizer where state.allowsVisualizer: return perform([.show(VisualizerScreen())])
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
    if command == .seekTo { return perform([.show(SeekScreen())]) }
    if command == .sleepTimer { return perform([.show(SleepScreen())]) }
    if let call = PlaybackCommands.call(for: command, state) { return [.call(call)] }
    return perform(screen.perform(command, state))
  }

  /// Shows a main screen above the queue. The key of the displayed one shows its next tab.
  private mutating func showMain(_ command: Command, _ make: () -> any Screen) -> [InterfaceRequest] {
    if screens.isShowing(command) {
      return screen.commands.contains(.nextTab) ? perform(.nextTab) : []
    }
    screens.show(command, make)
    screen.adopt(state.configuration)
    // An output that was connected since the screen was displayed last is not announced.
    state.markOutdated([.output])
    return []
  }

  private func reasonDisabled(_ command: Command) -> String? {
    if command == .showPlayer { return ModelMessages.noCurrentTrack(state) }
    if command == .showVisualizer { return VisualizerMessages.disabled(state) }
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
      case .show(let shown):
        screens.push(shown)
        screen.adopt(state.configuration)
      case .back: screens.pop()
      case .backAndPerform(let command):
        screens.pop()
        requests += choose(command)
      case .showMessage(let message): messages.show(message)
      case .reload: state.markOutdated()
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
      if draggedBar != nil { return scroll(to: mouse.position) }
      guard state.dragged != nil, let area = frame().area(of: .progress) else { return [] }
      state.dragged = area.fraction(at: mouse.position.column)
      return []
    case .release where draggedBar != nil:
      draggedBar = nil
      return []
    case .release:
      guard let fraction = state.dragged else { return [] }
      state.dragged = nil
      return state.isConnected ? [.call(.seekTo(fraction: fraction))] : []
    }
  }

  /// Scrolls the list to the place of the mouse on its scroll bar.
  private mutating func scroll(to position: Position) -> [InterfaceRequest] {
    if let bar = draggedBar { screen.scroll(to: bar.fraction(atRow: position.row), state) }
    return []
  }

  private mutating func press(at position: Position) -> [InterfaceRequest] {
    messages.beginAction()
    (state.dragged, draggedBar) = (nil, nil)
    let found = frame().target(at: position)
    let isDouble = clicks.recognize(found?.target, at: position, state.now) == .double
    guard let (area, target) = found else { return [] }
    switch target {
    case .command(let command): return choose(command)
    case .tab(let tab): return perform(screen.click(tab: tab, state))
    case .scrollBar:
      draggedBar = area
      return scroll(to: position)
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

  /// Draws the displayed screen, the status line and the line of keys.
  func frame() -> TerminalFrame {
    var frame = TerminalFrame(state.size, palette: state.palette, showsCursor: state.appearance.isPlain)
    frame.title = state.terminalTitle
    guard state.size.fitsScreens else {
      SmallView.draw(&frame, state)
      if state.size.rows > 0 { displayedMessage?.drawSmall(&frame) }
      return frame
    }
    let row = state.size.rows - 2
    if let background = screens.background, !state.appearance.isPlain {
      background.draw(&frame, state)
      background.drawStatus(&frame, row: row, state)
    }
    screen.draw(&frame, state)
    if let message = displayedMessage {
      message.draw(&frame, endingAt: row, state)
    } else {
      screen.drawStatus(&frame, row: row, state)
    }
    KeyLine.draw(&frame, row: row + 1, screen, state)
    return frame
  }

  /// The message of the status line: about the last action, or about a lasting problem.
  private var displayedMessage: Message? {
    messages.displayed ?? state.connectionProblem ?? screen.problem(state) ?? state.outputProblem
  }
}

/// Something that changes the model.
enum Event {
  case input(InputEvent)
  case resized(ScreenSize)
  /// A connection to the daemon was made.
  case connected
  /// The connection was lost, or could not be made.
  case disconnected(ClientError)
  case response(DaemonCall, Result<JSON, ClientError>)
  /// The change of the last response is in effect, but could not be saved.
  case changeNotSaved
  case changed(ProtocolEvent)
  /// Another program has changed `ui.conf`, with these errors.
  case configurationChanged(InterfaceConfiguration, [INIWarning])
  /// A change of the configuration was written to `ui.conf`, or not because of an error.
  case saved(SystemError?)
  /// A page was passed to the browser, or not because there is no program for that.
  case linkOpened(String)
  case linkNotOpened(String)
  /// The file of a picture could not be read: other pictures may have taken its place in the cache.
  case pictureUnreadable(FilePath)
  /// The colour that stands out in a picture; nil if it has none.
  case colorRead(FilePath, RGBColor?)
  /// The program is about to be stopped. The next `resized` says that it runs again.
  case suspended
  /// The time that `Model.nextTick` has named is reached.
  case tick
}

/// Something that the model asks the driver to do.
enum InterfaceRequest: Equatable {
  case call(DaemonCall)
  case save(ConfigurationChange)
  case openLink(String)
  /// Finds the colour that stands out in a picture.
  case readColor(FilePath)
  case quit
  case suspend
  case redraw
}
