// On the thread "scan" only. Foreign bytes are on the other side of the socket: every packet is checked, none is waited
// for.

internal import Glibc
internal import SegueLink
internal import SegueSystem
internal import SegueWire

/// One `segue-worker` that looks into files, from its start to its end. Letting go of it ends it.
final class ScanWorker {
  struct Packet {
    let ticket: UInt32
    var asks: ArraySlice<ScanRequest>
    /// One file and nothing else: whatever happens is its doing.
    let isAlone: Bool
  }

  /// What it was asked and has not answered, in order.
  private(set) var packets: [Packet] = []
  /// It has come up: what ends it from now on is a file it has at hand.
  private(set) var isReady = false
  /// When it began with what it has at hand.
  private(set) var since = MonotonicTime.now

  let child: LibraryWorkerProcess
  private var lastTicket: UInt32 = 0

  init(program: FilePath) throws(SystemError) { child = try LibraryWorkerProcess(program, niceness: Self.niceness) }

  var raw: Int32 { child.raw }

  /// Asks about files that are open: `descriptors`, one each, stay the caller's. `EAGAIN` if it does not read.
  func send(_ asks: [ScanRequest], descriptors: [Int32], isAlone: Bool) throws(SystemError) {
    lastTicket &+= 1
    let names = asks.map { String(decoding: $0.path.lastComponent, as: UTF8.self) }
    if packets.isEmpty { since = .now }
    packets.append(Packet(ticket: lastTicket, asks: asks[...], isAlone: isAlone))
    try child.send(WorkerCommand.scan(ticket: lastTicket, names: names), descriptors: descriptors)
  }

  enum News {
    case answers([(ScanRequest, ScanResult)])
    /// Its socket is closed.
    case over
    /// It says what no worker says.
    case nonsense
    case nothing
  }

  /// The next thing it said.
  func hear() -> News {
    do {
      guard let packet = try child.receive() else { return .over }
      guard let report = WorkerEvent(packet) else { return .nonsense }
      switch report {
      case .ready where !isReady:
        isReady = true
        since = .now
        return .answers([])
      case .scanned(let ticket, let results):
        guard let first = packets.first, first.ticket == ticket, !results.isEmpty, results.count <= first.asks.count
        else { return .nonsense }
        since = .now
        let answered = zip(first.asks, results).map { ($0, $1) }
        packets[0].asks = first.asks.dropFirst(results.count)
        if packets[0].asks.isEmpty { packets.removeFirst() }
        return .answers(answered)
      default: return .nonsense
      }
    } catch {
      return error.code == EAGAIN ? .nothing : .nonsense
    }
  }

  /// Ends it, if it has not ended by itself; answers how.
  func end() -> ExitStatus? { child.end() }

  static let niceness: Int32 = 10
}
