// Pulse thread only: libpulse's callbacks and the orders all arrive here, one after the other. It must not block, and
// takes no lock but those of the mailbox and the published clock.
internal import SegueRing
internal import SegueSystem

/// What the pulse thread knows and does. The aspects lie in their own files: playing, following, timing, the server.
final class Sink {
  struct Setup: Sendable {
    var applicationName: String
    var server: String?
    var deliver: @Sendable (SinkEvent) -> Void
    var face: PublishedClock
  }

  /// How far the sound is.
  enum Phase {
    /// Nothing to play.
    case idle
    /// Corked, until enough is handed over.
    case starting
    case playing
    /// All is handed over, and nothing follows: waiting to hear the end.
    case ending
    /// All is handed over that the stream can take: what follows has another format, and waits for the end.
    case changing
  }

  let setup: Setup
  let loop: PulseLoop

  var connection: Connection?
  /// Until the next try to connect.
  var retry: Timer?
  /// How long the next try waits, for a connection or a stream.
  var patience = Sink.shortest
  /// Sees the socket of a server that comes back, while one is looked for.
  var socketWatch: ServerSocketWatch?
  /// Until the server is late with a sign of life; nil before one was owed.
  var vigil: Timer?
  var lastSign = MonotonicTime(nanoseconds: 0)
  /// Whether the server was asked for a sign, and none has come.
  var isOverdue = false
  /// Whether `silent` was said and `answering` not yet.
  var isSilent = false
  /// Whether somebody wants sound: then a lost server is looked for again.
  var isWanted = false
  /// Whether `lost` was said and `connected` not yet.
  var isLost = false
  var listsAsked: [UInt64] = []
  /// Until whoever asked is told that no answer comes.
  var listPatience: Timer?
  /// Until the next try to have a stream where there was no sink.
  var another: Timer?

  var stream: PlaybackStream?
  /// Whether `opened` was said and `closed` not yet.
  var isOpen = false
  var phase = Phase.idle
  var isPaused = false
  /// Whose PCM is being handed over, and who comes then, in order.
  var feeds: [GenerationReader] = []
  /// The ends of those before, in this stream, as far as they have not been heard.
  var joints: [TrackBoundary] = []
  /// Who was heard last, if nothing followed.
  var finished: Generation?
  /// The rings in use, each with its one consumer.
  var sources: [RingSource] = []
  var lastFrame = FrameCopy()

  var timeline = Timeline()
  /// Since when there is PCM for a sound that has not started.
  var firstPour: MonotonicTime?
  /// How long a sound took from the order to its first PCM, as the slowest of late did: what follows may take as long.
  var opening = MediaTime.zero
  /// Until the sound starts with less than a head start.
  var startTimer: Timer?
  /// Whether the server has played anything since the stream was uncorked.
  var hasStarted = false
  /// Whether it said since then that it has nothing more to play.
  var isDry = false
  var lastTiming = MonotonicTime(nanoseconds: 0)
  var sleptAtTiming = MediaTime.zero
  var underruns: UInt64 = 0
  /// The last one that the stream was asked for.
  var drain: Drain?
  var endTimer: Timer?

  /// How long the sound takes to silence on a pause or stop. Zero: none.
  var fadeLength = MediaTime.zero
  /// While it does. Nothing is handed over meanwhile.
  var fade: Fade?

  var device: String?
  /// Whether the server was asked to move the stream and has not said yet that it did.
  var isMoving = false
  var volume: Volume?
  var isMuted: Bool?
  /// Whether they were set while the stream was being made.
  var isVolumeOwed = false
  var properties = TrackProperties()

  static let shortest = MediaTime.milliseconds(50)
  static let longest = MediaTime.milliseconds(500)
  /// Where a server or a sink that comes is seen: a try then is only for what nobody thought of.
  static let longestWatching = MediaTime.seconds(10)

  init(_ setup: Setup, loop: PulseLoop) {
    self.setup = setup
    self.loop = loop
  }

  func emit(_ event: SinkEvent) { setup.deliver(event) }

  func carryOut(_ order: SinkCommand) {
    switch order {
    case .play(let generation, let ring, let paused): play(generation, ring, paused: paused)
    case .enqueue(let generation, let ring, let named): follow(generation, ring, after: named)
    case .finish(let previous): finish(after: previous)
    case .endOfInput(let generation): endInput(of: generation)
    case .pause: pause()
    case .resume: resume()
    case .stop: stop()
    case .release: release()
    case .fadeLength(let length): setFade(length)
    case .endFade: endFade()
    case .volume(let percent): setVolume(Volume(percent: percent.clamped(to: 0...100)))
    case .mute(let muted): setMute(muted)
    case .device(let name): setDevice(name)
    case .properties(let title, let artist, let file):
      properties = TrackProperties(title: title, artist: artist, file: file)
      if let stream, stream.isReady { stream.describe(properties) }
    case .listSinks(let token): listSinks(token)
    }
  }
}
