// Thread: the decoding thread.
internal import SegueFFmpeg
internal import SegueRing
internal import SegueSystem
internal import SegueWire
internal import SegueWorkerProtocol

/// A track, or a range of a file, that is decoded into the ring as one generation.
final class DecodeJob {
  let generation: Generation
  let source: MediaSource
  let origin: Origin
  let start: MediaTime
  /// The client through which the source is read; nil for a local file, and before the source is opened.
  var client: FetchClient?
  var state = State.waiting
  /// The format of the last `begin` marker.
  var format: AudioFormat?
  /// The gain with which the track is played; nil if it is played without gain.
  var gain: AppliedGain? { didSet { amplifier = gain.flatMap(Amplifier.init) } }
  /// The amplifier that applies the gain; nil if that changes nothing.
  private(set) var amplifier: Amplifier?
  /// The growth of the file while it is decoded.
  var growth = FileGrowth()
  /// The PCM for which the ring had no room. It lies in memory of the track or of the amplifier, and is valid until the
  /// next output of the track.
  var unwritten = UnsafeRawBufferPointer(start: nil, count: 0)
  /// The state of rendering. Only `Renderer` uses it.
  var rendering = Renderer.JobState()
  /// The speed at which the track is played.
  private(set) var speed: PlaybackSpeed

  /// Whether the PCM is resampled, crossfaded or stretched before it is written to the ring.
  var isRendered: Bool { source.rate != nil || source.fadeOut > .zero || speed != .normal }

  /// Whether the PCM can be stretched together with that of `previous`, which ends where this track begins. A stream
  /// may take long to open, and the end of `previous` must not wait for that.
  func continuesStretching(_ previous: DecodeJob) -> Bool { speed == previous.speed && source.url == nil }

  /// Begins to decode `track`. A live stream cannot be played faster than it arrives, nor slower forever.
  func begin(_ track: MediaTrack) {
    if track.isLive { speed = .normal }
    state = .decoding(track, since: .now)
  }

  /// The position of the track up to which it was decoded.
  var position: MediaTime {
    switch state {
    case .waiting: start
    case .decoding(let track, _): track.position
    case .changed(let change): change.position
    case .rendered(let duration, _): duration
    case .failed(_, let position): position
    }
  }

  /// Returns the marker before PCM in `format` that begins at `frame`.
  func beginMarker(_ format: AudioFormat, at frame: Frames) -> StreamMarker {
    StreamMarker(
      kind: .begin, generation: generation, format: format, mediaFrame: frame, speed: speed,
      isSourceCached: self.format == nil && isSourceCached)
  }

  /// Returns the marker after all PCM, which is in `format`.
  func endMarker(_ format: AudioFormat, at frame: Frames) -> StreamMarker {
    StreamMarker(kind: .end, generation: generation, format: format, mediaFrame: frame)
  }

  /// Whether the source's bytes that follow are in memory, for two seconds or more.
  private var isSourceCached: Bool {
    switch state {
    case .decoding(let track, _): track.demuxer.isCached
    case .waiting, .changed, .rendered, .failed: false
    }
  }

  /// The origin of a job for another position of the same source; nil if the source must be opened again for that.
  var originOfRestart: Origin? {
    switch state {
    case .waiting: origin
    case .decoding(let track, _): .track(track)
    case .changed, .rendered, .failed: nil
    }
  }

  /// The change of the file that made its reader fail; nil if that had another reason.
  var changeOfFile: FileChange? {
    let (file, position): (FileInput?, MediaTime) =
      switch state {
      case .waiting:
        if case .input(.file(let file)) = origin { (file, start) } else { (nil, start) }
      case .decoding(let track, _): (track.demuxer.file, track.nextPosition)
      case .changed, .rendered, .failed: (nil, start)
      }
    guard let file, file.hasChanged else { return nil }
    return FileChange(of: file, at: position)
  }

  /// Whether the fetch process that serves the source has ended.
  var isCutOff: Bool { client?.isClosed == true }

  /// The origin of the source: it is to be opened, or is open.
  enum Origin {
    case input(MediaInput)
    /// The source is open already.
    case track(MediaTrack)
  }

  enum State {
    case waiting
    case decoding(MediaTrack, since: MonotonicTime)
    /// The file has changed, and is to be opened again.
    case changed(FileChange)
    /// The whole track, which has this duration, is rendered. Its end may still be in the render buffer, where
    /// everything from `fade` on is held back for a crossfade into the next generation.
    case rendered(MediaTime, fade: (from: MediaTime, into: Generation)?)
    /// Decoding failed. The audio before the failure may still be in the render buffer.
    /// `at`: the position up to which it was decoded.
    case failed(MediaError, at: MediaTime)
  }

  init(_ generation: Generation, _ source: MediaSource, _ origin: Origin, start: MediaTime) {
    self.generation = generation
    self.source = source
    self.origin = origin
    self.start = start
    speed = source.speed
  }
}
