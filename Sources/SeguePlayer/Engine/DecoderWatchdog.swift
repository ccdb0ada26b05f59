// Thread: the loop.

internal import SegueLink
internal import SegueLoop
internal import SegueRing
internal import SegueSystem

/// A watchdog for the decoding worker: it knows the generations that the worker has not finished, and detects a worker
/// that hangs. It uses only facts that this process knows itself: a worker that a malicious file controls may write anything
/// into the shared memory.
@MainActor
final class DecoderWatchdog {
  /// A generation that the worker has to decode.
  struct PendingGeneration: SupervisedJob {
    let request: DecodeRequest
    /// The URI at which the file or stream was found, and the source that was opened there.
    let uri: String
    let source: MediaSource
    let isFile: Bool
    /// Whether the worker should decode it from a source that is open already, and has not responded.
    var isRestarting = false
    /// Whether its connection is lost. The fetch process tries to connect again for as long as the generation is wanted.
    var isInterrupted = false
    /// Whether all of it is decoded, and only its end is not in the ring yet. The worker may decode the next generation.
    var isDecoded = false
    var kills = 0

    var item: Transport.Item { request.item }
    var generation: Generation { item.generation }
    @MainActor var timeout: MediaTime {
      guard isFile else { return DecoderWatchdog.streamTimeout }
      return isRestarting && kills == 0 ? DecoderWatchdog.seekTimeout : DecoderWatchdog.fileTimeout
    }
  }

  /// The relation of an event's generation to those that are pending.
  enum EventOrder {
    /// The generation is the one that the worker decodes.
    case expected
    /// The generation was cut off, or has ended, or is decoded, which the event contradicts.
    case stale
    /// Another generation comes first: only a malicious worker reports this one already.
    case premature
  }

  /// The generations that the worker was given and has not finished, in the order in which it decodes them.
  private(set) var pending: [PendingGeneration] = []

  /// The pending generations that are not decoded. The worker decodes the first one.
  var undecoded: ArraySlice<PendingGeneration> { pending.drop(while: \.isDecoded) }

  private var timer: Timer?
  private let awaitsPCM: @MainActor () -> Bool
  private let onSilentStream: @MainActor () -> Void
  private let onTimeout: @MainActor () -> Void
  private weak var ring: SharedRing?
  private var progress = WorkerProgress()
  private var bytesSeen: UInt64 = 0

  private static let interval = MediaTime.seconds(5)
  /// The interval while there is no PCM, and at the beginning of a generation.
  private static let shortInterval = MediaTime.seconds(1)
  /// The timeout for a file, which is longer than a disk needs to spin up.
  fileprivate static let fileTimeout = MediaTime.seconds(12)
  /// The timeout for a seek in a file that the worker has open. If the disk or the file is slow nevertheless, another worker has
  /// more time for it, and finds in memory what this one has read.
  fileprivate static let seekTimeout = MediaTime.seconds(5)
  /// The timeout for a stream, which is longer than those of the network, after which the worker gives up by itself.
  fileprivate static let streamTimeout = MediaTime.seconds(60)

  /// - Parameters:
  ///   - awaitsPCM: Whether the sink has nothing to play until the worker delivers PCM.
  ///   - onSilentStream: Called again and again while a stream delivers none, even if its connection is lost.
  ///   - onTimeout: Called once for a worker that delivers none.
  init(
    loop: EventLoop, awaitsPCM: @escaping @MainActor () -> Bool, onSilentStream: @escaping @MainActor () -> Void,
    onTimeout: @escaping @MainActor () -> Void
  ) throws(SystemError) {
    self.awaitsPCM = awaitsPCM
    self.onSilentStream = onSilentStream
    self.onTimeout = onTimeout
    timer = try Timer(on: loop, slack: .seconds(1)) { [weak self] in self?.check() }
  }

  /// Records that the worker was given `new`. Everything after `previous` is cut off, or everything if that is nil.
  func began(_ new: PendingGeneration, after previous: Generation?, into ring: SharedRing) {
    self.ring = ring
    cut(after: previous)
    pending.append(new)
    progress.advanced()
    bytesSeen = ring.bytesRead
    timer?.arm(after: Self.shortInterval)
  }

  /// Stops waiting for everything after `after`, or for everything if that is nil. Later events of it are stale, though
  /// the worker may not have received the command yet.
  func cut(after: Generation?) {
    pending.removeSubrange((pending.firstIndex { $0.generation == after }.map { $0 + 1 } ?? 0)...)
  }

  /// Records that the worker has sent `event` of `generation`.
  func received(_ event: DecodingEvent, of generation: Generation) -> EventOrder {
    guard let index = pending.firstIndex(where: { $0.generation == generation }) else { return .stale }
    guard index == 0 else { return .premature }
    guard !pending[0].isDecoded || event.canFollowDecoding else { return .stale }
    progress.advanced()
    return .expected
  }

  /// Records that the source of the generation is open.
  func opened(_ generation: Generation) {
    update(generation) { $0.isRestarting = false }
  }

  /// Records that the connection of the generation was lost, or is there again.
  func setInterrupted(_ generation: Generation, _ isInterrupted: Bool) {
    update(generation) { $0.isInterrupted = isInterrupted }
  }

  /// Records that all of the generation is decoded, although its end is not in the ring yet.
  func decoded(_ generation: Generation) {
    update(generation) { $0.isDecoded = true }
  }

  private func update(_ generation: Generation, _ body: (inout PendingGeneration) -> Void) {
    guard let index = pending.firstIndex(where: { $0.generation == generation }) else { return }
    body(&pending[index])
  }

  /// Records that the generation was decoded to its end, which is in the ring.
  func finished(_ generation: Generation) { pending.removeAll { $0.generation == generation } }

  func isPending(_ generation: Generation) -> Bool { pending.contains { $0.generation == generation } }

  /// Stops waiting for anything.
  func reset() {
    pending = []
    timer?.disarm()
  }

  /// Reports a worker that has made no progress for too long.
  func check(at now: MonotonicTime = .now) {
    let active = undecoded.isEmpty ? pending[...] : undecoded
    guard let first = active.first, let timeout = active.map(\.timeout).max(), let ring else { return }
    // The worker has made progress if PCM was read from its ring. While the sink does not wait for PCM, the worker need not
    // make any: its ring is full, or the server does not play. Without a connection it cannot.
    let isSilent = awaitsPCM() && ring.bytesRead == bytesSeen
    if first.isInterrupted || !isSilent { progress.advanced(at: now) }
    // The fetch process may be what hangs.
    if isSilent, !first.isFile { onSilentStream() }
    bytesSeen = ring.bytesRead
    if progress.hasExceeded(timeout, at: now) {
      onTimeout()
    } else {
      timer?.arm(after: isSilent ? Self.shortInterval : Self.interval)
    }
  }
}

extension DecodingEvent {
  /// Whether the event may be sent of a generation after `decoded`.
  fileprivate var canFollowDecoding: Bool {
    switch self {
    case .ended, .incomplete, .title, .resumed: true
    case .opened, .sourceNeeded, .failed, .cutOff, .decoded, .faded, .interrupted: false
    }
  }
}
