// Thread: the pulse thread.
internal import SegueOutput
internal import SegueSystem
internal import SegueWire

/// A controller that opens and closes streams, and starts and stops their sound. It owns the stream, if there is one,
/// and the settings with which the next one is opened.
final class StreamController {
  private enum State {
    case closed
    case opening(PlaybackStream)
    /// The stream is ready, and the loop was notified.
    case open(PlaybackStream)
    /// The stream is open, and the server was asked to move it to another sink.
    case moving(PlaybackStream)
  }

  private let connection: ServerConnection
  private let emit: (SinkEvent) -> Void
  let volume: VolumeController
  let drain: DrainController
  /// The delegate of every stream.
  weak var delegate: (any StreamDelegate)?

  private var state = State.closed
  private var placement = SinkPlacement()
  /// The number of requests to move the stream that the server has not answered.
  private var pendingMoves = 0
  private var properties = TrackProperties()
  /// Whether streams keep a copy of the PCM that may not have been played, so that it can be written again.
  var keepsHistory = false { didSet { stream?.keepsHistory = keepsHistory } }

  init(_ connection: ServerConnection, emit: @escaping (SinkEvent) -> Void) {
    self.connection = connection
    self.emit = emit
    volume = VolumeController(emit)
    drain = DrainController(connection)
  }

  /// The stream, ready or not; nil while there is none.
  var stream: PlaybackStream? {
    switch state {
    case .closed: nil
    case .opening(let stream), .open(let stream), .moving(let stream): stream
    }
  }

  /// The stream if commands can be sent to it.
  var readyStream: PlaybackStream? {
    guard let stream, stream.isReady else { return nil }
    return stream
  }

  /// Whether `opened` was emitted, or is about to be, without a `closed` or `lost` since.
  var isOpen: Bool {
    switch state {
    case .closed, .opening: false
    case .open, .moving: true
    }
  }

  /// Whether the server owes the stream a response, or a request for more sound.
  var isActivityExpected: Bool {
    guard let stream else { return false }
    return !stream.isReady || !(stream.isCorked || stream.isSuspended)
  }

  // MARK: Opening and closing

  /// Opens a stream on the chosen sink. Returns false if the server does not support the format.
  func open(_ format: AudioFormat) -> Bool {
    placement.handleOpening()
    return open(format, device: placement.target)
  }

  /// Opens a stream on another sink than the chosen one, which is not available.
  func openOnOtherSink(_ format: AudioFormat) -> Bool { open(format, device: placement.handleMissingTarget()) }

  private func open(_ format: AudioFormat, device: String?) -> Bool {
    guard let context = connection.context, let delegate else { return false }
    let options = StreamOptions(
      device: device, volume: volume.volume, muted: volume.isMuted, properties: properties)
    let opened = PlaybackStream(context, format: format, options: options, delegate: delegate)
    guard let stream = opened else { return false }
    state = .opening(stream)
    pendingMoves = 0
    volume.handleOpening()
    stream.keepsHistory = keepsHistory
    connection.updateWatchdog()
    return true
  }

  func close() { if drop() { emit(.closed) } }

  /// Drops the stream without an event of its own. Returns false if it was not open.
  @discardableResult
  func drop() -> Bool {
    drain.reset()
    let wasOpen = isOpen
    state = .closed
    guard wasOpen else { return false }
    volume.handleClose()
    connection.context?.subscribe(to: .none)
    connection.updateWatchdog()
    return true
  }

  /// Finishes the opening of a stream that has become ready, unless another stream has replaced it.
  func finishOpening(_ stream: PlaybackStream) {
    guard case .opening(let current) = state, current === stream else { return }
    stream.setProperties(properties)
    state = .open(stream)
    placement.handleOpened(on: stream.sinkIndex)
    connection.streamIsOpen()
    connection.context?.describeSink(stream.sinkIndex) { [unowned self] in emit(.opened($0)) }
    volume.handleReady(stream)
    updateSubscription()
    // Another sink may have been chosen while the stream was being opened.
    if !placement.isDisplaced, stream.device != placement.target {
      move(stream) { [unowned self] reason in emit(.deviceUnavailable(reason)) }
    }
  }

  // MARK: The sound

  /// Starts the sound. Returns false if it was not stopped, or cannot be started.
  func uncork() -> Bool {
    guard let stream = readyStream, stream.isCorked else { return false }
    stream.cork(false)
    volume.handleUncork()
    drain.renew(on: stream)
    stream.requestTiming()
    connection.updateWatchdog()
    return true
  }

  /// Stops the sound.
  func cork() {
    if let stream = readyStream, !stream.isCorked { stream.cork(true) }
    connection.updateWatchdog()
  }

  /// Stops the sound, and asks the server at which frame it has stopped.
  func corkAndRequestTiming() {
    cork()
    stream?.requestTiming()
  }

  /// Stops the sound at once: the server discards what it has.
  func flush() {
    guard let stream = readyStream else { return }
    cork()
    if stream.writer.written > 0 { stream.flush() }
    drain.handleDiscard(after: nil)
  }

  // MARK: The sink on which the stream plays

  func setDevice(_ name: String?) {
    placement.choose(name)
    guard let stream = readyStream else { return }
    if isOpen { updateSubscription() }
    move(stream) { [unowned self] reason in emit(.deviceUnavailable(reason)) }
  }

  /// Moves the stream to the sink on which it is to play.
  ///
  /// It is corked meanwhile: PulseAudio drops as much of a playing stream as the new sink has rendered already
  /// (`PA_SINK_MESSAGE_FINISH_MOVE` in sink.c). The server carries out the requests in this order.
  private func move(_ stream: PlaybackStream, onFailure: @escaping (LocalizableMessage) -> Void) {
    guard let context = connection.context else { return }
    if isOpen { state = .moving(stream) }
    pendingMoves += 1
    let wasCorked = stream.isCorked
    if !wasCorked { stream.cork(true) }
    defer { if !wasCorked { stream.cork(false) } }
    context.move(stream.sinkInput, to: placement.target) { [unowned self, weak stream] reason in
      guard let stream, stream === self.stream else { return }
      pendingMoves -= 1
      if let reason {
        endMove()
        onFailure(reason)
      } else {
        updatePlacement(of: stream)
      }
    }
  }

  /// Handles that the stream plays on another sink.
  func handleMove() {
    endMove()
    if let stream { updatePlacement(of: stream) }
  }

  /// Finds out on which sink the stream plays, and why, unless the server is still to carry out a request.
  private func updatePlacement(of stream: PlaybackStream) {
    guard placement.target != nil else { return placement.handleOpened(on: stream.sinkIndex) }
    connection.context?.listSinks { [unowned self, weak stream] sinks in
      guard let sinks, let stream, stream === self.stream, stream.isReady, pendingMoves == 0 else { return }
      if case .moving = state {
        // PipeWire responds before it moves the stream. No notification follows if the stream is on its sink already.
        guard sinks.contains(where: { $0.index == stream.sinkIndex && $0.name == placement.target }) else { return }
        endMove()
      }
      placement.handleMove(to: stream.sinkIndex, of: sinks)
      updateSubscription()
    }
  }

  /// Subscribes to changes of the stream and, if it is to return to its sink, to new sinks.
  private func updateSubscription() {
    connection.context?.subscribe(to: placement.isDisplaced ? .sinkInputsAndSinks : .sinkInputs)
    // The sink may have appeared before the subscription.
    handleNewSink()
  }

  /// Moves the stream back to its sink, if that is the new one.
  func handleNewSink() {
    guard placement.isDisplaced, isOpen else { return }
    connection.context?.listSinks { [unowned self] sinks in
      guard placement.isDisplaced, pendingMoves == 0, let sinks, let stream = readyStream,
        sinks.contains(where: { $0.name == placement.target })
      else { return }
      move(stream) { _ in }
    }
  }

  /// Emits the description of the sink to which the stream was moved.
  func describeNewSink(of stream: PlaybackStream) {
    connection.context?.describeSink(stream.sinkIndex) { [unowned self] in emit(.moved($0)) }
  }

  private func endMove() {
    if case .moving(let stream) = state { state = .open(stream) }
  }

  /// Returns the index of the sink on which the stream plays, or will play once it is moved or opened.
  func currentSink(of sinks: [SinkDescription]) -> Int? {
    switch state {
    case .open(let stream), .opening(let stream):
      if stream.isReady, let index = sinks.firstIndex(where: { $0.index == stream.sinkIndex }) { return index }
    case .closed, .moving: break
    }
    return sinks.firstIndex { $0.name == placement.target } ?? sinks.firstIndex { $0.isDefault }
  }

  // MARK: Properties

  /// Reads the volume again if the sink input that changed belongs to the stream.
  func sinkInputChanged(_ index: UInt32) {
    guard let stream = readyStream, stream.sinkInput == index else { return }
    volume.requestReport()
  }

  func setProperties(_ properties: TrackProperties) {
    self.properties = properties
    readyStream?.setProperties(properties)
  }
}
