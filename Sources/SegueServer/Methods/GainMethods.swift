internal import SeguePlayer
internal import SegueWire

let gainMethods = [
  Method(
    name: "gain",
    summary: "How tracks are made equally loud, by ReplayGain or R128; sets what is given. Heard at once.",
    parameters: [
      .init(
        name: "mode", schema: .choice(GainMode.allCases.map(\.rawValue)),
        summary: "`auto`: by album while an album plays in order, else by track."),
      .init(
        name: "preamp", schema: .number(Gain.range), summary: "dB on top of the gain of every track that has one."),
    ],
    result: (name: "gain", schema: .named("Gain"))
  ) { call in
    let (mode, preamp): (GainMode?, _) = (call.word("mode"), call["preamp"]?.double)
    guard mode != nil || preamp != nil else { return call.reply.answer(call.player.gain) }
    call.player.setGain(mode: mode, preamp: preamp, then: call.reply.answer)
  }
]
