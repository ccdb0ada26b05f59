import SegueAccounts
import SegueSQLite
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of what one person, or a stranger, can take from others: their browsers, their attempts and their turns.
@Suite struct AccountLimitsTests {
  private let fixture: WebFixture

  init() throws { fixture = try WebFixture() }

  private func database() throws -> SQLiteConnection {
    try SQLiteConnection(path: fixture.database, busyTimeout: .seconds(5))
  }

  private func pair() throws -> WebFixture.Browser {
    try WebFixture.Browser(fixture.post("web.pair", #"{"token":"\#(fixture.ticket(.pairing, .own))"}"#))
  }

  private func register(_ name: String) throws -> WebFixture.Browser {
    try fixture.register(WebFixture.anna.replacing("anna@", with: "\(name)@"))
  }

  // MARK: Devices

  /// Adds browsers that have been used a moment ago.
  private func addDevices(_ count: Int, ofPerson person: Int?) throws {
    let now = UnixTime.now.nanoseconds
    let database = try database()
    try database.transaction { () throws(StoreError) in
      for number in 0..<count {
        try database.statement(
          "INSERT INTO device (token, person, name, role, added, used) VALUES (?, ?, 'many', ?, ?4, ?4)",
          Array("\(person ?? 0).\(number)".utf8), person.map(Int64.init), person == nil ? "own" : nil, now
        ).run()
      }
    }
  }

  private func devices() throws -> [JSON] { try #require(try fixture.web("devices")["devices"]?.elements) }

  @Test func signingInOftenSignsOutOnlyOwnBrowsersThatWereSignedInWithAPassword() throws {
    let (owner, eve) = (try pair(), try register("eve"))
    let anna = try fixture.register()
    let events = try fixture.events(of: anna)
    let id = try #require(try fixture.web("users")["users"]?.elements?.last?["id"]?.int)
    try addDevices(1_000, ofPerson: id)
    _ = try WebFixture.Browser(fixture.signIn())
    #expect(try fixture.post("status", as: owner).status == 200)
    #expect(try fixture.post("status", as: eve).status == 200)
    #expect(try fixture.post("status", as: anna).status == 401, "the one that was not used for the longest time")
    #expect(throws: HTTPClient.Closed.self) { while true { _ = try events.event() } }
    #expect(try devices().filter { $0["user"]?.string == "anna@example.com" }.count == 32)
  }

  @Test func pairingOftenSignsOutOnlyPairedBrowsers() throws {
    let (owner, eve) = (try pair(), try register("eve"))
    try addDevices(1_000, ofPerson: nil)
    let other = try pair()
    #expect(try fixture.post("status", as: owner).status == 401, "the one that was not used for the longest time")
    #expect(try fixture.post("status", as: other).status == 200)
    #expect(try fixture.post("status", as: eve).status == 200)
    #expect(try devices().filter { $0["user"]?.isNull == true }.count == 100)
  }

  @Test func aBrowserThatSignsInAgainReplacesItsFormerEntry() throws {
    let first = try fixture.register()
    let events = try fixture.events(of: first)
    let second = try WebFixture.Browser(fixture.signIn(as: first))
    #expect(try fixture.post("status", as: first).status == 401)
    #expect(throws: HTTPClient.Closed.self) { while true { _ = try events.event() } }
    let token = try fixture.ticket(.pairing, .own)
    let third = try WebFixture.Browser(fixture.post("web.pair", #"{"token":"\#(token)"}"#, as: second))
    #expect(try fixture.post("status", as: second).status == 401)
    let eve = WebFixture.anna.replacing("anna@", with: "eve@")
    let fourth = try WebFixture.Browser(fixture.post("web.register", eve, as: third))
    #expect(try fixture.post("status", as: third).status == 401)
    #expect(try fixture.post("status", as: fourth).status == 200)
    #expect(try devices().count == 1)
  }

  @Test func anAttemptThatFailsReplacesNothing() throws {
    let browser = try fixture.register()
    #expect(try fixture.signIn("anna@example.com", "Wrong1", as: browser).kind == "denied")
    #expect(try fixture.post("web.register", WebFixture.anna, as: browser).kind == "exists")
    #expect(try fixture.post("status", as: browser).status == 200)
  }

  @Test(arguments: 0..<4) func noBrowserThatWasSignedInWithAFormerPasswordStays(round: Int) throws {
    let phone = try fixture.register()
    let client = try fixture.connect()
    try client.send(fixture.request("web.changePassword", #"{"old":"Secret1","new":"Secret2"}"#, as: phone))
    var browsers: [WebFixture.Browser] = []
    while true {
      let response = try fixture.signIn()
      if response.kind == "denied" { break }
      if response.kind == nil { browsers.append(try WebFixture.Browser(response)) }
    }
    #expect(try client.response().kind == nil)
    for browser in browsers { #expect(try fixture.post("status", as: browser).status == 401) }
    #expect(try fixture.post("status", as: phone).status == 200)
  }

  // MARK: Attempts

  /// Signs in with a wrong password as soon as that may be tried.
  private func failToSignIn(from address: UInt8 = 1) throws {
    try waitUntil("the attempt is permitted", every: .milliseconds(50)) {
      try fixture.signIn("anna@example.com", "Wrong1", from: address).kind == "denied"
    }
  }

  // MARK: Registration
}
