internal import SeguePlayer
internal import SegueWire

private let named = Method.Parameter(
  name: "name", schema: .string,
  summary: "The name, such as `player.replayGain`, or its last part alone; case is ignored.",
  isRequired: true)
private let setting = (name: "setting", schema: Schema.named("Setting"))

let settingMethods = [
  Method(
    name: "settings.list",
    summary: "Lists the settings of segue.conf with their values, the sources of the values, and the permitted values.",
    result: (name: "settings", schema: .named("SettingList"))
  ) { call in
    call.responder.send(call.player.settingList)
  },
  Method(
    name: "settings.get", summary: "Returns a setting.", parameters: [named], result: setting, errors: [.notFound]
  ) { call in
    call.responder.send(Result { () throws(Failure) in try call.player.setting(call.string("name") ?? "") })
  },
  Method(
    name: "settings.set",
    summary:
      "Overrides the value of segue.conf until the value there changes. Takes effect at once and survives a restart.",
    parameters: [
      named,
      .init(
        name: "value", schema: .nullable(.either(.string, .either(.number(), .boolean))),
        summary:
          "A string in the syntax of segue.conf is valid for every setting; null and an empty string mean no device.",
        isRequired: true),
    ],
    result: setting, savesState: true, errors: [.notFound, .denied, .unavailable]
  ) { call in
    call.player.set(call.string("name") ?? "", to: call.settingText("value"), then: call.responder.send)
  },
  Method(
    name: "settings.reset", summary: "Restores the value of segue.conf.", parameters: [named], result: setting,
    savesState: true,
    errors: [.notFound, .denied]
  ) { call in
    call.player.reset(call.string("name") ?? "", then: call.responder.send)
  },
]

extension Call {
  /// Returns the value of a parameter in the syntax of `segue.conf`.
  fileprivate func settingText(_ name: String) -> String {
    guard let value = self[name] else { return "" }
    let plain: SettingValue? =
      switch value.kind {
      case .bool: value.bool.map { .flag($0) }
      case .integer: value.integer.map { .whole(Int($0)) }
      case .real: value.double.map { .number($0) }
      case .string, .null, .object, .array: .text(value.string)
      }
    return plain?.text ?? ""
  }
}
