// Thread: the only one of the process, except for those that libcurl starts to look up names. It may block in one place
// only: in `HTTPClient.wait`.
internal import Glibc
internal import SegueSystem
public import SegueWire
public import SegueWorkerProtocol

/// The process that alone has access to the network. It executes the daemon's commands until the daemon closes the
/// connection.
public final class FetchProcess {
  private let link: LinkSocket
  private let lacking: Set<SandboxMechanism>
  private let client: HTTPClient
  private var channels: [StreamChannel] = []
  private var catalogs: [CatalogChannel] = []
  private var isClosed = false
  /// The number of commands that were received, and whether the daemon was told that they have been carried out.
  private var commands = 0
  private var hasReportedIdle = true

  /// - Parameters:
  ///   - lacking: The sandbox mechanisms that could not be enabled. The process reports them to the daemon.
  ///   - certificates: The certificates of the system's authorities; nil if the process may open their file.
  public init(_ link: LinkSocket, lacking: Set<SandboxMechanism>, certificates: SystemCertificates?) {
    self.link = link
    self.lacking = lacking
    client = HTTPClient(certificates)
  }

  /// Executes commands. Returns when the daemon has closed its end of the connection.
  public func run() {
    guard (try? link.send(WorkerEvent.ready(lacking: lacking))) != nil else { return }
    while !isClosed {
      wait()
      let now = MonotonicTime.now
      for channel in channels { channel.resumeDueResources(at: now) }
      client.perform()
      for channel in channels { channel.pauseResourcesAhead(at: .now) }
      channels.removeAll(where: \.isClosed)
      catalogs.removeAll(where: \.isClosed)
      reportIfIdle()
    }
  }

  private func reportIfIdle() {
    guard !hasReportedIdle, channels.isEmpty, catalogs.isEmpty, client.isIdle else { return }
    hasReportedIdle = true
    do { try link.send(WorkerEvent.idle(commands: commands)) } catch { isClosed = true }
  }

  /// Waits until there is something to do, and handles what has arrived from the daemon and from workers.
  private func wait() {
    let blocked = channels.flatMap(\.blockedResources)
    var descriptors = [pollfd(fd: link.raw, events: Int16(POLLIN), revents: 0)]
    descriptors += channels.map { pollfd(fd: $0.raw, events: $0.events, revents: 0) }
    descriptors += catalogs.map { pollfd(fd: $0.raw, events: Int16(POLLIN), revents: 0) }
    descriptors += blocked.map { pollfd(fd: $0.raw, events: Int16(POLLOUT), revents: 0) }
    let deadline = (channels.compactMap(\.deadline) + [client.deadline].compactMap(\.self)).min()
    client.wait(for: &descriptors, until: deadline ?? .now + Self.maximumWait)
    let events = descriptors.map(\.revents)
    let (awaited, awaitedCatalogs) = (channels, catalogs)
    // Commands apply to the requests that the daemon has sent after them, on other sockets.
    if events[0] != 0 {
      repeat { receive() } while !isClosed && hasCommand
    }
    var rest = events.dropFirst()
    for (channel, event) in zip(awaited, rest) where event != 0 { channel.handle(event) }
    rest = rest.dropFirst(awaited.count)
    for (channel, event) in zip(awaitedCatalogs, rest) where event != 0 { channel.receive() }
    rest = rest.dropFirst(awaitedCatalogs.count)
    for (resource, event) in zip(blocked, rest) where event != 0 { resource.flush() }
  }

  /// The timeout of a wait without a deadline. Nothing is due then, so that a long time spares an idle machine its
  /// wakeups.
  private static let maximumWait = MediaTime.seconds(3600)

  /// Whether a command has arrived that was not received.
  private var hasCommand: Bool {
    var entry = pollfd(fd: link.raw, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 0) > 0
  }

  private func receive() {
    do {
      guard var packet = try link.receive(), let command = try? FetchCommand(JSON(parsing: packet.bytes)) else {
        isClosed = true
        return
      }
      commands += 1
      hasReportedIdle = false
      switch command {
      case .serve(let url, let namedBy):
        guard let descriptor = packet.takeDescriptor() else { return }
        channels.append(StreamChannel(LinkSocket(descriptor), url: url, namedBy: namedBy, client: client))
      case .serveCatalogs:
        guard let descriptor = packet.takeDescriptor() else { return }
        catalogs.append(CatalogChannel(LinkSocket(descriptor), client: client))
      case .trust:
        guard let file = packet.takeDescriptor() else { return }
        let name = FilePath("certificates of authorities")
        client.trust(try SmallFile.read(file, name, upTo: FetchCommand.maximumTrustSize))
      case .ping: try link.send(WorkerEvent.pong)
      }
    } catch {
      isClosed = error.code != EAGAIN && error.code != EINTR
    }
  }
}
