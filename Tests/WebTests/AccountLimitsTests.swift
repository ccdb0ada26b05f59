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

  @Test func theEndOfTheGatewayForgetsNoFailure() throws {
    _ = try fixture.register()
    for _ in 0..<5 { try failToSignIn() }
    try fixture.restart()
    try failToSignIn()
    let late = try fixture.signIn()
    #expect(late.kind == "rate_limited")
    #expect(late.json?["error"]?["data"]?["retryAfter"]?.double ?? 0 > 1, "the sixth failure, not the first one")
  }

  @Test func anAttemptThatCannotBeStoredIsNotMade() throws {
    _ = try fixture.register()
    let database = try database()
    try database.execute("BEGIN IMMEDIATE")
    let (right, wrong) = (try fixture.signIn(), try fixture.signIn("anna@example.com", "Wrong1"))
    #expect(right.kind == "unavailable")
    #expect(right.body == wrong.body)
    try database.execute("ROLLBACK")
    #expect(try fixture.signIn().kind == nil)
  }

  @Test func guessesFromElsewhereDelayNobodyWhereThePersonHasSignedIn() throws {
    let browser = try fixture.register()
    for address in UInt8(2)...7 { try failToSignIn(from: address) }
    let elsewhere = try fixture.signIn(from: 8)
    #expect(elsewhere.kind == "rate_limited")
    #expect(try fixture.signIn().kind == nil)
    try fixture.call("web.changePassword", #"{"old":"Secret1","new":"Secret2"}"#, as: browser)
    #expect(try fixture.signIn("anna@example.com", "Secret2").kind == nil)
  }

  @Test func theEightLastAddressesOfAPersonAreKnown() throws {
    _ = try fixture.register()
    for address in UInt8(2)...10 { #expect(try fixture.signIn(from: address).kind == nil) }
    #expect(try database().integer("SELECT count(*) FROM place") == 8)
    for address in UInt8(20)...25 { try failToSignIn(from: address) }
    #expect(try fixture.signIn().kind == "rate_limited", "the first address is not known any more")
    #expect(try fixture.signIn(from: 10).kind == nil)
  }

  @Test func guessesOfOneBrowserDoNotKeepAnotherFromChangingThePassword() throws {
    let phone = try fixture.register()
    let laptop = try WebFixture.Browser(fixture.signIn())
    let guess = #"{"old":"Wrong1","new":"Secret2"}"#
    for _ in 0..<5 { #expect(try fixture.post("web.changePassword", guess, as: laptop).kind == "denied") }
    #expect(try fixture.post("web.changePassword", guess, as: laptop).kind == "rate_limited")
    #expect(try fixture.post("web.deleteAccount", #"{"password":"Secret1"}"#, as: laptop).kind == "rate_limited")
    try fixture.call("web.changePassword", #"{"old":"Secret1","new":"Secret2"}"#, as: phone)
  }

  @Test func guessesOfABrowserThatWasSignedOutDelayNoOther() throws {
    let anna = try fixture.register()
    let guess = #"{"old":"Wrong1","new":"Secret2"}"#
    for _ in 0..<5 { #expect(try fixture.post("web.changePassword", guess, as: anna).kind == "denied") }
    try fixture.web("revoke", "\(try #require(try devices().first?["id"]?.int))")
    let eve = try register("eve")
    try fixture.call("web.changePassword", #"{"old":"Secret1","new":"Secret2"}"#, as: eve)
  }

  @Test func aValidCodeIsAcceptedWhateverHasFailed() throws {
    let code = #"{"token":"\#(try fixture.ticket(.invitation, .own))"}"#
    for _ in 0..<5 { #expect(try fixture.post("web.pair", code).kind == "denied") }
    #expect(try fixture.post("web.pair", code).kind == "rate_limited")
    #expect(try pair().role == "own")
    #expect(try fixture.post("web.pair", code).kind == "rate_limited")
  }

  @Test func aSuccessOfOneAccountPermitsNoMoreGuessesAtOthers() throws {
    _ = try register("eve")
    for number in 0..<4 { #expect(try fixture.signIn("v\(number)@example.com").kind == "denied") }
    #expect(try fixture.signIn("eve@example.com").kind == nil)
    #expect(try fixture.signIn("v4@example.com").kind == "denied")
    #expect(try fixture.signIn("v5@example.com").kind == "rate_limited")
  }

  @Test func anAddressWithWhichNobodyCanRegisterTakesNoRoomOfItsOwn() throws {
    for address in UInt8(2)...5 {
      let email = "\(address)" + String(repeating: "a", count: 50_000)
      #expect(try fixture.signIn(email, from: address).kind == "denied")
    }
    #expect(try database().integer("SELECT count(*) FROM attempt") == 5, "four networks, and one for all")
    #expect(try database().integer("SELECT max(length(subject)) FROM attempt") == 32)
  }

  // MARK: Registration

  @Test func whoAsksForAddressesThatAreRegisteredHasToWait() throws {
    _ = try fixture.register()
    for _ in 0..<5 { #expect(try fixture.post("web.register", WebFixture.anna, from: 2).kind == "exists") }
    #expect(try fixture.post("web.register", WebFixture.anna, from: 2).kind == "rate_limited")
    #expect(try fixture.signIn(from: 2).kind == "rate_limited")
    #expect(try fixture.signIn().kind == nil)
  }

  @Test func registrationsAreLimitedAlsoIfTheySucceed() throws {
    for number in 0..<5 { _ = try register("v\(number)") }
    let sixth = WebFixture.anna.replacing("anna@", with: "v5@")
    #expect(try fixture.post("web.register", sixth).kind == "rate_limited")
    #expect(try fixture.signIn("v0@example.com").kind == nil)
  }

  @Test func registrationsDoNotKeepAnybodyFromSigningIn() throws {
    _ = try fixture.register()
    let clients = try (UInt8(2)...9).map { address in
      let client = try fixture.connect(from: address)
      try client.send(
        fixture.request("web.register", WebFixture.anna.replacing("anna@", with: "v\(address)@")))
      return client
    }
    #expect(try fixture.signIn().kind == nil)
    let kinds = try clients.map { try $0.response().kind }
    #expect(Set(kinds).isSubset(of: [nil, "busy"]), "\(kinds)")
  }
}
