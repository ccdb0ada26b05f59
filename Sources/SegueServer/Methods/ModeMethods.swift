internal import SeguePlayer
internal import SegueSystem
internal import SegueWire

let modeMethods = [
  Method(
    name: "volume", summary: "Sets the volume or the mute, or says them.",
    parameters: [
      .init(name: "level", schema: .integer(0...100), summary: "Percent."),
      .init(name: "delta", schema: .integer(-100...100), summary: "Percent to add; the sum is kept to 0…100."),
      .init(name: "muted", schema: .boolean, summary: "Silence, the level kept."),
    ],
    result: (name: "volume", schema: .named("Volume"))
  ) { call in
    if call["level"] != nil && call["delta"] != nil {
      return call.reply.fail(Failure(.invalidParams, "`volume` takes `level` or `delta`, not both"))
    }
    let level = call.integer("level").map(VolumeChange.Level.level) ?? call.integer("delta").map { .delta($0) }
    let muted = call.bool("muted")
    guard level != nil || muted != nil else { return call.reply.answer(call.player.volume) }
    call.player.setVolume(VolumeChange(level: level, muted: muted), then: call.reply.answer)
  },
  Method(
    name: "repeat", summary: "What comes after the last track.",
    parameters: [
      .init(
        name: "mode", schema: .choice(RepeatMode.allCases.map(\.rawValue)),
        summary: "`all`: the first comes after the last. `one`: the same again.", isRequired: true)
    ],
    result: statusResult
  ) { call in
    call.player.setRepeat(call.word("mode") ?? .off, then: call.reply.answer)
  },
  Method(
    name: "shuffle", summary: "The order in which tracks come.",
    parameters: [
      .init(
        name: "mode", schema: .choice(ShuffleMode.allCases.map(\.rawValue)), summary: "`albums`: albums stay whole.",
        isRequired: true)
    ],
    result: statusResult
  ) { call in
    call.player.setShuffle(call.word("mode") ?? .off, then: call.reply.answer)
  },
  Method(
    name: "consume", summary: "Whether a track that was played leaves the queue.",
    parameters: [.init(name: "on", schema: .boolean, summary: "Leaves it.", isRequired: true)], result: statusResult
  ) { call in
    call.player.setConsume(call.bool("on") ?? false, then: call.reply.answer)
  },
  Method(
    name: "sleep", summary: "Stops later, and does so after a restart too.",
    parameters: [
      .init(
        name: "seconds", schema: .number(0...MediaTime.maximum.seconds), summary: "From now."),
      .init(
        name: "after", schema: .choice(SleepEnd.allCases.map(\.rawValue)),
        summary: "At the end of what plays now."),
      .init(name: "off", schema: .boolean, summary: "true: never mind."),
    ],
    choice: .exactlyOne, result: statusResult
  ) { call in
    let sleep: Sleep?
    if let seconds = call.time("seconds") {
      sleep = .seconds(seconds)
    } else if let end: SleepEnd = call.word("after") {
      sleep = .after(end)
    } else {
      guard call.bool("off") == true else {
        return call.reply.fail(Failure(.invalidParams, "`sleep` wants true as `off`; `seconds` or `after` turn it on"))
      }
      sleep = nil
    }
    call.player.setSleep(sleep, then: call.reply.answer)
  },
]
