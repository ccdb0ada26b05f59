internal import SegueSystem
internal import SegueWire

extension Verb {
  static let modes = [
    Verb(
      "volume", aliases: ["vol"], .modes, "[N|+N|-N|mute|unmute|toggle]", 0...1, "show or set the volume, 0 to 100",
      details: """
          segue volume                   show it
          segue volume 60
          segue volume +5                louder (5+ too)
          segue volume -5                softer (5- too)
          segue volume toggle            mute, or sound again
        """, run: ModeVerbs.volume),
    Verb(
      "repeat", .modes, "[off|one|all]", 0...1, "show or set what follows the last track",
      details: """
        all (or on): after the last comes the first. one: the same track again.
        off: the end.
        """, run: ModeVerbs.repeatMode),
    Verb(
      "shuffle", aliases: ["random"], .modes, "[off|tracks|albums]", 0...1, "show or set the order",
      details: """
        tracks (or on): any order. albums: the albums in any order, each from its
        first track to its last. off: the order of the queue.
        """, run: ModeVerbs.shuffle),
    Verb(
      "consume", .modes, "[on|off]", 0...1, "show or set whether played tracks leave the queue",
      run: ModeVerbs.consume),
    Verb(
      "sleep", .modes, "[TIME|track|album|queue|off]", 0...1, "show or set when to stop",
      details: """
          segue sleep                    show it
          segue sleep 30m                in half an hour (1h30m, 45:00 too)
          segue sleep track              after this track; album, queue likewise
          segue sleep off                play on
        """, run: ModeVerbs.sleep),
    Verb(
      "gain", .modes, "[off|track|album|auto] [DB]", 0...2, "show or set how loudness is evened out",
      details: """
        By the ReplayGain or R128 values of the files or, where they have none, by
        what was measured (segue scan --loudness). auto: by album while an album plays
        in order, else by track. DB is put on top of every gain, -30 to 30.

          segue gain                     show it
          segue gain auto
          segue gain album -3
          segue gain +1.5                only the preamp
        """, run: GainVerb.run),
    Verb(
      "outputs", aliases: ["output"], .modes, "[N|NAME|default]", 0...1, "show where sound can go, or move it there",
      details: """
        A part of a name or of a description will do, if only one output has it.

          segue outputs
          segue outputs 2
          segue outputs hdmi
          segue outputs default          wherever the sound server sends music
        """, run: OutputVerb.run),
    Verb(
      "settings", aliases: ["setting"], .modes, "[list|get NAME|set NAME VALUE|reset NAME]", 0...3,
      "show or choose what segue.conf can say",
      details: """
        What is chosen has effect at once, and counts for more than what segue.conf
        says, until that is changed there; reset goes back to it. NAME is as in the
        list, or its last part; capitals do not matter.

          segue settings                 how they are, and what each takes
          segue settings get preamp      the value alone
          segue settings set restore resume
          segue settings set gracePeriod 30
          segue settings reset restore
        """, run: SettingVerb.run),
  ]
}

enum ModeVerbs {
  @Sendable static func volume(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    var request = Request("volume")
    switch arguments.first?.text {
    case nil: break
    case "mute": request = Request("volume") { $0.member("muted", true) }
    case "unmute": request = Request("volume") { $0.member("muted", false) }
    case "toggle":
      let isMuted = try context.call(request)["muted"]?.bool ?? false
      request = Request("volume") { $0.member("muted", !isMuted) }
    case .some(let text): request = try levelRequest(text)
    }
    context.print(try context.call(request)) { result in
      "volume \(result["volume"]?.int ?? 0)%" + (result["muted"]?.bool == true ? " (muted)" : "")
    }
  }

  /// Returns the request that sets, raises or lowers the volume.
  private static func levelRequest(_ text: String) throws(ClientError) -> Request {
    // The percent sign is accepted because the program prints one.
    let adjustment = Adjustment(text.hasSuffix("%") ? String(text.dropLast()) : text)
    guard !adjustment.magnitude.isEmpty,
      adjustment.magnitude.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
      let value = Int(adjustment.magnitude), value <= 100
    else {
      throw .usage(
        "“\(text)” is no volume: 0 to 100, +N, -N, mute, unmute or toggle", hints: ["segue help volume"])
    }
    return Request("volume") {
      switch adjustment.direction {
      case .to: $0.member("level", value)
      case .up: $0.member("delta", value)
      case .down: $0.member("delta", -value)
      }
    }
  }

  @Sendable static func repeatMode(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    try mode(context, "repeat", arguments, among: RepeatMode.allCases.map(\.rawValue), on: RepeatMode.all.rawValue) {
      $0.repeatMode.rawValue
    }
  }

  @Sendable static func shuffle(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    try mode(
      context, "shuffle", arguments, among: ShuffleMode.allCases.map(\.rawValue), on: ShuffleMode.tracks.rawValue
    ) { $0.shuffle.rawValue }
  }

  @Sendable static func consume(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    var request = Request("status")
    if let argument = arguments.first {
      let word = try choice("consume", argument.text, among: ["on", "off"])
      request = Request("consume") { $0.member("on", word == "on") }
    }
    context.print(try context.call(request)) { "consume \(Status($0).consume ? "on" : "off")" }
  }

  @Sendable static func sleep(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    var request = Request("status")
    if let text = arguments.first?.text {
      if text == "off" {
        request = Request("sleep") { $0.member("off", true) }
      } else if SleepEnd(rawValue: text) != nil {
        request = Request("sleep") { $0.member("after", text) }
      } else if let time = TimeArgument.parse(text) {
        request = Request("sleep") { $0.member("seconds", time) }
      } else {
        throw .usage(
          "“\(text)” is no time to sleep: a TIME like 30m, or track, album, queue, off", hints: ["segue help sleep"])
      }
    }
    context.print(try context.call(request)) { result in
      let status = Status(result)
      return "sleep " + (status.sleep?.description(status, at: .now) ?? "off")
    }
  }

  /// Shows or sets a mode. `on` is the mode that the argument `on` stands for.
  private static func mode(
    _ context: VerbContext, _ method: String, _ arguments: [Argument], among modes: [String], on: String,
    _ current: (Status) -> String
  ) throws(ClientError) {
    var request = Request("status")
    if let word = arguments.first?.text {
      let mode = word == "on" ? on : try choice(method, word, among: modes)
      request = Request(method) { $0.member("mode", mode) }
    }
    context.print(try context.call(request)) { "\(method) \(current(Status($0)))" }
  }

  /// Returns `word` if it is one of `words`. Throws a usage error otherwise.
  private static func choice(_ verb: String, _ word: String, among words: [String]) throws(ClientError) -> String {
    guard words.contains(word) else {
      throw .usage(
        "\(verb) is \(words.dropLast().joined(separator: ", ")) or \(words.last ?? ""), not “\(word)”",
        hints: Suggestion.nearest(to: word, among: words).map { ["did you mean   segue \(verb) \($0)   ?"] } ?? [])
    }
    return word
  }
}
