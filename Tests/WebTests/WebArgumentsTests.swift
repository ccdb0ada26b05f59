import SegueAccounts
import SegueClientKit
import SegueTestKit
import SegueWire
import Testing

@testable import SegueWebCommands

/// Tests of the words after `segue web`.
@Suite struct WebArgumentsTests {
  private func command(_ text: String) throws -> WebCommand {
    try WebArguments(text.split(separator: " ").map(String.init)).command
  }

  @Test func everyCommandIsUnderstood() throws {
    #expect(try command("") == .status)
    #expect(try command("on") == .on(WebService.Listening(reach: .machine, port: 7348)))
    #expect(try command("on --lan --port 80") == .on(WebService.Listening(reach: .network, port: 80)))
    #expect(try command("off") == .off)
    #expect(try command("pair") == .pair(.own))
    #expect(try command("pair --role listen") == .pair(.listen))
    #expect(try command("invite") == .invite(.control))
    #expect(try command("registration") == .registration(nil))
    #expect(try command("registration open") == .registration(.open))
    #expect(try command("role anna@example.com own") == .setRole(.own, user: "anna@example.com"))
    #expect(try command("remove 3") == .remove(user: "3"))
    #expect(try command("revoke 12") == .revoke(device: 12))
    #expect(try WebArguments(["users", "--json"]).isJSON)
  }

  @Test(arguments: [
    ("onn", "there is no command “onn”"), ("on --lna", "unknown option --lna"),
    ("on --port 0", "--port requires a number from 1 to 65535"),
    ("on --port", "--port requires a number from 1 to 65535"),
    ("on now", "unexpected word: now"), ("role anna", "a role is required: listen, control, own"),
    ("role", "a role is required: listen, control, own"),
    ("pair --role boss", "a role is required: listen, control, own"),
    ("remove", "remove requires a user"), ("revoke", "revoke requires the number of a device"),
    ("registration maybe", "registration is one of invitation, open, closed"),
  ])
  func aMistakeIsNamed(text: String, message: String) {
    let error = thrown(ClientError.self) { try command(text) }
    #expect(error?.message == message)
    #expect(error?.exit == .usage)
  }
}
