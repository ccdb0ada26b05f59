// Runs on the pulse thread only.
internal import SegueSystem

/// A controller that opens and closes streams. It owns the stream, if there is one, and the settings with which the
/// next one is opened.
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
  private let volume: VolumeController
  /// The delegate of every stream.
  weak var delegate: (any StreamDelegate)?

  private var state = State.closed
  private var device: String?
  private var properties = TrackProperties()
  /// Whether streams keep a copy of the PCM that may not have been played, so that it can be written again.
  var keepsHistory = false { didSet { stream?.keepsHistory = keepsHistory } }

  init(_ connection: ServerConnection, emit: @escaping (SinkEvent) -> Void) {
    self.connection = connection
    self.emit = emit
    volume = VolumeController(emit)
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

  /// Whether `opened` was emitted, or is about to be, without a `closed` since.
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
  func open(_ format: AudioFormat) -> Bool { open(format, device: device) }

  /// Opens a stream on the server's default sink, because the chosen one is not available.
  func openOnDefaultSink(_ format: AudioFormat) -> Bool { open(format, device: nil) }

  private func open(_ format: AudioFormat, device: String?) -> Bool {
    guard let context = connection.context, let delegate else { return false }
    let options = StreamOptions(
      device: device, volume: volume.volume, muted: volume.isMuted, properties: properties)
    let opened = PlaybackStream(context, format: format, options: options, delegate: delegate)
    guard let stream = opened else { return false }
    state = .opening(stream)
    stream.keepsHistory = keepsHistory
    connection.updateWatchdog()
    return true
  }

  func close() {
    let wasOpen = isOpen
    state = .closed
    guard wasOpen else { return }
    connection.context?.subscribe(to: .none)
    connection.updateWatchdog()
    emit(.closed)
  }

  /// Finishes the opening of a stream that has become ready, unless another stream has replaced it.
  func finishOpening(_ stream: PlaybackStream) {
    guard case .opening(let current) = state, current === stream else { return }
    stream.setProperties(properties)
    connection.context?.subscribe(to: .sinkInputs)
    state = .open(stream)
    connection.streamIsOpen()
    connection.context?.describeSink(stream.sinkIndex) { [unowned self] in emit(.opened($0)) }
    volume.applyPending(to: stream)
    volume.read(from: stream)
  }

  // MARK: The sink on which the stream plays

  func setDevice(_ name: String?) {
    device = name
    guard let context = connection.context, let stream = readyStream else { return }
    if isOpen { state = .moving(stream) }
    context.move(stream.sinkInput, to: name) { [unowned self] reason in
      endMove()
      emit(.deviceUnavailable(reason))
    }
  }

  /// Handles that the stream plays on another sink.
  func handleMove() { endMove() }

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
    return sinks.firstIndex { $0.name == device } ?? sinks.firstIndex { $0.isDefault }
  }

  // MARK: Volume and properties

  func setVolume(_ volume: Volume) { self.volume.setVolume(volume, on: stream) }

  func setMute(_ muted: Bool) { volume.setMute(muted, on: stream) }

  /// Reads the volume again if the sink input that changed belongs to the stream.
  func sinkInputChanged(_ index: UInt32) {
    guard let stream = readyStream, stream.sinkInput == index else { return }
    volume.read(from: stream)
  }

  func setProperties(_ properties: TrackProperties) {
    self.properties = properties
    readyStream?.setProperties(properties)
  }
}
