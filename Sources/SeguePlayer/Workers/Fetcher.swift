// Thread: the loop.

internal import SegueLink
internal import SegueSystem
internal import SegueWire

/// The end of a worker of a channel to the fetch process.
final class FetchChannel: Sendable {
  private let descriptor: Descriptor

  init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

  var raw: Int32 { descriptor.raw }
}

/// The owner of the fetch process, which is started when something is to be read from the network.
@MainActor
final class Fetcher {
  private let pool: WorkerPool
  private var process: WorkerProcess?
  /// The number of commands that `process` was given.
  private var commands = 0

  init(pool: WorkerPool) { self.pool = pool }

  /// Creates a channel through which a worker can read the stream at `url`.
  func openChannel(for url: String) throws(Failure) -> FetchChannel {
    let process = try takeProcess()
    do {
      let ends = try LinkSocket.descriptorPair()
      let ours = Descriptor(owning: ends.nonblocking)
      let channel = FetchChannel(Descriptor(owning: ends.blocking))
      send(.serve(url: url), ours.raw, to: process)
      return channel
    } catch {
      throw Failure(.unavailable, "cannot open a stream: \(error)")
    }
  }

  private func send(_ command: WorkerCommand, _ descriptor: Int32, to process: WorkerProcess) {
    commands += 1
    process.send(command, files: [descriptor])
  }

  private func takeProcess() throws(Failure) -> WorkerProcess {
    if let process { return process }
    do {
      let process = try pool.take(.fetch)
      process.setHandlers(
        onEvent: { [weak self] event in self?.handle(event) },
        onEnd: { [weak self] _, failure in self?.handleEnd(failure) })
      self.process = process
      commands = 0
      return process
    } catch {
      throw Failure(.unavailable, "cannot start the process that reads from the network: \(error)")
    }
  }

  private func handle(_ event: WorkerEvent) {
    guard case .idle(let commands) = event, commands == self.commands, let process else { return }
    self.process = nil
    pool.keep(process)
  }

  /// Handles the end of the process. Workers find their channels closed.
  private func handleEnd(_ failure: Failure) {
    process = nil
    pool.countLoss()
    Log.warning("reading from the network: \(failure.message)")
  }
}
