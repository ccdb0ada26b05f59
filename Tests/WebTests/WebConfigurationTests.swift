import SegueSystem
import Testing

@testable import SegueWeb

/// Tests of `web.conf`.
@Suite struct WebConfigurationTests {
  private func parse(_ text: String) -> (configuration: WebConfiguration, warnings: [String]) {
    let (configuration, warnings) = WebConfiguration.parse(Array(text.utf8), FilePath("/web.conf"))
    return (configuration, warnings.map(\.description))
  }

  @Test func aCompleteFileIsUnderstood() {
    let (configuration, warnings) = parse(
      "# A comment\n[Web]\nCertificate = /c.pem\nKey=/k.pem\nNames=Music.example host-2\n")
    #expect(warnings == [])
    #expect(configuration.isSecure)
    #expect(configuration.certificate == FilePath("/c.pem"))
    #expect(configuration.names == ["music.example", "host-2"])
  }

  @Test func whatIsWrongIsNamedWithItsLineAndIgnored() {
    let (configuration, warnings) = parse("[Web]\nKey=k.pem\nNames=a:80 b\nPort=5\n[Other]\nnonsense\n[Web\n")
    #expect(configuration == WebConfiguration())
    #expect(
      warnings == [
        "/web.conf:2: Key= must be an absolute path",
        "/web.conf:3: Names= must be names of hosts, separated by spaces",
        "/web.conf:4: unknown key Port=; there are Certificate=, Key= and Names=",
        "/web.conf:5: unknown section “Other”; there is only [Web]", "/web.conf:6: neither a section nor Key=value",
        "/web.conf:7: the name of a section ends with ]",
      ])
  }

  @Test func aCertificateWithoutAKeyIsAWarning() {
    let (configuration, warnings) = parse("[Web]\nCertificate=/c.pem\n")
    #expect(!configuration.isSecure)
    #expect(warnings == ["/web.conf: Certificate= and Key= need each other"])
  }
}
