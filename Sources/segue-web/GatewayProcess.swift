// Thread: the loop, which is the main thread.

internal import Glibc
internal import SegueAccounts
internal import SegueHTTP
internal import SegueLoop
internal import SegueSandbox
internal import SegueSystem
internal import SegueWeb
internal import SegueWire

/// The process that serves browsers: it is wired here. It makes everything that its sandbox forbids first.
@MainActor
enum GatewayProcess {
  /// Serves until a signal or, with sockets of the service manager, until nobody has been there for a while. Returns
  /// the exit status.
  static func run(_ options: ServeOptions) throws -> Int32 {
    let configuration = try WebConfiguration.load()
    let certificate = try Self.certificate(of: configuration)
    let loop = try EventLoop()
    let signals = try [SIGTERM, SIGINT].map { try SignalSource(on: loop, signal: $0) { loop.exit(0) } }
    let inherited = try ServiceManager.inheritedNetworkSockets()
    var sockets = inherited
    if let port = options.port { sockets.append(try LoopbackSocket.listen(on: port).release()) }
    guard !sockets.isEmpty else { throw NoSocket() }

    let pictures = Directories.cache.appending("segue/art")
    for folder in [pictures, AccountDatabase.folder] { try Folder.create(folder) }
    let connector = try DaemonConnector(on: loop, program: try program(), socket: Directories.socket) {
      Log.error("the process that connects to segued has ended")
      loop.exit(1)
    }
    let idle = try IdleTimer(on: loop, isEnabled: !inherited.isEmpty)
    var gateway: Gateway?
    let watcher = try PathWatcher(on: loop, path: AccountDatabase.folder, for: .files) { _ in gateway?.checkSessions() }
    for socket in sockets {
      do throws(SystemError) {
        let server = try HTTPServer(
          on: loop, listening: Descriptor(owning: socket), certificate: certificate, proxies: configuration.proxies
        ) { gateway?.handle($0) }
        idle.watch(server)
      } catch {
        guard let path = configuration.certificate, let key = configuration.key else { throw error }
        throw UnusableCertificate(certificate: path, key: key)
      }
    }
    // Dates are those of the time zone of the machine, whose file is read now.
    tzset()
    let name = CurrentProcess.nameOfMachine
    ServiceManager.notify(.ready)
    for mechanism in Sandbox.restrictGateway(reading: pictures, writing: AccountDatabase.folder) {
      Log.warning("the kernel does not support a part of the sandbox: \(mechanism.rawValue)")
    }

    // These start threads, to which the sandbox applies, too.
    let accounts = Accounts(database: AccountDatabase.path, mailbox: loop.mailbox)
    gateway = try Gateway(
      Gateway.Setup(
        art: pictures, nameOfMachine: name, names: configuration.names, isSecure: certificate != nil),
      accounts: accounts, connector: connector, on: loop)
    defer { withExtendedLifetime((signals, watcher, idle)) {} }
    return try loop.run()
  }

  private static func certificate(of configuration: WebConfiguration) throws(SystemError) -> HTTPServer.Certificate? {
    guard let certificate = configuration.certificate, let key = configuration.key else { return nil }
    // Certificates with those of the authorities are shorter than this.
    let limit = 1 << 20
    return HTTPServer.Certificate(
      certificate: try SmallFile.read(certificate, upTo: limit), key: try SmallFile.read(key, upTo: limit))
  }

  private static func program() throws(SystemError) -> FilePath {
    guard let folder = CurrentProcess.programFolder else { throw SystemError("readlink", "/proc/self/exe") }
    return folder.appending("segue-web")
  }
}

private struct UnusableCertificate: Error, CustomStringConvertible {
  let certificate: FilePath
  let key: FilePath

  var description: String {
    "TLS does not accept the certificate \(certificate) with the key \(key): are both PEM, and do they belong together?"
  }
}

private struct NoSocket: Error, CustomStringConvertible {
  var description: String { "no socket to listen on; run: segue web on" }
}

/// Ends the process when no browser has been connected for a while. The service manager starts it again for the next
/// one.
@MainActor
private final class IdleTimer {
  private var timer: Timer?
  private var servers: [HTTPServer] = []

  private static let time = MediaTime.seconds(60)

  init(on loop: EventLoop, isEnabled: Bool) throws(SystemError) {
    guard isEnabled else { return }
    timer = try Timer(on: loop, slack: .seconds(5)) { loop.exit(0) }
  }

  func watch(_ server: HTTPServer) {
    servers.append(server)
    server.onUse = { [unowned self] in update() }
    update()
  }

  private func update() {
    if servers.allSatisfy({ $0.connections == 0 }) { timer?.arm(after: Self.time) } else { timer?.disarm() }
  }
}

/// A socket for the browsers of this machine only.
private enum LoopbackSocket {
  static func listen(on port: UInt16) throws(SystemError) -> Descriptor {
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let socket = Descriptor(owning: try checked("socket") { Glibc.socket(AF_INET, type, 0) })
    let raw = socket.raw
    var on: Int32 = 1
    setsockopt(raw, SOL_SOCKET, SO_REUSEADDR, &on, 4)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    try withUnsafePointer(to: &address) { (pointer) throws(SystemError) in
      try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { (pointer) throws(SystemError) in
        _ = try checked("bind") { bind(raw, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) }
      }
    }
    try checked("listen") { Glibc.listen(raw, 64) }
    return socket
  }
}
