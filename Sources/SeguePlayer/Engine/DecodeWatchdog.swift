internal import SegueSystem
internal import SegueWorkerProtocol

/// A watchdog that detects a decoding worker that hangs. It is a value without a clock and a timer.
struct DecodeWatchdog {
  private var progress = WorkerProgress()
  private var bytesSeen: UInt64 = 0

  /// The result of a check.
  struct Verdict: Equatable {
    /// Whether the worker has made no progress for too long.
    let isHung: Bool
    /// Whether a stream delivers no PCM, even if its connection is lost: the fetch process may be what hangs.
    let isStreamSilent: Bool
    /// The time after which the next check is due.
    let interval: MediaTime
  }

  /// The interval while there is no PCM, and at the beginning of a generation.
  static let shortInterval = MediaTime.seconds(1)
  private static let interval = MediaTime.seconds(5)

  /// Records that the worker was given a generation. `bytesRead`: the number of bytes that were read from its ring so
  /// far.
  mutating func began(bytesRead: UInt64) {
    progress.advanced()
    bytesSeen = bytesRead
  }

  /// Records that the worker has sent an event of the generation that it decodes.
  mutating func advanced() { progress.advanced() }

  /// Checks the worker that decodes `queue`; nil if it has nothing to do. `awaitsPCM`: whether the sink has nothing to
  /// play until the worker delivers PCM.
  mutating func check(
    _ queue: DecodeQueue, bytesRead: UInt64, awaitsPCM: Bool, at now: MonotonicTime = .now
  ) -> Verdict? {
    let active = queue.undecoded.isEmpty ? queue.pending[...] : queue.undecoded
    guard let first = active.first, let timeout = active.map(\.timeout).max() else { return nil }
    // The worker has made progress if PCM was read from its ring. While the sink does not wait for PCM, the worker need
    // not make any: its ring is full, or the server does not play. Without a connection it cannot.
    let isSilent = awaitsPCM && bytesRead == bytesSeen
    if first.isInterrupted || !isSilent { progress.advanced(at: now) }
    bytesSeen = bytesRead
    return Verdict(
      isHung: progress.hasExceeded(timeout, at: now), isStreamSilent: isSilent && !first.isFile,
      interval: isSilent ? Self.shortInterval : Self.interval)
  }
}

extension DecodeQueue.Decode {
  /// The timeout for a file, which is longer than a disk needs to spin up.
  private static let fileTimeout = MediaTime.seconds(12)
  /// The timeout for a seek in a file that the worker has open. If the disk or the file is slow nevertheless, another
  /// worker has more time for it, and finds in memory what this one has read.
  private static let seekTimeout = MediaTime.seconds(5)
  /// The timeout for a stream, which is longer than those of the network, after which the worker gives up by itself.
  private static let streamTimeout = MediaTime.seconds(60)

  fileprivate var timeout: MediaTime {
    guard isFile else { return Self.streamTimeout }
    return isRestarting && kills == 0 ? Self.seekTimeout : Self.fileTimeout
  }
}
