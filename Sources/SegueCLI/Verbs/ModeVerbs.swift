internal import SegueClientKit
internal import SegueRPC
internal import SegueSystem
internal import SegueWire

/// The verbs `volume`, `mute`, `crossfade`, `repeat`, `shuffle`, `consume`, `speed` and `sleep`.
enum ModeVerbs {
  static let volume = Verb(
    "volume", aliases: ["vol"], .modes, "[N|+N|-N|mute|unmute|toggle]", 0...1,
    values: .first(.words(["mute", "unmute", "toggle"])),
    tr("show or set the volume (0 to 100)"),
    details: tr(
      """
        segue volume                   show the volume
        segue volume 60
        segue volume +5                increase it (also 5+)
        segue volume -5                decrease it (also 5-)
        segue volume toggle            mute or unmute
      """), run: volume)

  static let mute = Verb(
    "mute", .modes, "[on|off]", 0...1, values: .first(.words(["on", "off"])), tr("mute or unmute"),
    details: tr(
      """
      Without an argument, mutes if the sound is on, else unmutes. The volume is
      kept.

        segue mute
        segue mute off
      """), run: mute)

  static let repeatMode = Verb(
    "repeat", .modes, "[off|one|all]", 0...1, values: .first(.words(RepeatMode.words)),
    tr("show or set the repeat mode"),
    details: tr(
      """
      all (or on): repeat the queue. one: repeat the current track. off: stop at the
      end of the queue.

        segue repeat all
        segue repeat off
      """), run: repeatMode)

  static let shuffle = Verb(
    "shuffle", aliases: ["random"], .modes, "[off|tracks|albums|now]", 0...1,
    values: .first(.words(ShuffleMode.words + ["now"])),
    tr("show or set the shuffle mode, or shuffle the queue"),
    details: tr(
      """
      tracks (or on): tracks in random order. albums: albums in random order, the
      tracks of each in order. off: the order of the queue. now: puts the queue
      itself in random order, the current track first; undo restores the order.

        segue shuffle on
        segue shuffle albums
        segue shuffle now
      """), run: shuffle)

  static let consume = Verb(
    "consume", .modes, "[on|off]", 0...1, values: .first(.words(["on", "off"])), tr("remove tracks after playing"),
    details: tr(
      """
        segue consume on
      """), run: consume)

  static let crossfade = Verb(
    "crossfade", .modes, "[SECONDS|off]", 0...1, values: .first(.words(["off"])),
    tr("show or set the crossfade between tracks"),
    details: tr(
      """
      SECONDS is a whole number up to 15; 0 and off mean none. Tracks of one album
      that belong together are played without a gap and without a crossfade. It is
      the setting player.crossfade.

        segue crossfade 5
        segue crossfade off
      """), run: crossfade)

  static let speed = Verb(
    "speed", .modes, "[FACTOR|+N|-N|reset]", 0...1, values: .first(.words(["reset"])),
    tr("show or set the playback speed (0.5 to 3)"),
    details: tr(
      """
      The pitch is kept. A long track that continues where it was left is played at
      the speed at which it was left. Live streams are played at speed 1.

        segue speed                    show the speed
        segue speed 1.5
        segue speed +0.1               faster (also 0.1+)
        segue speed -0.1               slower (also 0.1-)
        segue speed reset              the original speed, 1
      """), run: speed)

  static let sleep = Verb(
    "sleep", .modes, "[TIME|track|album|queue|off]", 0...1,
    values: .first(.words(SleepEnd.words + ["off"])), tr("stop after a time, the track, album or queue"),
    details: tr(
      """
        segue sleep                    show the sleep timer
        segue sleep 30m                stop in 30 minutes (also 1h30m, 45:00)
        segue sleep track              stop after this track; also album, queue
        segue sleep off                cancel the timer
      """), run: sleep)

  @Sendable static func volume(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    var request = VolumeRequest()
    switch arguments.first?.text {
    case nil: break
    case "mute": request.muted = true
    case "unmute": request.muted = false
    case "toggle": request.muted = try !isMuted(context)
    case .some(let text): request.level = try level(text)
    }
    try printVolume(after: request, context)
  }

  @Sendable static func mute(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    let isMuted: Bool
    if let argument = arguments.first {
      isMuted = try choice("mute", argument.text, among: ["on", "off"]) == "on"
    } else {
      isMuted = try !Self.isMuted(context)
    }
    try printVolume(after: VolumeRequest(muted: isMuted), context)
  }

  private static func isMuted(_ context: VerbContext) throws(ClientError) -> Bool {
    try context.call(VolumeRequest()).value.muted
  }

  private static func printVolume(after request: VolumeRequest, _ context: VerbContext) throws(ClientError) {
    context.print(try context.call(request)) { ModeLabels.volume($0.volume, isMuted: $0.muted) }
  }

  @Sendable static func crossfade(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    let name = "player.crossfade"
    var request: any ProtocolRequest<SettingReport> = SettingsGetRequest(name: name)
    if let text = arguments.first?.text {
      let number = text.hasSuffix("s") ? text.dropLast() : text[...]
      guard let seconds = number == "off" || number == "0" ? 0 : EntryRange.positiveInteger(number) else {
        throw .usage(
          tr("invalid crossfade “%1$s”: use whole seconds, or off", text), hints: ["segue help crossfade"])
      }
      request = SettingsSetRequest(name: name, value: .whole(seconds))
    }
    context.print(try context.call(request)) { setting in
      if case .whole(let seconds) = setting.value { ModeLabels.crossfade(seconds) } else { ModeLabels.crossfade(0) }
    }
  }

  /// Returns the level to which the volume is set, raised or lowered.
  private static func level(_ text: String) throws(ClientError) -> VolumeRequest.Level {
    // The percent sign is accepted because the program prints one.
    let adjustment = Adjustment(text.hasSuffix("%") ? String(text.dropLast()) : text)
    guard EntryRange.isNumber(adjustment.magnitude), let value = Int(adjustment.magnitude), value <= 100 else {
      throw .usage(
        tr("invalid volume “%1$s”: use 0 to 100, +N, -N, mute, unmute or toggle", text), hints: ["segue help volume"])
    }
    switch adjustment.direction {
    case .to: return .level(value)
    case .up: return .delta(value)
    case .down: return .delta(-value)
    }
  }

  @Sendable static func repeatMode(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    let mode: RepeatMode? = try mode("repeat", arguments, on: .all)
    let request: any ProtocolRequest<Status> = mode.map { RepeatRequest(mode: $0) } ?? StatusRequest()
    context.print(try context.call(request)) { ModeLabels.repeating($0.repeatMode) }
  }

  @Sendable static func shuffle(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    if arguments.first?.text == "now" {
      return context.print(try context.call(QueueShuffleNowRequest(), progress: tr("moving…"))) { queue in
        trn("shuffled %1$d track", "shuffled %1$d tracks", queue.length)
      }
    }
    let mode: ShuffleMode? = try mode("shuffle", arguments, on: .tracks)
    let request: any ProtocolRequest<Status> = mode.map { ShuffleRequest(mode: $0) } ?? StatusRequest()
    context.print(try context.call(request)) { ModeLabels.shuffle($0.shuffle) }
  }

  @Sendable static func consume(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    var request: any ProtocolRequest<Status> = StatusRequest()
    if let argument = arguments.first {
      let word = try choice("consume", argument.text, among: ["on", "off"])
      request = ConsumeRequest(on: word == "on")
    }
    context.print(try context.call(request)) { ModeLabels.consume($0.consume) }
  }

  @Sendable static func speed(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    var request: any ProtocolRequest<Status> = StatusRequest()
    if let argument = arguments.first { request = SpeedRequest(try speed(argument.text)) }
    context.print(try context.call(request)) { ModeLabels.speed($0.speed) }
  }

  /// Returns the speed to be set, or its change.
  private static func speed(_ text: String) throws(ClientError) -> SpeedRequest.Change {
    if text == "reset" { return .factor(.normal) }
    let adjustment = Adjustment(text)
    let magnitude = adjustment.magnitude.withDecimalPoint
    let isDecimal = magnitude.utf8.allSatisfy {
      UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || $0 == UInt8(ascii: ".")
    }
    guard isDecimal, let value = Double(magnitude), value <= PlaybackSpeed.fastest.factor,
      adjustment.direction != .to || value >= PlaybackSpeed.slowest.factor
    else {
      throw .usage(tr("invalid speed “%1$s”: use 0.5 to 3, +N, -N or reset", text), hints: ["segue help speed"])
    }
    switch adjustment.direction {
    case .to: return .factor(PlaybackSpeed(clamping: value))
    case .up: return .delta(value)
    case .down: return .delta(-value)
    }
  }

  @Sendable static func sleep(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    var request: any ProtocolRequest<Status> = StatusRequest()
    if let text = arguments.first?.text {
      if text == "off" {
        request = SleepRequest(.off)
      } else if let end = SleepEnd(rawValue: text) {
        request = SleepRequest(.after(end))
      } else if let time = TimeText.parse(text), time > .zero {
        request = SleepRequest(.seconds(time))
      } else {
        throw .usage(
          tr("invalid sleep timer “%1$s”: use a TIME like 30m, or track, album, queue, off", text),
          hints: ["segue help sleep"]
        )
      }
    }
    context.print(try context.call(request)) { ModeLabels.sleep($0, at: .now) }
  }

  /// Returns the mode that the argument of a verb names; nil without one. `on` is the mode that the word `on` stands
  /// for.
  private static func mode<Mode: RawRepresentable<String> & CaseIterable>(
    _ verb: String, _ arguments: [Argument], on: Mode
  ) throws(ClientError) -> Mode? {
    guard let word = arguments.first?.text else { return nil }
    if word == "on" { return on }
    return Mode(rawValue: try choice(verb, word, among: Mode.words))
  }

  /// Returns `word` if it is one of `words`. Throws a usage error otherwise.
  private static func choice(_ verb: String, _ word: String, among words: [String]) throws(ClientError) -> String {
    guard words.contains(word) else {
      throw .usage(
        tr(
          "invalid value “%1$s” for %2$s: use %3$s or %4$s", word, verb, words.dropLast().joined(separator: ", "),
          words.last ?? ""),
        hints: EditDistance.nearest(to: word, in: words).map {
          [tr("did you mean   segue %1$s   ?", "\(verb) \($0)")]
        }
          ?? [])
    }
    return word
  }
}
