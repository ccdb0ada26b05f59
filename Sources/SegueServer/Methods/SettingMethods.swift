internal import SeguePlayer
internal import SegueWire

private let named = Method.Parameter(
  name: "name", schema: .string, summary: "As `player.replayGain`, or the last part alone; capitals do not matter.",
  isRequired: true)
private let setting = (name: "setting", schema: Schema.named("Setting"))

let settingMethods = [
  Method(
    name: "settings.list", summary: "What segue.conf can say: how it is, why, and what may be chosen in its place.",
    result: (name: "settings", schema: .named("SettingList"))
  ) { call in
    call.reply.answer(call.player.settingList)
  },
  Method(
    name: "settings.get", summary: "One of the settings.", parameters: [named], result: setting, errors: [.notFound]
  ) { call in
    call.reply.answer(Result { () throws(Failure) in try call.player.setting(call.string("name") ?? "") })
  },
  Method(
    name: "settings.set",
    summary:
      "Chooses a value in the place of what segue.conf says, until that is changed there. It has effect at once, and "
      + "outlives the daemon.",
    parameters: [
      named,
      .init(
        name: "value", schema: .nullable(.either(.string, .either(.number(), .boolean))),
        summary: "A string as segue.conf has it will do for all of them; null and an empty one are no device.",
        isRequired: true),
    ],
    result: setting, errors: [.notFound, .denied, .unavailable]
  ) { call in
    call.player.set(call.string("name") ?? "", to: call.settingText("value"), then: call.reply.answer)
  },
  Method(
    name: "settings.reset", summary: "Goes back to what segue.conf says.", parameters: [named], result: setting,
    errors: [.notFound, .denied]
  ) { call in
    call.player.reset(call.string("name") ?? "", then: call.reply.answer)
  },
]

extension Call {
  /// As `segue.conf` would have it.
  fileprivate func settingText(_ name: String) -> String {
    guard let value = self[name] else { return "" }
    let plain: SettingValue? =
      switch value.kind {
      case .bool: value.bool.map { .flag($0) }
      case .integer: value.integer.map { .whole(Int($0)) }
      case .real: value.double.map { .number($0) }
      default: .text(value.string)
      }
    return plain?.text ?? ""
  }
}
