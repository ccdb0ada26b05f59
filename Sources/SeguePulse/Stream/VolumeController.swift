// Thread: the pulse thread.
internal import CPulse
internal import SegueOutput

/// The volume and mute of a stream as the server reports them.
struct ReportedVolume {
  let volumes: pa_cvolume
  let map: pa_channel_map
  let isMuted: Bool
}

/// A controller of the stream's volume and mute, which keeps them for the next stream.
///
/// A report of the server is a change by a mixer, except in three cases. A report that was requested before the last
/// command does not know that command, and is ignored. A new stream whose volume or mute is not the one with which it
/// was opened got it from the server's memory of earlier streams: it is set again. A mute that comes with a request to
/// cork belongs to a call (`MuteReason`).
final class VolumeController {
  /// A reason why the server mutes a stream that no user has muted.
  ///
  /// Module-role-cork of PulseAudio mutes music during a call, and requests a cork. It removes the mute at the end of
  /// the call, but only from a stream that was there all the time and has not been moved. To a stream that is opened
  /// during the call it sends no request, because the stream's owner does not know its number yet. Its mute is removed
  /// here in these cases; if the call still lasts, the module mutes the stream again, and sends the request, when a
  /// property of the playing stream changes.
  private enum MuteReason {
    case none
    case call
    /// A user has removed the mute of a call. The module requests further corks during that call, without a mute.
    case overridden
    /// The server has requested a cork during a call whose mute a user has removed before.
    case callWithoutMute
    /// The mute was removed, and the module must look at the stream again as soon as it plays.
    case unexplained
  }

  /// The state of the request for a report.
  private enum Request {
    case none
    case sent
    /// The stream has changed since: the report is adopted, and another one is requested.
    case sentBeforeChange
    /// A command was carried out since: the report is ignored, and another one is requested.
    case sentBeforeCommand
  }

  private let emit: (SinkEvent) -> Void
  private weak var stream: PlaybackStream?
  /// The volume of every stream; nil if unknown: then the server decides.
  private(set) var volume: Volume?
  /// Whether streams are muted, apart from calls.
  private(set) var isMuted = false
  /// The balance for the next volume that is set.
  var balance: ChannelBalance?
  private var muteReason = MuteReason.none
  private var request = Request.none
  /// Whether the stream has not been reported yet.
  private var isNew = false
  /// The number of the last command.
  private var command: UInt64 = 0
  /// The number of the last command when the stream was opened.
  private var commandAtOpening: UInt64 = 0
  private var emitted: SinkEvent?

  init(_ emit: @escaping (SinkEvent) -> Void) { self.emit = emit }

  // MARK: Commands

  /// Sets the volume to 0…100 percent, and keeps the balance.
  func setVolume(percent: Int, number: UInt64) {
    volume = Volume(percent: percent, balance: volume == nil ? balance : volume?.balance)
    command = number
    if let volume { stream?.setVolume(volume) }
    confirm()
  }

  func setMute(_ muted: Bool, number: UInt64) {
    isMuted = muted
    command = number
    // The server removes the mute of a call when the call ends; one that the user has set must be set again then.
    if !muted { override() }
    // A call has muted the stream. Its end, which removes the mute, could not be recognized if the stream was muted
    // once more.
    if !muted || muteReason != .call { stream?.setMute(muted) }
    confirm()
  }

  /// Makes sure that the owner hears about the last command: from the server, or at once if there is no stream.
  private func confirm() {
    if stream == nil { announce() } else { requestReport(afterCommand: true) }
  }

  // MARK: The stream

  /// Records that a stream is being opened with the present values.
  func handleOpening() { commandAtOpening = command }

  /// Handles that the stream is ready.
  func handleReady(_ stream: PlaybackStream) {
    self.stream = stream
    isNew = true
    if command != commandAtOpening {
      if let volume { stream.setVolume(volume) }
      stream.setMute(isMuted)
    }
    requestReport()
  }

  func handleClose() {
    stream = nil
    request = .none
    muteReason = .none
    isNew = false
    announce()
  }

  /// Handles that the stream, which was corked, plays.
  func handleUncork() {
    guard muteReason == .unexplained else { return }
    muteReason = .none
    stream?.requestReview()
  }

  /// Handles that the stream was moved to another sink. Returns true if it is free from the mute of a call by that, and
  /// may play until the server requests a cork again.
  func handleMove() -> Bool {
    switch muteReason {
    case .none, .unexplained: return false
    case .overridden:
      muteReason = .none
      return false
    case .call, .callWithoutMute:
      removeMute()
      return true
    }
  }

  /// Handles that the server has muted the stream, and requests a cork.
  func handleCorkRequest() {
    switch muteReason {
    case .none, .call, .unexplained: muteReason = .call
    case .overridden, .callWithoutMute: muteReason = .callWithoutMute
    }
  }

  /// Records that a user has removed the mute, which may be that of a call.
  private func override() {
    switch muteReason {
    case .none, .unexplained: muteReason = .none
    case .call, .overridden, .callWithoutMute: muteReason = .overridden
    }
  }

  /// Handles that the server has removed the mute of a call.
  func handleUncorkRequest() {
    muteReason = .none
    guard isMuted else { return }
    stream?.setMute(true)
    // A report that the server made before this command knows only that the mute was removed.
    requestReport(afterCommand: true)
  }

  // MARK: Reports

  /// Requests the values that the server has for the stream, because they may have changed.
  func requestReport() { requestReport(afterCommand: false) }

  private func requestReport(afterCommand: Bool) {
    guard let stream else { return }
    switch request {
    case .none:
      request = .sent
      stream.readVolume { [unowned self, weak stream] in
        if let stream, stream === self.stream { handle($0, of: stream) }
      }
    case .sent, .sentBeforeChange: request = afterCommand ? .sentBeforeCommand : .sentBeforeChange
    case .sentBeforeCommand: break
    }
  }

  /// Handles a response; nil if the server has none.
  private func handle(_ report: ReportedVolume?, of stream: PlaybackStream) {
    let state = request
    request = .none
    if let report, state != .sentBeforeCommand {
      if isNew { correct(report, of: stream) } else { adopt(report, of: stream) }
    }
    if state != .sent { requestReport() }
  }

  /// Sets the values of a new stream again as far as the server has opened it with others.
  private func correct(_ report: ReportedVolume, of stream: PlaybackStream) {
    isNew = false
    if let volume {
      if !volume.agrees(with: report.volumes, on: report.map) { stream.setVolume(volume) }
    } else {
      volume = Volume(report.volumes, on: report.map)
    }
    if report.isMuted, !isMuted, muteReason == .none {
      removeMute()
    } else if isMuted, !report.isMuted {
      stream.setMute(true)
    }
    announce()
  }

  private func adopt(_ report: ReportedVolume, of stream: PlaybackStream) {
    volume?.adopt(report.volumes, on: report.map)
    switch muteReason {
    case .none, .overridden, .unexplained: isMuted = report.isMuted
    case .callWithoutMute: if report.isMuted { muteReason = .call }
    case .call: if !report.isMuted { handleLostMute(of: stream) }
    }
    announce()
  }

  /// Handles that the mute of a call is gone without a request to uncork. The call has ended before the server had
  /// corked the stream, and a stream that plays gets no request; or a user of a mixer wants to hear the stream during
  /// the call.
  private func handleLostMute(of stream: PlaybackStream) {
    muteReason = .overridden
    if isMuted { stream.setMute(true) }
    emit(.uncorkRequested)
  }

  /// Removes a mute that the server may not remove.
  private func removeMute() {
    guard let stream else { return }
    muteReason = .unexplained
    stream.setMute(isMuted)
    requestReport(afterCommand: true)
    if !stream.isCorked { handleUncork() }
  }

  /// Emits the present values if they, or the last command, were not emitted yet.
  private func announce() {
    guard let volume else { return }
    let event = SinkEvent.volume(
      percent: volume.percent, muted: isMuted, balance: volume.balance?.text, after: command)
    guard event != emitted else { return }
    emitted = event
    emit(event)
  }
}
