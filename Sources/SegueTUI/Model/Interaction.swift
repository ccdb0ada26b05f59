internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// The interaction with the user: the screens and the messages that are displayed, and the input that performs commands
/// on them.
struct Interaction {
  /// The number of rows that the mouse wheel scrolls.
  private static let wheelRows = 3

  private var screens = ScreenStack()
  private var messages: ActionMessages
  /// The input that waits for the result of the last change.
  private var deferred = DeferredInput()
  private var clicks = ClickRecognizer()

  /// Creates the interaction, which begins with a message about errors in the configuration; nil if there are none.
  init(configurationMessage: Message?) { messages = ActionMessages(configuration: configurationMessage) }

  private var screen: any Screen {
    get { screens.top }
    set { screens.top = newValue }
  }

  var isAtQueue: Bool { screens.isAtQueue }

  /// Returns the times at which the view or the input that waits changes without an event.
  func nextChanges(_ state: SharedState) -> [MonotonicTime] {
    let change = state.size.fitsScreens ? screen.nextChange(state) : state.nextSecond
    return [change, deferred.deadline].compactMap { $0 }
  }

  // MARK: Events

  /// Begins an event, before anything else handles it.
  mutating func beginEvent() { messages.beginEvent() }

  mutating func show(_ message: Message) { messages.show(message) }

  /// Takes over a new connection to the daemon. The message may be that there is none.
  mutating func connect() { messages.remove() }

  /// Takes over the loss of the connection to the daemon.
  mutating func disconnect() {
    deferred.removeAll()
    screens.updateAll { $0.disconnect() }
  }

  /// Takes over the response to a call, which any screen may await.
  mutating func receive(
    _ call: DaemonCall, _ result: CallResult, _ state: inout SharedState
  ) -> [InterfaceRequest] {
    switch result {
    case .failure(let error):
      // A loss of the connection is reported as such.
      if !call.isShownByScreens, error.exit != .noDaemon { messages.show(.failure(PlaybackMessages.failure(error))) }
    case .success(let value):
      if let success = CallMessages.success(call, value) { messages.show(success) }
    }
    var actions: [Action] = []
    screens.updateAll { actions += $0.receive(call, result, state) }
    return perform(actions, &state)
  }

  /// Adapts the displayed screen to the state, and returns the calls for what it displays.
  mutating func prepareScreen(_ state: inout SharedState) -> [InterfaceRequest] {
    var prepared = screen
    var calls: [DaemonCall] = []
    if state.isConnected, state.status != nil { calls = prepared.prepare(&state) }
    prepared.fit(state)
    screen = prepared
    return calls.map(InterfaceRequest.call)
  }

  /// Performs the input that has waited, as far as the screen shows the result of the last change.
  mutating func performDeferredInput(_ state: inout SharedState) -> [InterfaceRequest] {
    var requests: [InterfaceRequest] = []
    if let deadline = deferred.deadline, deadline <= state.now {
      deferred.removeAll()
      messages.show(.failure(ModelMessages.keysDiscarded))
    }
    while let element = deferred.first {
      let performed: [InterfaceRequest]
      switch element {
      case .key(let key):
        guard isReady(for: key, state) else { return requests }
        deferred.removeFirst(at: state.now)
        performed = perform(key, &state)
      case .command(let command):
        guard isReady(for: command, state) else { return requests }
        deferred.removeFirst(at: state.now)
        messages.beginAction()
        performed = perform(command, &state)
      }
      let prepared = performed + prepareScreen(&state)
      state.note(prepared)
      requests += prepared
    }
    return requests
  }

  // MARK: Input

  mutating func handle(_ input: InputEvent, _ state: inout SharedState) -> [InterfaceRequest] {
    switch input {
    case .key(let key): return handle(key, &state)
    case .mouse(let mouse): return handle(mouse, &state)
    case .paste(let text):
      guard screen.takesText, state.size.fitsScreens else { return [] }
      messages.beginAction()
      return perform(screen.paste(text, state), &state)
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

  private mutating func handle(_ key: Key, _ state: inout SharedState) -> [InterfaceRequest] {
    state.dragged = nil
    // Keys keep their order, but Ctrl-C and its kind must always work.
    if !key.modifiers.contains(.control), !deferred.isEmpty || !isReady(for: key, state) {
      if key.code == .escape { deferred.removeAll() } else { deferred.append(.key(key), at: state.now) }
      return []
    }
    return perform(key, &state)
  }

  /// Returns whether the command of a key acts on what the user sees.
  private func isReady(for key: Key, _ state: SharedState) -> Bool {
    guard !screen.takesText,
      let command = state.configuration.bindings.command(for: key, among: screen.commands)
    else { return true }
    return isReady(for: command, state)
  }

  /// Returns whether a command acts on what the user sees.
  private func isReady(for command: Command, _ state: SharedState) -> Bool {
    !state.isConnected || !state.size.fitsScreens || screen.isReady(for: command, state)
  }

  /// Performs a command that was chosen with the mouse or in the help, after the input that waits.
  private mutating func choose(_ command: Command, _ state: inout SharedState) -> [InterfaceRequest] {
    if deferred.isEmpty, isReady(for: command, state) { return perform(command, &state) }
    deferred.append(.command(command), at: state.now)
    return []
  }

  private mutating func perform(_ key: Key, _ state: inout SharedState) -> [InterfaceRequest] {
    messages.beginAction()
    if screen.takesText, state.size.fitsScreens, let actions = screen.type(key, state) {
      return perform(actions, &state)
    }
    guard let command = state.configuration.bindings.command(for: key, among: screen.commands) else {
      if !screen.takesText {
        messages.show(.information(tr("The key %1$s has no function here. The key ? lists all keys.", key.label)))
      }
      return []
    }
    return perform(command, &state)
  }

  /// Performs a command of the displayed screen, or says why that is not possible.
  private mutating func perform(_ command: Command, _ state: inout SharedState) -> [InterfaceRequest] {
    guard state.size.fitsScreens || command.needsNoScreen else {
      messages.show(.information(ModelMessages.tooSmall))
      return []
    }
    switch command {
    case .quit: return [.quit]
    case .suspend: return [.suspend]
    case .redraw: return [.redraw]
    case .back: return perform([.back], &state)
    case .help: return perform([.show(HelpScreen(screen, state.configuration.bindings, state))], &state)
    case .showQueue:
      screens.showQueue()
      return []
    case .showPlayer where screen is PlayerScreen:
      messages.show(.information(ModelMessages.alreadyDisplayed))
      return []
    case .showPlayer where state.status?.track != nil: return perform([.show(PlayerScreen())], &state)
    default: break
    }
    if let make = command.mainScreen { return showMain(command, make, &state) }
    if let reason = reasonDisabled(command, state) {
      messages.show(.information(reason))
      return []
    }
    if let status = state.status, let call = PlaybackCommands.call(for: command, status) { return [.call(call)] }
    return perform(screen.perform(command, state), &state)
  }

  /// Shows a main screen above the queue. The key of the displayed one shows its next tab.
  private mutating func showMain(
    _ command: Command, _ make: () -> any Screen, _ state: inout SharedState
  ) -> [InterfaceRequest] {
    if screens.isShowing(command) {
      return screen.commands.contains(.nextTab) ? perform(.nextTab, &state) : []
    }
    screens.show(command, make)
    // An output that was connected since the screen was displayed last is not announced.
    state.markOutdated([.output])
    return []
  }

  private func reasonDisabled(_ command: Command, _ state: SharedState) -> String? {
    if command == .showPlayer { return ModelMessages.noCurrentTrack(state) }
    return Command.playback.contains(command)
      ? PlaybackCommands.reasonDisabled(command, state) : screen.reasonDisabled(command, state)
  }

  private mutating func perform(_ actions: [Action], _ state: inout SharedState) -> [InterfaceRequest] {
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
        if messages.confirm(confirmation) { requests += perform(confirmation.calls.map(Action.call), &state) }
      case .show(let shown): screens.push(shown)
      case .back: screens.pop()
      case .backAndPerform(let command):
        screens.pop()
        requests += choose(command, &state)
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

  private mutating func handle(_ mouse: MouseEvent, _ state: inout SharedState) -> [InterfaceRequest] {
    guard state.size.fitsScreens || mouse.action == .press else {
      state.dragged = nil
      return []
    }
    switch mouse.action {
    case .wheelUp: return perform(screen.scroll(by: -Self.wheelRows, state), &state)
    case .wheelDown: return perform(screen.scroll(by: Self.wheelRows, state), &state)
    case .press: return press(at: mouse.position, &state)
    case .drag:
      guard state.dragged != nil, let area = frame(state).area(of: .progress) else { return [] }
      state.dragged = area.fraction(at: mouse.position.column)
      return []
    case .release:
      guard let fraction = state.dragged else { return [] }
      state.dragged = nil
      return state.isConnected ? [.call(.seekTo(fraction: fraction))] : []
    }
  }

  private mutating func press(at position: Position, _ state: inout SharedState) -> [InterfaceRequest] {
    messages.beginAction()
    state.dragged = nil
    let found = frame(state).target(at: position)
    let isDouble = clicks.recognize(found?.target, at: position, state.now) == .double
    guard let (area, target) = found else { return [] }
    switch target {
    case .command(let command): return choose(command, &state)
    case .tab(let tab): return perform(screen.click(tab: tab, state), &state)
    case .row(let row): return perform(screen.click(row: row, isDouble: isDouble, state), &state)
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
  func frame(_ state: SharedState) -> TerminalFrame {
    var frame = TerminalFrame(state.size, palette: state.palette, showsCursor: state.appearance.isPlain)
    guard state.size.fitsScreens else {
      SmallView.draw(&frame, state)
      if state.size.rows > 0 { displayedMessage(state)?.drawSmall(&frame) }
      return frame
    }
    screen.draw(&frame, state)
    let row = state.size.rows - 2
    if let message = displayedMessage(state) {
      message.draw(&frame, endingAt: row, state)
    } else {
      screen.drawStatus(&frame, row: row, state)
    }
    KeyLine.draw(&frame, row: row + 1, screen, state.configuration.bindings)
    return frame
  }

  /// The message of the status line: about the last action, or about a lasting problem.
  private func displayedMessage(_ state: SharedState) -> Message? {
    messages.displayed ?? state.connectionProblem ?? screen.problem(state) ?? state.outputProblem
  }
}
