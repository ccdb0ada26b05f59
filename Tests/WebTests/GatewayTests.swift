import Glibc
import SegueAccounts
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of the way from a browser to the daemon and back.
@Suite struct GatewayTests {
  private let fixture: WebFixture

  init() throws { fixture = try WebFixture() }

  @Test func onlyWhoIsSignedInReachesTheDaemon() throws {
    for method in ["status", "library.albums", "rpc.discover", "web.profile", "web.devices", "no.such.method"] {
      #expect(try fixture.post(method).status == 401, "\(method)")
    }
    #expect(try fixture.get("/events").status == 401)
    #expect(try fixture.get("/art/ab/cd.jpeg").status == 401)
  }

  @Test func aCallHasTheResultAndTheErrorOfTheDaemon() throws {
    let browser = try fixture.register()
    #expect(try fixture.call("library.albums", as: browser)["albums"]?.count == 3)
    #expect(try fixture.call("volume", "[30]", as: browser)["volume"]?.int == 30)
    #expect(try fixture.library.client.call("status")["volume"]?.int == 30)
    #expect(try fixture.post("volume", "[300]", as: browser).kind == "invalid_params")
    #expect(try fixture.post("no.such.method", as: browser).kind == "method_not_found")
  }

  @Test func aBrowserCannotDoMoreThanItsRole() throws {
    let browser = try fixture.register()
    for (method, params) in [
      ("daemon.shutdown", "[]"), ("settings.set", #"["player.fade",5]"#), ("library.scan", #"[["/etc"]]"#),
      ("lyrics", #"["file:///etc/passwd"]"#), ("art", #"["file:///etc/passwd"]"#), ("rpc.restrict", #"["own"]"#),
      ("queue.add", #"[["file:///etc/passwd"]]"#), ("queue.add", #"[["http://127.0.0.1:1/"]]"#),
    ] {
      #expect(try fixture.post(method, params, as: browser).kind == "denied", "\(method)")
    }
    let owner = try WebFixture.Browser(fixture.post("web.pair", #"{"token":"\#(fixture.ticket(.pairing, .own))"}"#))
    #expect(try fixture.post("daemon.shutdown", as: owner).kind == "denied")
    #expect(try fixture.call("settings.set", #"["player.fade",5]"#, as: owner)["value"]?.int == 5)
    #expect(try fixture.library.client.call("status")["state"] != nil, "the daemon runs")
  }

  @Test func aStreamBeginsWithTheWholeStateAndContinuesWithEveryChange() throws {
    let browser = try fixture.register()
    let events = try fixture.events(of: browser)
    let snapshot = try events.event()
    #expect(snapshot.name == "snapshot")
    #expect(snapshot.data["data"]?["status"]?["state"]?.string == "stopped")
    #expect(snapshot.data["now"]?.double ?? 0 > 0)
    try fixture.library.client.call("volume", "[41]")
    while true {
      let event = try events.event()
      guard event.name == "player" else { continue }
      #expect(event.data["data"]?["volume"]?.int == 41)
      break
    }
  }

  @Test func everyBrowserSeesWhatAnotherOneChanges() throws {
    let anna = try fixture.register()
    let eve = try fixture.register(WebFixture.anna.replacing("anna@", with: "eve@"))
    let events = try fixture.events(of: eve)
    #expect(try events.event().name == "snapshot")
    try fixture.call("volume", "[17]", as: anna)
    while true {
      let event = try events.event()
      if event.name == "player", event.data["data"]?["volume"]?.int == 17 { break }
    }
  }

  @Test func afterARestartOfTheDaemonAPageGetsTheWholeStateAgain() throws {
    let browser = try fixture.register()
    let events = try fixture.events(of: browser)
    #expect(try events.event().name == "snapshot")
    fixture.library.daemon.kill()
    #expect(try events.event().name == "offline")
    #expect(try fixture.post("status", as: browser).kind == "unavailable")
    try fixture.library.restart()
    while try events.event().name != "snapshot" {}
    #expect(try fixture.call("status", as: browser)["state"] != nil)
  }

  @Test func theDaemonSendsAsManyEventsAsAPageReads() throws {
    let browser = try fixture.register()
    let events = try fixture.events(of: browser)
    #expect(try events.event().name == "snapshot")
    // The page sleeps meanwhile: what it gets afterwards is the last state, not every one.
    for round in 0..<3_000 { try fixture.library.client.call("volume", "[\(round % 100)]") }
    try fixture.library.client.call("volume", "[77]")
    var count = 0
    while true {
      let event = try events.event()
      count += 1
      if event.name == "player", event.data["data"]?["volume"]?.int == 77 { break }
    }
    #expect(count < 3_001)
  }

  @Test(.disabled(if: Sanitizer.isOn, "requests take longer than the limit permits"))
  func oneBrowserThatAsksTooOftenIsSlowedDownAloneAndNothingElseIs() throws {
    let anna = try fixture.register()
    let eve = try fixture.register(WebFixture.anna.replacing("anna@", with: "eve@"))
    let client = try fixture.connect()
    var refused = 0
    for _ in 0..<400 {
      try client.send(fixture.request("status", as: anna))
      let response = try client.response()
      if response.status == 429 { refused += 1 }
    }
    #expect(refused > 0)
    #expect(try fixture.post("status", as: eve).status == 200)
  }

  /// The connections of the gateway.
  private func sockets() throws -> Int {
    try Folder.names(in: FilePath("/proc/\(fixture.pid)/fd")).count { name in
      let path = FilePath("/proc/\(fixture.pid)/fd").appending(String(decoding: name, as: UTF8.self))
      return "\(path.linkTarget)".contains("socket:")
    }
  }

  @Test func whoSignsOutGetsAnAnswerToEveryRequestThatIsOpen() throws {
    let browser = try fixture.register()
    #expect(try fixture.post("status", as: browser).status == 200)
    let daemon = try #require(fixture.library.daemon.pid)
    kill(daemon, SIGSTOP)
    defer { kill(daemon, SIGCONT) }
    let clients = try (0..<20).map { _ in
      let client = try fixture.connect()
      try client.send(fixture.request("status", as: browser))
      return client
    }
    try fixture.call("web.signOut", as: browser)
    for client in clients { #expect([401, 503].contains(try client.response().status)) }
  }

  @Test func aClientThatGoesAwayIsForgottenWhileTheDaemonHangs() throws {
    let browser = try fixture.register()
    #expect(try fixture.post("status", as: browser).status == 200)
    let before = try sockets()
    let daemon = try #require(fixture.library.daemon.pid)
    kill(daemon, SIGSTOP)
    defer { kill(daemon, SIGCONT) }
    var clients: [HTTPClient] = []
    for _ in 0..<40 {
      clients.append(try fixture.connect())
      try clients.last?.send(fixture.request("status", as: browser))
    }
    try waitUntil("the gateway has all requests") { try sockets() >= 40 }
    clients = []
    try waitUntil("the gateway has closed the connections") { try sockets() <= before }
  }

  @Test func theEndOfTheConnectorIsReported() throws {
    _ = try fixture.register()
    let children = try SmallFile.read(FilePath("/proc/\(fixture.pid)/task/\(fixture.pid)/children"), upTo: 4_096)
    let connector = try #require(Int32(String(decoding: children, as: UTF8.self).split(separator: " ").first ?? ""))
    kill(connector, SIGKILL)
    try waitUntil("the gateway has ended") { !fixture.isRunning }
    #expect(fixture.log.contains("the process that connects to segued has ended"), "\(fixture.log)")
  }

  @Test func theGatewayIsConfined() throws {
    _ = try fixture.register()
    let status = try SmallFile.read(FilePath("/proc/\(fixture.pid)/status"), upTo: 64 << 10)
    let lines = String(decoding: status, as: UTF8.self).split(separator: "\n")
    #expect(lines.contains("NoNewPrivs:\t1"))
    #expect(lines.contains("Seccomp:\t2"))
    #expect(!fixture.log.contains("error"), "\(fixture.log)")
  }

  @Test func withoutBrowsersTheGatewayEnds() throws {
    #expect(try fixture.get("/").status == 200)
    try waitUntil("the gateway has ended", every: .milliseconds(200), within: .seconds(100)) { !fixture.isRunning }
  }
}
