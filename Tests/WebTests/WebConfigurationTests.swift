import SegueSystem
import Testing

@testable import SegueWeb

/// Tests of `web.conf`.
@Suite struct WebConfigurationTests {
  private func parse(_ text: String) throws -> WebConfiguration {
    try WebConfiguration(parsing: Array(text.utf8), FilePath("/web.conf"))
  }

  /// Returns what is wrong in a text.
  private func problems(_ text: String) -> [String] {
    do {
      _ = try parse(text)
      return []
    } catch {
      return (error as? WebConfiguration.Invalid)?.problems.map(\.description) ?? ["\(error)"]
    }
  }

  @Test func aCompleteFileIsUnderstood() throws {
    let configuration = try parse(
      "# A comment\n[Web]\nCertificate = /c.pem\nKey=/k.pem\nNames=Music.example host-2\nProxy=127.0.0.1 ::1\n")
    #expect(configuration.isSecure)
    #expect(configuration.certificate == FilePath("/c.pem"))
    #expect(configuration.names == ["music.example", "host-2"])
    #expect(configuration.proxies == Set(["127.0.0.1", "0:0::1"].compactMap { ClientAddress($0) }))
  }

  @Test func everythingThatIsWrongIsNamedWithItsLine() {
    #expect(
      problems("Key=/k\n[Web]\nKey=k.pem\nNames=a:80 b\nPort=5\nProxy=nginx\n[Other]\nnonsense\n[Web\n") == [
        "/web.conf:1: Key= does not follow [Web]", "/web.conf:3: Key= must be an absolute path",
        "/web.conf:4: Names= must be names of hosts, separated by spaces",
        "/web.conf:5: unknown key Port=; there are Certificate=, Key=, Names= and Proxy=",
        "/web.conf:6: Proxy= must be addresses, separated by spaces",
        "/web.conf:7: unknown section “Other”; there is only [Web]", "/web.conf:8: neither a section nor Key=value",
        "/web.conf:9: the name of a section ends with ]",
      ])
  }

  @Test func aCertificateNeedsAKey() {
    #expect(problems("[Web]\nCertificate=/c.pem\n") == ["/web.conf: Certificate= and Key= need each other"])
    #expect(problems("[Web]\nCertificat=/c.pem\nKey=/k.pem\n").count == 1)
  }
}
