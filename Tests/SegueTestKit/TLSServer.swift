internal import Glibc
public import SegueSystem

/// A certificate authority of the test, made by openssl(1).
public final class CertificateAuthority {
  private let folder: TemporaryFolder
  private var serial = 0

  /// The certificate of a server with its key, as files in PEM.
  public struct Identity: Sendable {
    public let certificate: FilePath
    public let key: FilePath
  }

  public init() throws {
    folder = try TemporaryFolder()
    try openssl(
      ["req", "-x509", "-subj", "/CN=Segue Test Authority", "-days", "2"]
        + newKey(certificateKey, certificate, ["-addext", "keyUsage=critical,keyCertSign"]))
  }

  /// The certificate of the authority.
  public var certificate: FilePath { folder.path.appending("authority.pem") }
  private var certificateKey: FilePath { folder.path.appending("authority.key") }

  /// Makes a certificate of a server. `names` are its host names and addresses, as in "DNS:localhost,IP:127.0.0.1". It
  /// is valid for `days` days from now on; one of 0 days has expired.
  public func identity(_ names: String = "DNS:localhost,IP:127.0.0.1", days: Int = 2) throws -> Identity {
    serial += 1
    let identity = Identity(
      certificate: folder.path.appending("\(serial).pem"), key: folder.path.appending("\(serial).key"))
    let request = folder.path.appending("\(serial).request")
    let extensions = try folder.write("\(serial).extensions", Array("subjectAltName=\(names)\n".utf8))
    try openssl(["req", "-new", "-subj", "/CN=server"] + newKey(identity.key, request))
    try openssl([
      "x509", "-req", "-in", "\(request)", "-CA", "\(certificate)", "-CAkey", "\(certificateKey)", "-set_serial",
      "\(serial)", "-days", "\(days)", "-extfile", "\(extensions)", "-out", "\(identity.certificate)",
    ])
    return identity
  }

  /// Makes a certificate that is signed by its own key.
  public func selfSignedIdentity() throws -> Identity {
    let identity = Identity(certificate: folder.path.appending("own.pem"), key: folder.path.appending("own.key"))
    try openssl(
      ["req", "-x509", "-subj", "/CN=localhost", "-days", "2"]
        + newKey(identity.key, identity.certificate, ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]))
    return identity
  }

  private func newKey(_ key: FilePath, _ result: FilePath, _ more: [String] = []) -> [String] {
    [
      "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "\(key)", "-out", "\(result)",
    ] + more
  }

  private func openssl(_ arguments: [String]) throws {
    let (code, text) = try ChildProcess.run(
      ["openssl"] + arguments, environment: ["PATH": "/usr/bin:/bin"], errors: true)
    guard code == 0 else { throw Unexpected("openssl \(arguments): \(text)") }
  }
}

/// A web server with TLS on the loopback interface, which is a process of openssl(1). It sends complete responses, and
/// closes the connection after each.
public final class TLSServer {
  public let port: UInt16
  private let folder: TemporaryFolder
  private let process: ChildProcess

  /// Starts the server. `pages` are the responses with their heads, by name.
  public init(_ identity: CertificateAuthority.Identity, pages: [String: [UInt8]]) throws {
    let folder = try TemporaryFolder()
    for (name, page) in pages { try folder.write(name, page) }
    let log = folder.path.appending("log of the server")
    let output = Descriptor(
      owning: try checked("open", log.description) {
        log.withCString { open($0, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600) }
      })
    let process = try ChildProcess(
      [
        "sh", "-c", "cd \"$0\" && exec \"$@\"", folder.path.description, "openssl", "s_server", "-accept",
        "127.0.0.1:0",
        "-cert", "\(identity.certificate)", "-key", "\(identity.key)", "-HTTP",
      ], environment: ["PATH": "/usr/bin:/bin"], output: output.raw, errors: output.raw)
    let port = try waitForValue { () throws -> UInt16? in
      guard process.isRunning else { throw Unexpected("openssl s_server has ended") }
      let text = String(decoding: try SmallFile.read(log, upTo: 1 << 20), as: UTF8.self)
      let line = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().first {
        $0.hasPrefix("ACCEPT")
      }
      return line?.split(separator: ":").last.flatMap { UInt16($0) }
    }
    guard let port else {
      process.end(SIGKILL)
      throw Unexpected("openssl s_server does not listen")
    }
    (self.port, self.folder, self.process) = (port, folder, process)
  }

  deinit { process.end(SIGKILL) }

  public func url(_ name: String, host: String = "127.0.0.1") -> String { "https://\(host):\(port)/\(name)" }

  /// Returns a response with this body. The server waits for the end of a connection before it accepts the next one.
  public static func page(_ body: [UInt8], type: String = "application/octet-stream") -> [UInt8] {
    Array("HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nContent-Length: \(body.count)\r\nConnection: close\r\n\r\n".utf8)
      + body
  }
}
