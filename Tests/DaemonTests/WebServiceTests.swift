import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of the units of the web remote under a real `systemd --user`, and of the commands that change them.
@Suite(.enabled(if: UserManager.isAllowed, "only root may start a separate service manager")) struct WebServiceTests {
  /// A port that no test and no program of this machine uses.
  private let port: UInt16 = 17_348
  private let manager: UserManager

  init() throws { manager = try UserManager() }

  /// Executes `segue web` as the user, and returns its result.
  @discardableResult
  private func web(_ words: String...) throws -> JSON {
    try JSON(
      parsing: Array(
        try manager.run([manager.home.appending(".local/bin/segue").description, "web"] + words + ["--json"]).utf8))
  }

  private func get(_ host: String) throws -> HTTPClient.Response {
    let client = try HTTPClient(port: port)
    try client.send("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n")
    return try client.response()
  }

  @Test func theFirstBrowserStartsTheGatewayAndOffEndsIt() throws {
    #expect(try web("status")["on"]?.bool == false)
    let pairing = try web("on", "--port", "\(port)")
    #expect(pairing["url"]?.string?.hasPrefix("http://127.0.0.1:\(port)/#pair=") == true)
    #expect(pairing["role"]?.string == "own")
    #expect(try manager.property("ActiveState", of: "segue-web.service") == "inactive")
    #expect(try get("127.0.0.1").status == 200)
    try manager.wait(for: "ActiveState", "active", of: "segue-web.service")
    let status = try web("status")
    #expect(status["on"]?.bool == true)
    #expect(status["reach"]?.string == "machine")
    #expect(status["addresses"]?.elements?.map(\.string) == ["http://127.0.0.1:\(port)/"])
    try web("off")
    #expect(throws: SystemError.self) { try HTTPClient(port: port) }
    #expect(try manager.property("Result", of: "segue-web.service") == "success")
    #expect(try manager.property("UnitFileState", of: "segue-web.socket") == "disabled")
  }

  @Test func onTheNetworkItListensAtAllAddressesUntilItIsTurnedOnForThisMachineAgain() throws {
    try web("on", "--lan", "--port", "\(port)")
    #expect(try web("status")["reach"]?.string == "network")
    #expect(try manager.property("Listen", of: "segue-web.socket").hasPrefix("[::]:\(port)"))
    #expect(try get("127.0.0.1").status == 200)
    try web("on", "--port", "\(port)")
    #expect(try web("status")["reach"]?.string == "machine")
    #expect(try get("127.0.0.1").status == 200)
  }

  @Test func theGatewayStartsTheDaemonAndItsUnitRestrictsNothingThatItNeeds() throws {
    try web("registration", "open")
    try web("on", "--port", "\(port)")
    let client = try HTTPClient(port: port)
    let body = """
      {"method":"web.register","params":{"firstName":"Anna","lastName":"Smith","birthDate":"1990-01-01",\
      "phone":"+375291234567","email":"a@example.com","password":"Secret1"}}
      """
    try client.send(
      "POST /rpc HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nContent-Type: application/json\r\n"
        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
    let response = try client.response()
    #expect(response.json?["result"]?["role"]?.string == "control", "\(response.text)")
    let cookie = try #require(response.header("set-cookie")).prefix { $0 != ";" }
    let call = #"{"method":"status"}"#
    try client.send(
      "POST /rpc HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nContent-Type: application/json\r\n"
        + "Cookie: \(cookie)\r\nContent-Length: \(call.utf8.count)\r\n\r\n\(call)")
    #expect(try client.response().json?["result"]?["state"]?.string == "stopped", "the gateway has started segued")
    let users = try #require(try web("users")["users"]?.elements)
    #expect(users.map { $0["email"]?.string } == ["a@example.com"])
  }
}
