public import SegueSystem

/// The whole state of the player (segue-ipc(7), `Status`).
public struct Status: Equatable, JSONEncodable, JSONDecodable {
  public var state: PlayState
  /// The playback position at `monotonic`; nil without a current track.
  public var position: MediaTime?
  public var duration: MediaTime?
  public var durationKind: DurationKind?
  /// The time of CLOCK_MONOTONIC to which `position` belongs.
  public var monotonic: MonotonicTime
  /// The speed at which the position advances, 0 while it stands still. It is 1 in a live stream, whatever `speed` is.
  public var rate: Double
  public var track: Track?
  public var index: Int?
  public var length: Int
  public var version: UInt64
  /// The volume in percent, 0…100.
  public var volume: Int
  public var muted: Bool
  public var repeatMode: RepeatMode
  public var shuffle: ShuffleMode
  public var consume: Bool
  /// The speed of the current track, or of the next one to be played.
  public var speed: PlaybackSpeed
  public var sleep: Sleep?
  public var output: Output
  public var audio: Audio?
  /// The state of the current track's stream; nil for a file.
  public var stream: StreamStatus?
  /// The track that plays after the current one, if nobody intervenes; nil if none does, and without a current track.
  public var next: Track?

  public init(
    state: PlayState, position: MediaTime?, duration: MediaTime?, durationKind: DurationKind?,
    monotonic: MonotonicTime, rate: Double, track: Track?, index: Int?, length: Int, version: UInt64, volume: Int,
    muted: Bool, repeatMode: RepeatMode, shuffle: ShuffleMode, consume: Bool, speed: PlaybackSpeed, sleep: Sleep?,
    output: Output, audio: Audio?, stream: StreamStatus?, next: Track?
  ) {
    self.state = state
    self.position = position
    self.duration = duration
    self.durationKind = durationKind
    self.monotonic = monotonic
    self.rate = rate
    self.track = track
    self.index = index
    self.length = length
    self.version = version
    self.volume = volume
    self.muted = muted
    self.repeatMode = repeatMode
    self.shuffle = shuffle
    self.consume = consume
    self.speed = speed
    self.sleep = sleep
    self.output = output
    self.audio = audio
    self.stream = stream
    self.next = next
  }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("state", state.rawValue)
    json.member("position", position)
    json.member("duration", duration)
    json.member("durationKind", durationKind?.rawValue)
    json.member("monotonic", MediaTime(nanoseconds: monotonic.nanoseconds))
    json.member("rate", rate)
    json.member("track", track)
    json.member("metadata", track?.metadata)
    json.member("index", index)
    json.member("length", length)
    json.member("version", version)
    json.member("volume", volume)
    json.member("muted", muted)
    json.member("repeat", repeatMode.rawValue)
    json.member("shuffle", shuffle.rawValue)
    json.member("consume", consume)
    json.member("speed", speed.factor)
    json.member("sleep", sleep)
    json.member("output", output)
    json.member("audio", audio)
    json.member("stream", stream)
    json.member("next", next)
    json.endObject()
  }

  public init(_ json: JSON) {
    state = json["state"]?.string.flatMap(PlayState.init) ?? .stopped
    position = json["position"]?.time
    duration = json["duration"]?.time
    durationKind = json["durationKind"]?.string.flatMap(DurationKind.init)
    monotonic = MonotonicTime(nanoseconds: json["monotonic"]?.time?.nanoseconds ?? 0)
    rate = json["rate"]?.double ?? 0
    track = json.member("track")
    index = json["index"]?.int
    length = json["length"]?.int ?? 0
    version = UInt64(clamping: json["version"]?.integer ?? 0)
    volume = json["volume"]?.int ?? 0
    muted = json["muted"]?.bool ?? false
    repeatMode = json["repeat"]?.string.flatMap(RepeatMode.init) ?? .all
    shuffle = json["shuffle"]?.string.flatMap(ShuffleMode.init) ?? .off
    consume = json["consume"]?.bool ?? false
    speed = json["speed"]?.double.flatMap(PlaybackSpeed.init(factor:)) ?? .normal
    sleep = json.member("sleep")
    output = json["output"].map(Output.init) ?? Output()
    audio = json.member("audio")
    stream = json.member("stream")
    next = json.member("next")
  }
}

extension Status {
  /// Returns the playback position at `now`, extrapolated from `position` and `monotonic`.
  public func position(at now: MonotonicTime) -> MediaTime? {
    guard var position else { return nil }
    if rate > 0, monotonic.nanoseconds > 0, now > monotonic {
      position = position + (rate == 1 ? now - monotonic : MediaTime(seconds: (now - monotonic).seconds * rate))
    }
    if let duration, durationKind == .exact { position = min(position, duration) }
    return max(position, .zero)
  }

  /// Returns the time at which the position is at the next whole second; nil if it stands still.
  public func nextSecond(after now: MonotonicTime) -> MonotonicTime? {
    guard rate > 0, let position = position(at: now) else { return nil }
    if durationKind == .exact, position == duration { return nil }
    let left = MediaTime(nanoseconds: 1_000_000_000 - position.nanoseconds % 1_000_000_000)
    return now + (rate == 1 ? left : MediaTime(seconds: left.seconds / rate))
  }
}
