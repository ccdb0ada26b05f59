import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of settings that change at runtime.
@Suite struct SettingTests {
  private func setting(_ fixture: DaemonFixture, _ name: String) throws -> JSON {
    try fixture.client.call("settings.get", #"{"name":"\#(name)"}"#)
  }

  @discardableResult
  private func set(_ fixture: DaemonFixture, _ name: String, _ value: String) throws -> JSON {
    try fixture.client.call("settings.set", #"{"name":"\#(name)","value":\#(value)}"#)
  }

  @Test func everySettingHasAValueASourceALabelAndASummary() throws {
    let fixture = try DaemonFixture(
      configuration: "[Library]\nMusicFolder=/srv/a b\n[Player]\nPreamp=-2.5\nBookmarkAfter=20\n")
    try set(fixture, "player.restore", #""resume""#)
    let list = try #require(try fixture.client.call("settings.list")["settings"]?.elements)
    var settings: [String: String] = [:]
    for one in list {
      var json = JSONWriter()
      json.value(try #require(one["value"]))
      let value = String(decoding: json.bytes, as: UTF8.self)
      let source = try #require(one["source"]?.string)
      settings[try #require(one["name"]?.string)] = "\(value) \(source)"
      #expect(one["default"] != nil)
      #expect(["label", "summary"].allSatisfy { one[$0]?.string?.isEmpty == false })
    }
    #expect(settings["library.musicFolder"] == #"["file:///srv/a%20b"] segue.conf"#)
    #expect(settings["output.device"] == "null default")
    #expect(settings["player.restore"] == #""resume" chosen"#)
    #expect(settings["player.preamp"] == "-2.5 segue.conf")
    #expect(
      settings["player.bookmarkAfter"] == "20 segue.conf", "the source is segue.conf although the value is the default")
    #expect(settings["player.gracePeriod"] == "10 default")
    #expect(settings["player.preventClipping"] == "true default")
    #expect(
      list.filter { $0["changeable"]?.bool == false }.map { $0["name"]?.string }
        == ["library.musicFolder", "network.certificateAuthority"]
        + ["iTunesURL", "iTunesChartsURL", "tmdbURL", "tmdbImagesURL", "radioBrowserURL"].map { "catalog.\($0)" })
  }

  @Test func subscribersReceiveChangedSettings() throws {
    let fixture = try DaemonFixture()
    let listener = try fixture.daemon.connect()
    let first = try listener.call("subscribe", #"{"topics":["settings"]}"#)
    let names = try #require(first["settings"]?["settings"]?.elements).map { $0["name"]?.string }
    #expect(names.contains("player.preamp"))
    try set(fixture, "player.preamp", "0")
    func preamp(_ event: JSON) -> JSON? {
      event["settings"]?.elements?.first { $0["name"]?.string == "player.preamp" }
    }
    // The value is unchanged, but its source is the choice.
    #expect(preamp(try listener.event(of: "settings"))?["source"]?.string == "chosen")
    try set(fixture, "player.preamp", "0")
    try fixture.client.call("gain", #"{"preamp":3}"#)
    #expect(
      preamp(try listener.event(of: "settings"))?["value"]?.int == 3, "no event was sent for an unchanged setting")
  }

  @Test(arguments: [
    ("player.restor", #""resume""#, "not_found", "did you mean player.restore?"),
    ("replaygian", #""auto""#, "not_found", "did you mean player.replayGain?"),
    ("player.restore", #""resumed""#, "invalid_params", "did you mean resume?"),
    ("nope", #""x""#, "not_found", "there is no setting “nope”"),
    ("player.restore", #""abc""#, "invalid_params", "abc is not one of paused, resume, stopped"),
    ("player.gracePeriod", "-1", "invalid_params", "-1 is out of range: 0 to 86400 seconds"),
    ("player.gracePeriod", #""99999999999999999999""#, "invalid_params", "out of range: 0 to 86400 seconds"),
    ("player.gracePeriod", "1.5", "invalid_params", "1.5 is not a whole number"),
    ("player.preamp", "31", "invalid_params", "31 is out of range: -30 to 30 dB"),
    ("player.preamp", #""nan""#, "invalid_params", "dB from -30 to 30"),
    ("player.preventClipping", #""perhaps""#, "invalid_params", "is not yes or no"),
    ("player.preamp", "null", "invalid_params", "dB from -30 to 30"),
    ("library.musicFolder", #""/srv""#, "denied", "MusicFolder= in section [Library] of segue.conf"),
    ("player.preamp", "[1]", "invalid_params", "`value`"),
  ]) func anInvalidSettingIsRejectedWithASuggestion(name: String, value: String, kind: String, hint: String) throws {
    let daemon = try TestDaemon()
    let client = try daemon.connect()
    let error = try client.errorResponse(to: "settings.set", #"{"name":"\#(name)","value":\#(value)}"#)
    #expect(error.kind == kind)
    #expect(error.message.contains(hint), "\(error.message)")
    // The client prints the same error with a suggestion.
    let outcome = try ClientProcess.run(
      ["settings", "set", name, value.filter { $0 != "\"" }], environment: ["SEGUE_SOCKET": "\(daemon.socket)"])
    if value != "null" && value != "[1]" {
      #expect(outcome.code == 1 && outcome.errorText.contains(hint), "\(outcome.errorText)")
      #expect(!outcome.errorText.contains("ls -l"))
    }
    let list = try #require(try client.call("settings.list")["settings"]?.elements)
    #expect(list.allSatisfy { $0["source"]?.string == "default" })
  }
}
