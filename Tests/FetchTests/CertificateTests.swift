import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Testing

/// Tests of the verification of certificates, with servers of openssl(1).
@Suite struct CertificateTests {
  private let authority: CertificateAuthority
  private let fetcher: WorkerProcess
  private static let body = Array("the bytes".utf8)
  private static let pages = ["page": TLSServer.page(body)]

  init() throws {
    authority = try CertificateAuthority()
    fetcher = try WorkerProcess(.fetch, ring: false)
  }

  private func trust() throws { try fetcher.send(.trust, files: [authority.certificate]) }

  @Test func anAddedAuthority_isTrusted() throws {
    try trust()
    let server = try TLSServer(authority.identity(), pages: Self.pages)
    for host in ["127.0.0.1", "localhost"] {
      let response = try FetchConnection.response(to: server.url("page", host: host), by: fetcher)
      #expect(response.failure == nil)
      #expect(response.bytes == Self.body)
    }
  }

  @Test func anUnknownAuthority_isRefused() throws {
    let server = try TLSServer(authority.identity(), pages: Self.pages)
    try expectRefusal(of: server, "unable to get local issuer certificate")
    // An added authority makes no other one trustworthy.
    let other = try CertificateAuthority()
    try fetcher.send(.trust, files: [other.certificate])
    try expectRefusal(of: server, "unable to get local issuer certificate")
  }

  /// Without Landlock, the process may open no file, also not that of the certificates.
  @Test(.enabled(if: NetworkNamespace.isAllowed, "requires root"), arguments: Sanitizer.isOn ? [true] : [true, false])
  func theAuthoritiesOfTheSystem_areTrusted(hasLandlock: Bool) throws {
    let identity = try authority.identity()
    let other = try CertificateAuthority()
    let added = other.certificate
    try NetworkNamespace.run(certificates: authority.certificate) {
      let fetcher = try WorkerProcess(.fetch, ring: false, hasLandlock: hasLandlock)
      let server = try TLSServer(identity, pages: Self.pages)
      let response = try FetchConnection.response(to: server.url("page"), by: fetcher)
      #expect(response.failure == nil)
      #expect(response.bytes == Self.body)
      // The authorities of the system are trusted beside an added one.
      try fetcher.send(.trust, files: [added])
      #expect(try FetchConnection.response(to: server.url("page"), by: fetcher).failure == nil)
    }
    withExtendedLifetime((authority, other)) {}
  }

  @Test func aSelfSignedCertificate_isRefused() throws {
    try trust()
    try expectRefusal(of: TLSServer(authority.selfSignedIdentity(), pages: Self.pages), "self-signed certificate")
  }

  @Test func anExpiredCertificate_isRefused() throws {
    try trust()
    try expectRefusal(of: TLSServer(authority.identity(days: 0), pages: Self.pages), "certificate has expired")
  }

  @Test func theCertificateOfAnotherHost_isRefused() throws {
    try trust()
    let server = try TLSServer(authority.identity("DNS:other.test,IP:192.0.2.1"), pages: Self.pages)
    try expectRefusal(of: server, "no alternative certificate subject name matches")
    try expectRefusal(of: server, host: "localhost", "no alternative certificate subject name matches")
  }

  /// A segment is requested by the same process with the same rules.
  @Test func certificatesOfParts_areVerified() throws {
    let segments = try TLSServer(authority.selfSignedIdentity(), pages: Self.pages)
    let playlist = try WebServer(sending: "HTTP/1.1 200 OK\r\n\r\n#EXTM3U\n#EXT-X-ENDLIST\n\(segments.url("page"))\n")
    let connection = try FetchConnection(to: fetcher, for: playlist.url("list"))
    #expect(try connection.response(to: playlist.url("list")).failure == nil)
    let failure = try connection.response(to: segments.url("page")).failure
    #expect(failure?.kind == .certificate, "\(String(describing: failure))")
    #expect(failure?.message.contains("127.0.0.1:\(segments.port)") == true)
  }

  @Test func theCertificateOfTheTargetOfARedirect_isVerified() throws {
    let target = try TLSServer(authority.selfSignedIdentity(), pages: Self.pages)
    let server = try WebServer(sending: "HTTP/1.1 302 Found\r\nLocation: \(target.url("page"))\r\n\r\n")
    let failure = try FetchConnection.response(to: server.url("x"), by: fetcher).failure
    #expect(failure?.kind == .certificate, "\(String(describing: failure))")
    #expect(failure?.message.contains("127.0.0.1:\(target.port)") == true)
  }

  /// Other servers are not affected, and the reason is stated.
  @Test func authoritiesThatAreNoCertificates_areNotTrusted() throws {
    let folder = try TemporaryFolder()
    try fetcher.send(.trust, files: [folder.write("text", Array("no certificate\n".utf8))])
    try expectRefusal(of: TLSServer(authority.identity(), pages: Self.pages), "unable to get local issuer certificate")
  }

  private func expectRefusal(of server: TLSServer, host: String = "127.0.0.1", _ reason: String) throws {
    let response = try FetchConnection.response(to: server.url("page", host: host), by: fetcher)
    #expect(response.resource == nil)
    let failure = try #require(response.failure)
    #expect(failure.kind == .certificate, "\(failure.message)")
    #expect(failure.message.contains("\(host):\(server.port)"), "\(failure.message)")
    #expect(failure.message.contains(reason), "\(failure.message)")
  }
}
