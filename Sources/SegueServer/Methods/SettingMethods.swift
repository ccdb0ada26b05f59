internal import SeguePlayer
internal import SegueWire

let settingMethods = [
  Method(SettingsListRequest.self) { call in call.responder.send(call.player.settingList) },
  Method(SettingsGetRequest.self) { call throws(Failure) in
    call.responder.send(try call.player.setting(call.request.name))
  },
  Method(SettingsSetRequest.self) { call in
    call.player.set(call.request.name, to: call.request.value?.text ?? "", then: call.responder.send)
  },
  Method(SettingsResetRequest.self) { call in call.player.reset(call.request.name, then: call.responder.send) },
]

extension SettingInput {
  /// The value in the syntax of `segue.conf`.
  fileprivate var text: String {
    switch self {
    case .flag(let flag): SettingValue.flag(flag).text
    case .whole(let number): SettingValue.whole(number).text
    case .number(let number): SettingValue.number(number).text
    case .text(let text): text
    }
  }
}
