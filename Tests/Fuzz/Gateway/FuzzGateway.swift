import SegueAccounts
import SegueSystem

@testable import SegueWeb

/// Reads the input as what the gateway for browsers parses itself: each line is a header, the name of a picture, or a
/// field of the registration.
func fuzzGateway(_ input: UnsafeRawBufferPointer) {
  let lines = input.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
    String(decoding: $0, as: UTF8.self)
  }
  let line = { (index: Int) in lines.indices.contains(index) ? lines[index] : "" }
  let facts = RequestRules.Facts(
    method: line(0), path: line(1), host: line(2), origin: line(3), hasOrigin: true,
    site: line(4).isEmpty ? nil : line(4),
    contentType: line(5))
  if rules.refusal(of: facts) == nil { check(facts) }
  if ArtFiles.isValid(line(1)[...]) {
    precondition(!line(1).contains("../"), "a picture in another folder")
    precondition(line(1).split(separator: "/").count == 2, "a picture below another folder")
  }
  if let token = Token(line(6)) { precondition(token.text == line(6) && token.hash.count == 32, "another token") }
  _ = DeviceName.name(of: line(7))
  let registration = Registration(
    firstName: line(0), lastName: line(1), birthDate: line(2), phone: line(3), email: line(4), password: line(5))
  if registration.problems(on: today).isEmpty { check(registration) }
}

private let rules = RequestRules(nameOfMachine: "music", names: ["music.example"], isSecure: false)
private let today: Day = {
  guard let day = Day(2026, 11, 30) else { fatalError("no such day") }
  return day
}()

/// Checks that a request that is accepted comes from the page, or changes nothing.
private func check(_ facts: RequestRules.Facts) {
  precondition(["GET", "HEAD", "POST"].contains(facts.method), "another method")
  let host = facts.host?.lowercased() ?? ""
  precondition(!host.isEmpty && !host.contains("/") && !host.contains("@"), "a host with more than a name and a port")
  guard facts.method == "POST" else { return }
  precondition(facts.origin?.lowercased().hasSuffix("://\(host)") == true, "a call of another page")
  precondition(facts.contentType?.lowercased().hasPrefix("application/json") == true, "a call that is not JSON")
}

private func check(_ registration: Registration) {
  let phone = Registration.phoneNumber(registration.phone)
  precondition(phone.map { $0.utf8.count == 19 && Registration.phoneNumber($0) == $0 } == true, "another phone number")
  let email = Registration.emailAddress(registration.email)
  precondition(
    email.map { Registration.emailAddress($0) == $0 && $0.utf8.allSatisfy { $0 < 0x80 } } == true, "another address")
}
