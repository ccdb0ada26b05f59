import SegueSystem
import Testing

/// Tests of the authorities of URLs.
@Suite struct URLAuthorityTests {
  /// The parts of an authority: user, host, zone and port.
  private typealias Parts = (user: String?, host: String, zone: String?, port: UInt16?)

  private func expect(_ text: String, _ parts: Parts, at location: SourceLocation = #_sourceLocation) throws {
    let authority = try URLAuthority(text[...])
    #expect(authority.user.map(String.init) == parts.user, sourceLocation: location)
    #expect(String(authority.host) == parts.host, sourceLocation: location)
    #expect(authority.zone.map(String.init) == parts.zone, sourceLocation: location)
    #expect(authority.port == parts.port, sourceLocation: location)
  }

  private func fault(_ text: String) -> URLAuthority.Fault? {
    do throws(URLAuthority.Fault) {
      _ = try URLAuthority(text[...])
      return nil
    } catch {
      return error
    }
  }

  @Test func hostsArePartedFromPorts() throws {
    try expect("h", (nil, "h", nil, nil))
    try expect("a_b-c.example~:8000", (nil, "a_b-c.example~", nil, 8000))
    try expect("192.0.2.1:1", (nil, "192.0.2.1", nil, 1))
    try expect("h:65535", (nil, "h", nil, 65535))
    try expect("h:00080", (nil, "h", nil, 80))
    // An empty port is the default one.
    try expect("h:", (nil, "h", nil, nil))
  }

  @Test func addressesOfIPv6StandInBrackets() throws {
    try expect("[::1]", (nil, "::1", nil, nil))
    try expect("[2001:db8::1]:80", (nil, "2001:db8::1", nil, 80))
    try expect("[::ffff:1.2.3.4]:", (nil, "::ffff:1.2.3.4", nil, nil))
    try expect("[fe80::1%25eth0]:8000", (nil, "fe80::1", "25eth0", 8000))
    #expect(fault("[::1") == .missingBracket)
    #expect(fault("[") == .missingBracket)
    #expect(fault("[]") == .invalidAddress("[]"))
    #expect(fault("[::g]:80") == .invalidAddress("[::g]"))
    #expect(fault("[192.0.2.1]") == .invalidAddress("[192.0.2.1]"))
    #expect(fault("[::1]x") == .textAfterAddress)
    #expect(fault("[::1]8000") == .textAfterAddress)
    #expect(fault("::1") == .missingHost)
    #expect(fault("2001:db8::1") == .invalidPort("db8::1"))
  }

  @Test func theUserEndsAtTheLastAtSign() throws {
    try expect("user@h", ("user", "h", nil, nil))
    try expect("user:p@ss@h:1", ("user:p@ss", "h", nil, 1))
    try expect("@[::1]:1", ("", "::1", nil, 1))
    #expect(fault("user@") == .missingHost)
    #expect(fault("user@:80") == .missingHost)
  }

  @Test func portsAreNumbersFrom1To65535() {
    for port in ["0", "65536", "99999999999999999999", "+80", "-1", "8o", "8 ", "٣", "80:80", "80\u{301}"] {
      #expect(fault("h:\(port)") == .invalidPort(port))
      #expect(fault("[::1]:\(port)") == .invalidPort(port))
    }
  }

  @Test func namesHaveLettersOfAnyScriptAndEncodedCharacters() throws {
    for name in [
      "пример.рф", "ex%61mple", "%D0%B6.example", "हिन्दी.भारत", "i❤.ws", "col·legi.cat", "ニュース・網.jp", "例え。jp",
      "نامه\u{200C}ای.ir", String(repeating: "a", count: 253),
    ] {
      try expect(name, (nil, name, nil, nil))
    }
    for name in [
      "a b", "a\\b", "a/b", "a?b", "a|b", "a<b", "a]", "a[", "a%", "a%4", "a%4g", "a%00", "a%2F", "a%40b", "a%3A80",
      "%D0", "a\u{7F}", "a\u{202E}b", "a\u{FF0F}b", String(repeating: "a", count: 254),
    ] { #expect(fault(name) == .invalidName(name)) }
    #expect(fault("") == .missingHost)
  }

  @Test func theAuthorityOfAURLEndsBeforeThePathTheQueryOrTheFragment() {
    for end in ["", "/", "/a@b", "?a:b", "#://", "/\u{301}"] {
      #expect(URLAuthority.text(of: "http://u@h:1\(end)") == "u@h:1")
    }
    #expect(URLAuthority.text(of: "http:///") == "")
    #expect(URLAuthority.text(of: "http:/h") == nil)
  }
}
