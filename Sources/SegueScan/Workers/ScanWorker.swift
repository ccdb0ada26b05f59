// Thread: "scan". The worker reads untrusted files, so every packet from it is checked. The thread never waits for a
// packet.

internal import Glibc
internal import SegueSystem
internal import SegueWire
internal import SegueWorkerProtocol

/// A `segue-worker` process that reads files for the scan. Releasing it ends the process.
final class ScanWorker {
  struct Packet {
    let ticket: UInt32
    var requests: ArraySlice<ScanRequest>
    /// Whether the worker has only this one file, so that the file is the cause if the worker crashes.
    let isAlone: Bool
  }

  /// An event of the worker.
  enum Event {
    /// The worker is ready or has responded to requests.
    case progress([(ScanRequest, ScanResult)])
    /// The worker has closed its socket.
    case closed
    /// The worker has violated the protocol.
    case invalid
    case none
  }

  /// The packets that the worker has not responded to, in order.
  private(set) var packets: [Packet] = []
  private(set) var progress = WorkerProgress()
  let process: BlockingWorker

  static let niceness: Int32 = 10

  init(program: FilePath) throws(SystemError) { process = try BlockingWorker(program, niceness: Self.niceness) }

  /// Sends requests for files that are open. `descriptors`, one for each file, stay the caller's. Throws EAGAIN if the
  /// worker does not read.
  func send(_ requests: [ScanRequest], descriptors: [Int32], isAlone: Bool) throws(SystemError) {
    let names = requests.map { String(decoding: $0.path.lastComponent, as: UTF8.self) }
    if packets.isEmpty { progress.advanced() }
    // Requests that cannot be sent are pending, too: the pool gives them to another worker.
    defer { packets.append(Packet(ticket: process.lastTicket, requests: requests[...], isAlone: isAlone)) }
    try process.send(.scan(names: names), descriptors: descriptors)
  }

  /// Returns the next event, without waiting.
  func nextEvent() -> Event {
    do {
      guard let packet = try process.receive() else { return .closed }
      guard let event = WorkerEvent(packet) else { return .invalid }
      switch event {
      case .ready where !progress.isReady:
        progress.becameReady()
        return .progress([])
      case .response(let ticket, .scanned(let results)):
        guard let first = packets.first, first.ticket == ticket, !results.isEmpty,
          results.count <= first.requests.count
        else { return .invalid }
        progress.advanced()
        let finished = zip(first.requests, results).map { ($0, $1) }
        packets[0].requests = first.requests.dropFirst(results.count)
        if packets[0].requests.isEmpty { packets.removeFirst() }
        return .progress(finished)
      case .ready, .decoding, .response, .idle, .pong: return .invalid
      }
    } catch {
      return error.code == EAGAIN ? .none : .invalid
    }
  }
}
