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

  private func restart(_ fixture: DaemonFixture) throws {
    fixture.daemon.kill()
    try fixture.daemon.start()
    try fixture.reconnect()
  }

  private func write(_ fixture: DaemonFixture, _ configuration: String) throws {
    try AudioFile.write(
      Array(configuration.utf8), to: fixture.daemon.directory.appending("home/.config/segue/segue.conf"))
  }

  @Test func everySettingHasAValueASourceAndASummary() throws {
    let fixture = try DaemonFixture(
      .null("test"), configuration: "[Library]\nMusicFolder=/srv/a b\n[Player]\nPreamp=-2.5\nBookmarkAfter=20\n")
    try set(fixture, "player.restore", #""resume""#)
    let list = try #require(try fixture.client.call("settings.list")["settings"]?.elements)
    var settings: [String: String] = [:]
    for one in list {
      var json = JSONWriter()
      json.value(try #require(one["value"]))
      let value = String(decoding: json.bytes, as: UTF8.self)
      let source = try #require(one["source"]?.string)
      settings[try #require(one["name"]?.string)] = "\(value) \(source)"
      #expect(one["default"] != nil && one["summary"]?.string?.isEmpty == false)
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

  /// A setting is saved before the response, so it survives a kill directly after it.
  @Test func aChosenSettingIsSavedAndCanBeReset() throws {
    let fixture = try DaemonFixture(.null("test"), configuration: "[Player]\nGracePeriod=7\n")
    #expect(try set(fixture, "player.preventClipping", "false")["value"]?.bool == false)
    #expect(try set(fixture, "GracePeriod", "30")["value"]?.int == 30)
    #expect(try set(fixture, "PLAYER.fallbackgain", #""-1.5""#)["name"]?.string == "player.fallbackGain")
    try restart(fixture)
    for (name, value) in [("player.preventClipping", "no"), ("player.gracePeriod", "30"), ("preamp", "0")] {
      let client = try ClientProcess.run(
        ["settings", "get", name], environment: ["SEGUE_SOCKET": "\(fixture.daemon.socket)"])
      #expect(client.lines == [value], "\(name)")
    }
    #expect(try setting(fixture, "player.fallbackGain")["source"]?.string == "chosen")
    #expect(Gain(try fixture.client.call("gain")).fallback == -1.5)
    let reset = try fixture.client.call("settings.reset", #"{"name":"player.gracePeriod"}"#)
    #expect(reset["value"]?.int == 7 && reset["source"]?.string == "segue.conf")
    try restart(fixture)
    #expect(try setting(fixture, "player.gracePeriod")["value"]?.int == 7)
  }

  @Test func aChosenSettingTakesEffectAtOnce() throws {
    let fixture = try DaemonFixture(.null("test"))
    try fixture.add([try fixture.track("long", 0..<(60 * Signal.rate))], play: true)
    try fixture.wait { $0.output.state == .open && $0.rate == 1 }
    try set(fixture, "player.gracePeriod", "0")
    try fixture.call("pause")
    try fixture.wait { $0.output.state == .idle }
    // The next start reads the setting first.
    try set(fixture, "player.restore", #""resume""#)
    try fixture.call("play")
    try fixture.wait { $0.rate == 1 }
    try restart(fixture)
    try fixture.wait { $0.state == .playing && $0.rate == 1 }
  }

  @Test func theOutputIsASetting() throws {
    let fixture = try DaemonFixture(.null("test"), configuration: "[Output]\nDevice=test\n")
    try fixture.server.pactl("load-module", "module-null-sink", "sink_name=other")
    try fixture.add([try fixture.track("long", 0..<(60 * Signal.rate))], play: true)
    try fixture.wait { $0.output.device == "test" }
    #expect(try set(fixture, "output.device", #""other""#)["value"]?.string == "other")
    try fixture.wait { $0.output.device == "other" }
    let error = try fixture.client.errorResponse(to: "settings.set", #"{"name":"output.device","value":"othr"}"#)
    #expect(error.kind == "not_found" && error.message.contains("other"))
    // No output is a valid choice: the default of the server instead of the output in segue.conf, after a restart too.
    #expect(try set(fixture, "output.device", "null")["value"]?.isNull == true)
    try restart(fixture)
    #expect(try setting(fixture, "output.device")["source"]?.string == "chosen")
    try fixture.client.call("output.set", #"{"device":"other"}"#)
    #expect(try setting(fixture, "output.device")["value"]?.string == "other")
  }

  @Test func subscribersReceiveChangedSettings() throws {
    let fixture = try DaemonFixture(.null("test"))
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

  /// A changed configuration file takes precedence, whether the daemon was running or not.
  @Test(arguments: [true, false]) func aChangedConfigurationOverridesAChosenValue(isRunning: Bool) throws {
    let fixture = try DaemonFixture(.null("test"), configuration: "[Player]\nPreamp=1\n")
    try set(fixture, "player.preamp", "2")
    try set(fixture, "player.bookmarkAfter", "5")
    func reread(_ text: String) throws {
      try write(fixture, text)
      guard isRunning else { return try restart(fixture) }
      fixture.daemon.signal(SIGHUP)
      _ = try fixture.daemon.notification { $0.contains("RELOADING=1") }
      _ = try fixture.daemon.notification { $0.contains("READY=1") }
    }
    try reread("[Player]\nRestore=stopped\nPreamp=1.0\n")
    #expect(try setting(fixture, "player.preamp")["value"]?.int == 2, "the configuration file is unchanged")
    try reread("[Player]\nPreamp=4\n")
    #expect(try setting(fixture, "player.preamp")["value"]?.int == 4)
    // The chosen value has been removed.
    try reread("[Player]\nPreamp=1\n")
    #expect(try setting(fixture, "player.preamp")["source"]?.string == "segue.conf")
    #expect(try setting(fixture, "player.preamp")["value"]?.int == 1)
    #expect(try setting(fixture, "player.bookmarkAfter")["value"]?.int == 5)
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
    let daemon = try DaemonProcess()
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
