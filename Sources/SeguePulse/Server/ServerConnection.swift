// Thread: the pulse thread.
internal import SegueOutput
internal import SegueSystem
internal import SegueWire

/// A delegate that adapts playback to the state of the connection.
protocol ServerConnectionDelegate: AnyObject {
  func connectionIsReady()
  /// The connection failed: its streams are gone. `reason` is nil if no sound is wanted, or if the loss was emitted
  /// before.
  func connectionFailed(loss reason: LocalizableMessage?)
  /// Whether the server owes the stream a response, or a request for more sound.
  var isStreamActivityExpected: Bool { get }
  func requestTiming()
  /// The server or its sink hangs, and the position since `lastSign` is unknown. Returns false if a fade had to be
  /// finished first: the server then gets another period.
  func outputHangs(since lastSign: MonotonicTime) -> Bool
  func sinkInputChanged(_ index: UInt32)
  func sinkAppeared()
  /// Returns the index of the sink on which the stream plays, or will play once it is moved or opened.
  func currentSink(of sinks: [SinkDescription]) -> Int?
}

/// A connection to the sound server that is retried with backoff for as long as sound is wanted, and watched for a
/// server that hangs.
final class ServerConnection {
  private enum State {
    case disconnected
    /// The next attempt starts when the timer fires, or when the server's socket appears.
    case waiting(PulseContext, PulseTimer)
    /// Connecting, or ready.
    case started(PulseContext)
  }

  /// A reason to keep the connection.
  private enum Demand {
    /// No sound is wanted. The connection may still serve requests for the list of sinks.
    case none
    /// Sound is wanted: a lost server is looked for again.
    case sound
    /// Sound is wanted, and `lost` was emitted without a `connected` since.
    case soundAfterLoss
  }

  private let loop: PulseLoop
  private let applicationName: String
  private let server: String?
  private let emit: (SinkEvent) -> Void
  weak var delegate: (any ServerConnectionDelegate)?

  private var state = State.disconnected
  private var demand = Demand.none
  private var backoff = Backoff(.milliseconds(50)...(.seconds(10)))
  /// The maximum delay where no event announces a new server. Otherwise, attempts only serve as a fallback.
  private static let maximumDelayWithoutWatch = MediaTime.milliseconds(500)
  /// The watch that detects the socket of a server that starts; nil unless a server is looked for.
  private var socketWatch: ServerSocketWatch?
  private lazy var watchdog = LivenessWatchdog(self)
  /// The timer until the next attempt to open a stream, after none could be opened.
  private var streamRetry: PulseTimer?
  private let listRequests: SinkListRequests

  /// - Parameter server: as in `PULSE_SERVER`; nil for the server that libpulse finds.
  init(_ loop: PulseLoop, applicationName: String, server: String?, emit: @escaping (SinkEvent) -> Void) {
    self.loop = loop
    self.applicationName = applicationName
    self.server = server
    self.emit = emit
    listRequests = SinkListRequests(emit)
  }

  /// The context, ready or not; nil while there is none.
  var context: PulseContext? {
    switch state {
    case .disconnected: nil
    case .waiting(let context, _), .started(let context): context
    }
  }

  var isReady: Bool { context?.isReady == true }

  // MARK: Demand

  var isSoundWanted: Bool {
    switch demand {
    case .none: false
    case .sound, .soundAfterLoss: true
    }
  }

  /// Records that sound is wanted. `connect` must follow.
  func demandSound() {
    switch demand {
    case .none: demand = .sound
    case .sound, .soundAfterLoss: break
    }
  }

  /// Stops looking for a server, because no sound is wanted any more. A connection that is ready stays until
  /// `closeIfUnused`.
  func endDemand() {
    demand = .none
    stopConnecting()
  }

  // MARK: Connecting

  /// Connects at once unless a connection is ready or being made.
  func connect() {
    switch state {
    case .disconnected: if let context = makeContext() { start(context) }
    case .waiting(let context, _): start(context)
    case .started: break
    }
  }

  private func start(_ context: PulseContext) {
    state = .started(context)
    context.connect()
    updateWatchdog()
  }

  private func makeContext() -> PulseContext? {
    PulseContext(loop, applicationName: applicationName, server: server, delegate: self)
  }

  private func retry() {
    if case .waiting(let context, _) = state { start(context) }
  }

  private func stopConnecting() {
    streamRetry = nil
    backoff.reset()
    if !isReady { closeIfUnused() }
  }

  /// Closes the connection unless it is needed. An idle connection would keep the memory that libpulse took for the PCM
  /// on its way to the server, in blocks of 64 KiB: as many as a busy server ever left unread.
  func closeIfUnused() {
    guard !isSoundWanted, listRequests.isEmpty else { return }
    socketWatch = nil
    watchdog.disarm()
    // The end of the context ends a stream that the caller still holds. Its delegate must find this object
    // disconnected.
    let unused = context
    defer { withExtendedLifetime(unused) {} }
    state = .disconnected
  }

  /// Handles a new socket. The server may not listen on it yet; then the next attempt comes soon.
  private func serverSocketAppeared() {
    backoff.reset()
    retry()
  }

  // MARK: Retrying to open a stream

  /// Opens the stream again when a sink appears, or after the backoff if none appears before.
  func retryStreamLater() {
    guard let context else { return }
    context.subscribe(to: .sinks)
    streamRetry = context.timer(after: backoff.next()) { [unowned self] in
      retryStream()
    }
  }

  private func retryStream() {
    streamRetry = nil
    // This event makes the loop play again, and that opens a stream.
    if isSoundWanted { emit(.connected) }
  }

  func streamIsOpen() {
    backoff.reset()
    recordActivity()
  }

  // MARK: Liveness

  var isUnresponsive: Bool { watchdog.isUnresponsive }

  /// Records that the server acted.
  func recordActivity() { watchdog.recordActivity() }

  /// Records that the server responded, and that its sink has read nothing since the previous response.
  func recordAnswer() { watchdog.recordAnswer() }

  /// Updates the watchdog. Must be called whenever it changes whether the server is expected to act.
  func updateWatchdog() { watchdog.update() }

  // MARK: Lists of sinks

  func listSinks(_ token: UInt64) {
    listRequests.add(token)
    connect()
    if let context, context.isReady { send(token, on: context) }
    guard !listRequests.hasTimeout, let context else { return }
    let timeout = context.timer(after: SinkListRequests.timeout) { [unowned self] in
      listRequests.refuseAll("it does not answer")
      if !isSoundWanted { stopConnecting() }
    }
    listRequests.setTimeout(timeout)
  }

  private func send(_ token: UInt64, on context: PulseContext) {
    listRequests.send(token, on: context) { [unowned self] in delegate?.currentSink(of: $0) }
  }
}

extension ServerConnection: PulseContextDelegate {
  func contextIsReady() {
    if case .soundAfterLoss = demand { demand = .sound }
    backoff.reset()
    socketWatch = nil
    recordActivity()
    emit(.connected)
    if let context { for token in listRequests.tokens { send(token, on: context) } }
    delegate?.connectionIsReady()
  }

  func contextFailed(_ reason: LocalizableMessage) {
    // The failed context is the caller, and must outlive this call.
    let failed = context
    defer { withExtendedLifetime(failed) {} }
    streamRetry = nil
    watchdog.disarm()
    state = .disconnected
    switch demand {
    case .none, .soundAfterLoss: delegate?.connectionFailed(loss: nil)
    case .sound:
      demand = .soundAfterLoss
      backoff.reset()
      delegate?.connectionFailed(loss: reason)
    }
    listRequests.refuseAll(reason)
    guard isSoundWanted, let next = makeContext() else { return }
    if socketWatch == nil {
      socketWatch = ServerSocketWatch(loop, server: server) { [unowned self] in serverSocketAppeared() }
    }
    let delay = socketWatch == nil ? min(backoff.next(), Self.maximumDelayWithoutWatch) : backoff.next()
    state = .waiting(next, next.timer(after: delay) { [unowned self] in retry() })
  }

  func sinkInputChanged(_ index: UInt32) { delegate?.sinkInputChanged(index) }

  func sinkAppeared() {
    if streamRetry != nil { retryStream() } else { delegate?.sinkAppeared() }
  }
}

extension ServerConnection: LivenessWatchdogDelegate {
  /// Whether the server is expected to accept the connection, to open the stream, or to play.
  var isServerActivityExpected: Bool {
    guard case .started(let context) = state else { return false }
    return context.isReady ? delegate?.isStreamActivityExpected == true : isSoundWanted
  }

  func timer(after delay: MediaTime, _ fired: @escaping () -> Void) -> PulseTimer? {
    context?.timer(after: delay, fired)
  }

  func serverIsOverdue() { delegate?.requestTiming() }

  func outputHangs(_ hang: OutputHang, since lastSign: MonotonicTime) -> Bool {
    guard delegate?.outputHangs(since: lastSign) == true else { return false }
    let reason =
      switch hang {
      case .server: LocalizableMessage("the sound server does not answer")
      case .sink: LocalizableMessage("the output device does not play")
      }
    emit(.unresponsive(hang, reason: reason))
    return true
  }

  func serverIsResponsive(hasActed: Bool) {
    emit(.responsive)
    if hasActed { delegate?.requestTiming() }
  }
}

/// A list of the requests for the server's sinks that have no response yet.
private final class SinkListRequests {
  /// The time after which requests are refused: a server that hangs must not delay a client for longer.
  static let timeout = MediaTime.seconds(3)

  private(set) var tokens: [UInt64] = []
  /// The timer from the oldest request until all are refused. Later requests wait for a shorter time.
  private var timer: PulseTimer?
  private let emit: (SinkEvent) -> Void

  init(_ emit: @escaping (SinkEvent) -> Void) { self.emit = emit }

  var isEmpty: Bool { tokens.isEmpty }

  var hasTimeout: Bool { timer != nil }

  func setTimeout(_ timer: PulseTimer) { self.timer = timer }

  func add(_ token: UInt64) { tokens.append(token) }

  func refuseAll(_ reason: LocalizableMessage) {
    timer = nil
    for token in tokens { emit(.sinksUnavailable(token: token, reason: reason)) }
    tokens = []
  }

  /// Requests the list for `token`. `currentSink` is called when the list has arrived: the server may move the stream
  /// while it makes the list.
  func send(
    _ token: UInt64, on context: PulseContext, currentSink: @escaping ([SinkDescription]) -> Int?
  ) {
    context.listSinks { [weak self, weak context] sinks in
      guard let self, let index = tokens.firstIndex(of: token) else { return }
      tokens.remove(at: index)
      if tokens.isEmpty { timer = nil }
      if var sinks {
        if let current = currentSink(sinks) { sinks[current].isCurrent = true }
        emit(.sinks(token: token, sinks))
      } else {
        emit(.sinksUnavailable(token: token, reason: context?.lastError ?? LocalizableMessage("no connection")))
      }
    }
  }
}
