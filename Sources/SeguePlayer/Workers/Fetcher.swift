// Thread: the loop.

internal import Glibc
internal import SegueLoop
internal import SegueSystem
internal import SegueWire
internal import SegueWorkerProtocol

/// The owner of the fetch process, which is started when something is to be read from the network.
@MainActor
final class Fetcher {
  /// The files of `CertificateAuthority=`.
  var authorities: [FilePath] = [] {
    didSet {
      guard authorities != oldValue else { return }
      if let process { trustAuthorities(process) }
    }
  }

  private let pool: WorkerPool
  /// The process for new channels; nil if none is needed.
  private var process: WorkerProcess?
  /// The processes that carry out no more commands, and whose end was not reported yet.
  private var ending: [WorkerProcess] = []
  /// The reason why the files of `authorities` cannot be used; nil if they can.
  private var authorityFailure: Failure?
  /// The file of the resolver when the last process was taken; nil if there was none. The sandbox of a process may deny
  /// it the files that replace this one, for example in another network.
  private var resolverFile = Fetcher.currentResolverFile

  /// The processes that were asked whether they respond, and have not responded yet.
  private var silent: [WorkerProcess] = []
  private var responseTimer: Timer?

  /// The time after which a process that does not respond is killed. It never waits for servers.
  private static let responseTimeout = MediaTime.seconds(10)

  init(loop: EventLoop, pool: WorkerPool) throws(SystemError) {
    self.pool = pool
    responseTimer = try Timer(on: loop, slack: .seconds(1)) { [weak self] in self?.killSilent() }
  }

  /// Creates a channel through which a worker can read the stream at `url`. `scope` is the scope of the server that
  /// named the URL; nil if a user named it.
  func openChannel(for url: String, namedBy scope: AddressScope?) throws(Failure) -> SharedDescriptor {
    let process = try takeProcess()
    try checkAuthorities(for: url)
    let ends = try Self.channel(LocalizableMessage("a stream"))
    defer { close(ends.nonblocking) }
    process.send(FetchCommand.serve(url: url, namedBy: scope), files: [ends.nonblocking])
    return SharedDescriptor(Descriptor(owning: ends.blocking))
  }

  /// Throws the reason why the files of `authorities` cannot be used if the server of `url` needs a certificate. A file
  /// may have been repaired since they were read.
  func checkAuthorities(for url: String) throws(Failure) {
    if authorityFailure != nil, let process { trustAuthorities(process) }
    if let authorityFailure, url.lowercased().hasPrefix("https:") { throw authorityFailure }
  }

  /// Creates a channel for requests to online catalogues, and returns the end of the daemon, which does not block.
  func openCatalogChannel() throws(Failure) -> Descriptor {
    let process = try takeProcess()
    let ends = try Self.channel(LocalizableMessage("a connection to online catalogues"))
    defer { close(ends.blocking) }
    process.send(FetchCommand.serveCatalogs, files: [ends.blocking])
    return Descriptor(owning: ends.nonblocking)
  }

  private static func channel(_ purpose: LocalizableMessage) throws(Failure) -> (nonblocking: Int32, blocking: Int32) {
    do throws(SystemError) {
      return try LinkSocket.descriptorPair()
    } catch {
      throw Failure(.unavailable, "cannot open \(purpose): \(error)")
    }
  }

  /// Kills the process, because it does not respond. New channels are those of another one.
  func kill(because reason: LocalizableMessage) {
    process?.kill(because: reason)
    abandonProcess()
  }

  /// Asks the processes whether they respond, and kills those that do not.
  func killIfHung() {
    guard silent.isEmpty else { return }
    silent = (ending + [process].compactMap(\.self)).filter(\.acceptsCommands)
    guard !silent.isEmpty else { return }
    for process in silent { process.send(FetchCommand.ping) }
    responseTimer?.arm(after: Self.responseTimeout)
  }

  private func killSilent() {
    for hung in silent {
      hung.kill(
        because: LocalizableMessage(
          "\(hung.role.processName) was terminated: it did not respond for \(Int(Self.responseTimeout.seconds)) s"))
    }
    if let process, !process.acceptsCommands { abandonProcess() }
    silent = []
  }

  /// Stops waiting for the response of `process`.
  private func setResponsive(_ process: WorkerProcess) {
    silent.removeAll { $0 === process }
    if silent.isEmpty { responseTimer?.disarm() }
  }

  /// Opens new channels to another process. The channels of this one stay open as long as it runs.
  func abandonProcess() {
    guard let process else { return }
    ending.append(process)
    self.process = nil
  }

  private static var currentResolverFile: FileIdentity? { try? FileIdentity(of: FilePath("/etc/resolv.conf")) }

  private func takeProcess() throws(Failure) -> WorkerProcess {
    let resolverFile = Self.currentResolverFile
    if resolverFile != self.resolverFile {
      self.resolverFile = resolverFile
      abandonProcess()
      pool.drain()
    }
    if let process, process.acceptsCommands { return process }
    abandonProcess()
    do {
      let process = try pool.take(.fetch)
      process.setHandlers(
        onEvent: { [weak self, weak process] event in self?.handle(event, of: process) },
        onEnd: { [weak self, weak process] _, failure in self?.handleEnd(of: process, failure) })
      self.process = process
      // A process of the pool may trust those of an earlier configuration.
      if !authorities.isEmpty || process.sentCommands > 0 { trustAuthorities(process) }
      return process
    } catch {
      throw Failure(.unavailable, "cannot start the process that reads from the network: \(error)")
    }
  }

  /// Passes the certificates of the authorities to `process`. If one of the files cannot be used, none is trusted.
  private func trustAuthorities(_ process: WorkerProcess) {
    var certificates: [UInt8] = []
    do throws(Failure) {
      for path in authorities { certificates += try AuthorityFile.read(path) }
      guard certificates.count <= FetchCommand.maximumTrustSize else {
        throw Failure(.certificate, "the files of CertificateAuthority= are too large")
      }
      authorityFailure = nil
    } catch {
      if error != authorityFailure { Log.warning("\(error.message)") }
      authorityFailure = error
      certificates = []
    }
    do {
      let file = try AuthorityFile.memoryFile(certificates)
      process.send(FetchCommand.trust, files: [file.raw])
    } catch {
      authorityFailure = Failure(.certificate, "the certificates of the authorities cannot be passed on: \(error)")
    }
  }

  private func handle(_ event: WorkerEvent, of sender: WorkerProcess?) {
    guard let sender else { return }
    if case .pong = event { setResponsive(sender) }
    guard case .idle(let commands) = event, commands == sender.sentCommands else { return }
    if sender === process {
      process = nil
      pool.keep(sender)
    } else {
      ending.removeAll { $0 === sender }
    }
  }

  /// Handles the end of a process. Workers find their channels closed.
  private func handleEnd(of ended: WorkerProcess?, _ failure: Failure) {
    if process === ended { process = nil }
    ending.removeAll { $0 === ended }
    if let ended { setResponsive(ended) }
    pool.countLoss()
    Log.warning("\(failure.message)")
  }
}
