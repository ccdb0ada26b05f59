internal import SeguePlayer
internal import SegueSystem
internal import SegueWire

let modeMethods = [
  Method(
    name: "volume", summary: "Sets or returns the volume and the mute state.",
    parameters: [
      .init(name: "level", schema: .integer(0...100), summary: "Percent."),
      .init(name: "delta", schema: .integer(-100...100), summary: "Percent to add; the sum is limited to 0…100."),
      .init(name: "muted", schema: .boolean, summary: "Mutes the output; the level is kept."),
    ],
    result: (name: "volume", schema: .named("Volume")), savesState: true
  ) { call in
    if call["level"] != nil && call["delta"] != nil {
      return call.responder.fail(Failure(.invalidParams, "`volume` takes `level` or `delta`, not both"))
    }
    let level = call.integer("level").map(VolumeChange.Level.level) ?? call.integer("delta").map { .delta($0) }
    let muted = call.bool("muted")
    guard level != nil || muted != nil else { return call.responder.send(call.player.volume) }
    call.player.setVolume(VolumeChange(level: level, muted: muted), then: call.responder.send)
  },
  Method(
    name: "repeat", summary: "Sets the repeat mode.",
    parameters: [
      .init(
        name: "mode", schema: .choice(of: RepeatMode.self),
        summary: "`all`: repeats the queue. `one`: repeats the current track.", isRequired: true)
    ],
    result: statusResult, savesState: true
  ) { call in
    call.player.setRepeat(call.word("mode") ?? .off, then: call.responder.send)
  },
  Method(
    name: "shuffle", summary: "Sets the shuffle mode.",
    parameters: [
      .init(
        name: "mode", schema: .choice(of: ShuffleMode.self),
        summary: "`albums`: shuffles whole albums.",
        isRequired: true)
    ],
    result: statusResult, savesState: true
  ) { call in
    call.player.setShuffle(call.word("mode") ?? .off, then: call.responder.send)
  },
  Method(
    name: "consume", summary: "Sets whether tracks are removed from the queue after playing.",
    parameters: [.init(name: "on", schema: .boolean, summary: "true: tracks are removed.", isRequired: true)],
    result: statusResult, savesState: true
  ) { call in
    call.player.setConsume(call.bool("on") ?? false, then: call.responder.send)
  },
  Method(
    name: "speed", summary: "Sets the speed of playback, with the pitch kept. A change is audible at once.",
    parameters: [
      .init(name: "factor", schema: .number(PlaybackSpeed.factors), summary: "1: the original speed."),
      .init(
        name: "delta", schema: .number(-PlaybackSpeed.fastest.factor...PlaybackSpeed.fastest.factor),
        summary: "The number to add to the factor; the sum is limited to 0.5…3."),
    ],
    parameterRule: .exactlyOne, result: statusResult, savesState: true
  ) { call in
    if let speed = call["factor"]?.double.flatMap(PlaybackSpeed.init(factor:)) {
      call.player.setSpeed(speed, then: call.responder.send)
    } else {
      call.player.changeSpeed(by: call["delta"]?.double ?? 0, then: call.responder.send)
    }
  },
  Method(
    name: "sleep", summary: "Sets the sleep timer, which survives a restart.",
    parameters: [
      .init(
        name: "seconds", schema: .number(0...MediaTime.maximum.seconds), summary: "Stops after this many seconds."),
      .init(
        name: "after", schema: .choice(of: SleepEnd.self),
        summary: "Stops at the end of the current track, album or queue."),
      .init(name: "off", schema: .boolean, summary: "true: turns the timer off."),
    ],
    parameterRule: .exactlyOne, result: statusResult, savesState: true
  ) { call in
    let sleep: Sleep?
    if let seconds = call.time("seconds") {
      sleep = .seconds(seconds)
    } else if let end: SleepEnd = call.word("after") {
      sleep = .after(end)
    } else {
      guard call.bool("off") == true else {
        return call.responder.fail(
          Failure(.invalidParams, "`sleep`: `off` must be true; `seconds` or `after` set the timer"))
      }
      sleep = nil
    }
    call.player.setSleep(sleep, then: call.responder.send)
  },
]

let gainMethods = [
  Method(
    name: "gain",
    summary: "Sets or returns the loudness normalization (ReplayGain, R128). A change is audible at once.",
    parameters: [
      .init(
        name: "mode", schema: .choice(of: GainMode.self),
        summary: "`auto`: `album` while an album plays in order, else `track`."),
      .init(
        name: "preamp", schema: .number(Gain.range), summary: "dB added to the gain of every track that has one."),
    ],
    result: (name: "gain", schema: .named("Gain")), savesState: true
  ) { call in
    let (mode, preamp): (GainMode?, _) = (call.word("mode"), call["preamp"]?.double)
    guard mode != nil || preamp != nil else { return call.responder.send(call.player.gain) }
    call.player.setGain(mode: mode, preamp: preamp, then: call.responder.send)
  }
]
