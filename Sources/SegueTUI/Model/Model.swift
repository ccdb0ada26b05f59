internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// The whole state of the interface as a value: events change it and yield requests, and `frame` draws it. It needs
/// neither a terminal nor a daemon.
struct Model {
  private(set) var state: SharedState
  private var interaction: Interaction
  /// The time at which a failed subscription is repeated; nil if none has failed.
  private var nextSubscription: MonotonicTime?

  /// Creates the model. `warnings` are the errors in the file of the configuration.
  init(
    size: ScreenSize, appearance: Appearance, configuration: InterfaceConfiguration = InterfaceConfiguration(),
    warnings: [INIWarning] = [], at now: MonotonicTime
  ) {
    state = SharedState(size: size, appearance: appearance, configuration: configuration, now: now)
    interaction = Interaction(
      configurationMessage: warnings.isEmpty ? nil : .failure(ConfigurationMessages.summary(warnings)))
  }

  /// Whether everything that the screen displays has arrived.
  var isComplete: Bool {
    guard let status = state.status else { return false }
    return status.length == 0 || state.queue.element(at: 0) != nil || !interaction.isAtQueue
  }

  /// Handles an event and returns what has to be done.
  mutating func update(_ event: Event, at now: MonotonicTime) -> [InterfaceRequest] {
    state.now = now
    interaction.beginEvent()
    var requests: [InterfaceRequest] = []
    switch event {
    case .input(let input): requests += interaction.handle(input, &state)
    case .resized(let size): state.size = size
    case .connected:
      requests.append(subscribe())
    case .disconnected(let error): disconnect(error)
    case .response(let call, let result):
      state.unanswered.remove(call)
      requests += receive(call, result.map(call.decode))
    case .changeNotSaved: interaction.show(.failure(ClientError.changeNotSaved))
    case .playerChanged(let status): state.update(status)
    case .queueChanged(let version, let length): state.queue.update(version: version, length: length)
    case .libraryChanged(let library): state.update(library)
    case .listChanged(let topic, let version): state.announce(topic, version: version)
    case .settingsChanged(let settings): state.settings = settings
    case .pictureUnreadable(let path): state.covers.forget(path, at: now)
    case .saved(let error?):
      interaction.show(
        .failure(
          tr(
            "The setting applies now but is not saved, because ui.conf cannot be written: %1$s. "
              + "Check the permissions of the folder ~/.config/segue.", error.translatedReason)))
    case .linkOpened(let url): interaction.show(.information(tr("The page is opened in the browser: %1$s", url)))
    case .linkNotOpened(let url):
      interaction.show(
        .failure(tr("The page cannot be opened, because xdg-open is not installed. Its address is: %1$s", url)))
    case .saved(nil), .tick: break
    }
    if let time = nextSubscription, time <= now { requests.append(subscribe()) }
    requests += interaction.prepareScreen(&state)
    state.note(requests)
    return requests + interaction.performDeferredInput(&state)
  }

  /// The time at which the view changes without an event; nil if nothing changes by itself. The last event has done
  /// everything that was due, or it cannot be done now, such as a request without a daemon.
  var nextTick: MonotonicTime? {
    let others = [state.queue.nextRetry, nextSubscription, state.answerDeadline].compactMap { $0 }
    return (interaction.nextChanges(state) + others).filter { $0 > state.now }.min()
  }

  // MARK: The daemon

  private mutating func subscribe() -> InterfaceRequest {
    nextSubscription = nil
    return .call(.subscribe)
  }

  private mutating func disconnect(_ error: ClientError) {
    state.disconnect(error)
    nextSubscription = nil
    interaction.disconnect()
  }

  private mutating func receive(_ call: DaemonCall, _ result: CallResult) -> [InterfaceRequest] {
    state.receive(call, result)
    if call == .subscribe {
      switch result {
      case .success: interaction.connect()
      case .failure: nextSubscription = state.now + .seconds(1)
      }
    }
    return interaction.receive(call, result, &state)
  }

  // MARK: The view

  /// Draws the model.
  func frame() -> TerminalFrame { interaction.frame(state) }
}
