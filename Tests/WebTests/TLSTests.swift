import SegueSystem
import SegueTestKit
import Testing

/// Tests of the gateway with a certificate.
@Suite struct TLSTests {
  @Test func withACertificateThePageIsServedOverTLSOnly() throws {
    let authority = try CertificateAuthority()
    let identity = try authority.identity()
    let fixture = try WebFixture(
      configuration: "[Web]\nCertificate=\(identity.certificate)\nKey=\(identity.key)\n")
    let request = #"printf 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'"#
    let (_, text) = try ChildProcess.run(
      [
        "sh", "-c",
        request + " | openssl s_client -quiet -ign_eof -verify_return_error -servername localhost "
          + "-CAfile \(authority.certificate) -connect 127.0.0.1:\(fixture.port)",
      ], environment: ["PATH": "/usr/bin:/bin"])
    #expect(text.hasPrefix("HTTP/1.1 200 OK"), "\(text)")
    for version in ["-tls1", "-tls1_1"] {
      let (code, _) = try ChildProcess.run(
        ["sh", "-c", "openssl s_client \(version) -connect 127.0.0.1:\(fixture.port) < /dev/null"],
        environment: ["PATH": "/usr/bin:/bin"])
      #expect(code != 0, "\(version)")
    }
    let plain = try fixture.connect()
    try plain.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect((try? plain.response()) == nil)
  }

  /// A mistake in the configuration must not send passwords without encryption.
  @Test(arguments: [
    "[Web]\nCertificate=/c.pem\n", "[Web]\nCertificat=/c.pem\n", "Certificate=/c.pem\nKey=/k.pem\n",
    "[Web]\nCertificate=/missing/hostname\nKey=/missing/hostname\n",
    "[Web]\nCertificate=/etc/hostname\nKey=/etc/hostname\n",
  ])
  func withAMistakeInItsConfigurationTheGatewayDoesNotServe(configuration: String) throws {
    let fixture = try WebFixture(configuration: configuration)
    try waitUntil("the gateway has ended") { !fixture.isRunning }
    #expect(fixture.log.contains(configuration.contains("/c.pem") ? "web.conf" : "hostname"), "\(fixture.log)")
  }
}
