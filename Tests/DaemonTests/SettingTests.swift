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
}
