import SegueAccounts
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of registration, signing in and devices through the real gateway.
@Suite struct AccountTests {
  private let fixture: WebFixture

  init() throws { fixture = try WebFixture() }

  @Test func whoRegistersIsSignedInAndSeesWhatIsStored() throws {
    let browser = try fixture.register()
    #expect(browser.role == "control")
    let person = try #require(try fixture.call("web.profile", as: browser)["person"])
    #expect(person["firstName"]?.string == "Anna")
    #expect(person["lastName"]?.string == "O'Neill-Smith")
    #expect(person["birthDate"]?.string == "1990-02-28")
    #expect(person["phone"]?.string == "+375 (29) 123-45-67")
    #expect(person["email"]?.string == "anna@example.com")
    let users = try #require(try fixture.web("users")["users"]?.elements)
    #expect(users.map { $0["email"]?.string } == ["anna@example.com"])
  }

  @Test func theServerNamesEveryFieldThatIsWrong() throws {
    try fixture.web("registration", "open")
    let response = try fixture.post(
      "web.register",
      #"{"firstName":"Анна","lastName":"","birthDate":"2020-01-01","phone":"1","email":"x","password":"abc"}"#)
    #expect(response.kind == "invalid_params")
    let fields = try #require(response.json?["error"]?["data"]?["fields"])
    #expect(fields["firstName"]?.string == "Use Latin letters.")
    #expect(fields["lastName"]?.string == "Enter a name.")
    #expect(fields["birthDate"]?.string == "You must be at least 18 years old.")
    #expect(fields["phone"]?.string == "Enter a number such as +375 (29) 123-45-67.")
    #expect(fields["email"]?.string == "Enter an address such as name@example.com.")
    #expect(fields["password"]?.string == "Use at least 6 characters.")
    #expect(response.header("set-cookie") == nil)
  }

  @Test func withoutAnInvitationNobodyRegistersUnlessTheOwnerPermitsIt() throws {
    #expect(try fixture.call("web.state")["registration"]?.string == "invitation")
    #expect(try fixture.post("web.register", WebFixture.anna).kind == "denied")
    try fixture.web("registration", "closed")
    #expect(try fixture.post("web.register", WebFixture.anna).kind == "denied")
    #expect(try fixture.web("users")["users"]?.count == 0)
  }

  @Test func anInvitationGivesItsRoleToOnePerson() throws {
    let token = try fixture.ticket(.invitation, .own)
    let invited = { (email: String) in
      WebFixture.anna.replacing("anna@example.com", with: email).replacing("}", with: #","invitation":"\#(token)"}"#)
    }
    let browser = try WebFixture.Browser(fixture.post("web.register", invited("anna@example.com")))
    #expect(browser.role == "own")
    #expect(try fixture.post("web.register", invited("eve@example.com")).kind == "denied")
  }

  @Test func anAddressIsRegisteredOnce() throws {
    _ = try fixture.register()
    #expect(try fixture.post("web.register", WebFixture.anna.replacing("anna@", with: "ANNA@")).kind == "exists")
  }

  @Test func anUnknownUserAndAWrongPasswordHaveTheSameAnswer() throws {
    _ = try fixture.register()
    let (unknown, wrong) = (try fixture.signIn("eve@example.com"), try fixture.signIn("anna@example.com", "Secret2"))
    #expect(unknown.kind == "denied")
    #expect(unknown.body == wrong.body)
    #expect(try fixture.signIn("ANNA@example.com").status == 200)
  }

  @Test func fromTheFifthWrongPasswordOnTheNextAttemptHasToWait() throws {
    _ = try fixture.register()
    for _ in 0..<5 { #expect(try fixture.signIn("anna@example.com", "Wrong1").kind == "denied") }
    let late = try fixture.signIn()
    #expect(late.kind == "rate_limited")
    #expect(late.json?["error"]?["data"]?["retryAfter"]?.double ?? 0 > 0)
  }

  @Test func aCodeSignsInOneBrowserWithoutAnAccount() throws {
    let token = try fixture.ticket(.pairing, .own)
    let browser = try WebFixture.Browser(fixture.post("web.pair", #"{"token":"\#(token)"}"#))
    #expect(browser.role == "own")
    #expect(try fixture.post("web.pair", #"{"token":"\#(token)"}"#).kind == "denied")
    #expect(try fixture.call("web.profile", as: browser)["person"]?.isNull == true)
    #expect(try fixture.post("web.devices", as: browser).kind == "not_found")
    #expect(try fixture.web("devices")["devices"]?.elements?.map { $0["role"]?.string } == ["own"])
  }

  @Test func aCookieIsWorthlessAfterSigningOut() throws {
    let browser = try fixture.register()
    let response = try fixture.post("web.signOut", as: browser)
    #expect(response.header("set-cookie")?.contains("Max-Age=0") == true)
    #expect(try fixture.post("status", as: browser).status == 401)
    #expect(try fixture.get("/events", as: browser).status == 401)
  }

  @Test func aNewPasswordSignsOutTheOtherDevices() throws {
    let phone = try fixture.register()
    let laptop = try WebFixture.Browser(fixture.signIn())
    #expect(try fixture.post("web.changePassword", #"{"old":"Wrong1","new":"Secret2"}"#, as: phone).kind == "denied")
    #expect(
      try fixture.post("web.changePassword", #"{"old":"Secret1","new":"short"}"#, as: phone).kind == "invalid_params")
    try fixture.call("web.changePassword", #"{"old":"Secret1","new":"Secret2"}"#, as: phone)
    #expect(try fixture.post("status", as: laptop).status == 401)
    #expect(try fixture.post("status", as: phone).status == 200)
    #expect(try fixture.signIn().kind == "denied")
    #expect(try fixture.signIn("anna@example.com", "Secret2").kind == nil)
  }

  @Test func aPersonSeesAndSignsOutOnlyOwnDevices() throws {
    let phone = try fixture.register()
    let laptop = try WebFixture.Browser(fixture.signIn())
    let eve = try fixture.register(WebFixture.anna.replacing("anna@", with: "eve@"))
    let devices = try #require(try fixture.call("web.devices", as: phone)["devices"]?.elements)
    #expect(devices.map { $0["current"]?.bool } == [false, true])
    let other = try #require(devices.first?["id"]?.int)
    #expect(try fixture.call("web.removeDevice", #"{"id":\#(other)}"#, as: eve)["removed"]?.bool == false)
    #expect(try fixture.post("status", as: laptop).status == 200)
    #expect(try fixture.call("web.removeDevice", #"{"id":\#(other)}"#, as: phone)["removed"]?.bool == true)
    #expect(try fixture.post("status", as: laptop).status == 401)
  }

  @Test func aDeletedAccountLeavesNothing() throws {
    let browser = try fixture.register()
    let refused = try fixture.post("web.deleteAccount", #"{"password":"Wrong1"}"#, as: browser)
    #expect(refused.kind == "denied", "\(refused.text)")
    try fixture.call("web.deleteAccount", #"{"password":"Secret1"}"#, as: browser)
    #expect(try fixture.post("status", as: browser).status == 401)
    #expect(try fixture.web("users")["users"]?.count == 0)
    #expect(try fixture.web("devices")["devices"]?.count == 0)
    let folder = fixture.library.daemon.directory.appending("home/.local/state/segue/web")
    for name in try Folder.names(in: folder) {
      let bytes = try SmallFile.read(folder.appending(String(decoding: name, as: UTF8.self)), upTo: 16 << 20)
      #expect(name.starts(with: "accounts.db-wal".utf8) || bytes.firstRange(of: Array("anna@example.com".utf8)) == nil)
    }
  }

  @Test func aRevocationAndAnotherRoleApplyToOpenPagesAtOnce() throws {
    let browser = try fixture.register()
    let events = try fixture.events(of: browser)
    #expect(try events.event().name == "snapshot")
    try fixture.web("role", "anna@example.com", "listen")
    #expect(throws: HTTPClient.Closed.self) { while true { _ = try events.event() } }
    #expect(try fixture.post("volume", "[10]", as: browser).kind == "denied")
    #expect(try fixture.post("status", as: browser).kind == nil)
    let again = try fixture.events(of: browser)
    #expect(try again.event().name == "snapshot")
    let device = try #require(try fixture.web("devices")["devices"]?.elements?.first?["id"]?.int)
    try fixture.web("revoke", "\(device)")
    #expect(throws: HTTPClient.Closed.self) { while true { _ = try again.event() } }
    #expect(try fixture.post("status", as: browser).status == 401)
  }

  @Test(arguments: 0..<5) func severalProcessesMayMakeTheDatabaseAtTheSameTime(round: Int) throws {
    let folder = try TemporaryFolder()
    let environment = ["HOME": "\(folder.path)", "XDG_RUNTIME_DIR": "\(folder.path)"]
    let processes = try (0..<6).map { number in
      try ClientProcess(["web", "registration", ["open", "closed"][number % 2]], environment: environment)
    }
    for process in processes {
      let outcome = try process.finish()
      #expect(outcome.code == 0, "\(outcome.errorText)")
    }
    let outcome = try ClientProcess.run(["web", "registration", "--json"], environment: environment)
    #expect(
      [#"{"registration":"open"}"#, #"{"registration":"closed"}"#].contains(outcome.lines.first), "\(outcome.text)")
  }

  @Test func theDatabaseIsReadableByItsOwnerOnlyAndContainsNoPasswordAndNoToken() throws {
    let browser = try fixture.register()
    let folder = fixture.library.daemon.directory.appending("home/.local/state/segue/web")
    #expect(mode(of: folder) == 0o700)
    for name in try Folder.names(in: folder) {
      let path = folder.appending(String(decoding: name, as: UTF8.self))
      #expect(mode(of: path) == 0o600, "\(path)")
      let bytes = try SmallFile.read(path, upTo: 16 << 20)
      for secret in ["Secret1", String(browser.cookie.dropFirst("segue=".count))] {
        #expect(bytes.firstRange(of: Array(secret.utf8)) == nil, "\(path)")
      }
    }
  }
}
