// Thread: the test's, which reads the log. The reading thread appends to it.
internal import Glibc
public import SegueSystem

/// A recorder of the bytes that are read from a descriptor, with the time of each read. Any thread may use it.
public final class Recorder: Sendable {
  public struct Piece: Sendable {
    public var time: MonotonicTime
    /// The bytes; empty in the last piece, at the end of the input.
    public var bytes: [UInt8]
  }

  public let pieces = EventLog<Piece>()
  private let child: ChildProcess?
  private let thread: ReadingThread

  init(reading descriptor: consuming Descriptor, from child: ChildProcess?) {
    self.child = child
    thread = ReadingThread(descriptor, into: pieces)
  }

  /// All bytes so far.
  public var bytes: [UInt8] { pieces.all.flatMap(\.bytes) }

  /// Waits for sound and for the silence after it. Returns the bytes from the first nonzero one until there are
  /// `silence` zero bytes in a row; nil after `seconds`.
  public func sound(untilSilence silence: Int = 64 << 10, seconds: Int = 20) -> [UInt8]? {
    var bytes: [UInt8] = []
    var zeros = 0
    return pieces.wait(within: .seconds(seconds)) { piece -> [UInt8]? in
      var new = piece.bytes[...]
      if bytes.isEmpty {
        guard let first = new.firstIndex(where: { $0 != 0 }) else { return nil }
        new = new[first...]
      }
      if let last = new.lastIndex(where: { $0 != 0 }) {
        zeros = new.endIndex - last - 1
      } else {
        zeros += new.count
      }
      bytes += new
      return zeros >= silence ? bytes : nil
    }?.0
  }

  /// Returns the time of the first piece, at or after `time`, with a nonzero byte.
  public func firstSound(after time: MonotonicTime, seconds: Int = 20) -> MonotonicTime? {
    pieces.wait(within: .seconds(seconds)) { piece -> MonotonicTime? in
      piece.time >= time && piece.bytes.contains { $0 != 0 } ? piece.time : nil
    }?.0
  }

  deinit {
    child?.end()
    thread.stop()
  }
}

/// A thread that reads a descriptor until its end, or until it is stopped.
private final class ReadingThread: Sendable {
  private let stopping: EventCounter?
  // Proof: set in `init`, used once, in `stop`.
  nonisolated(unsafe) private let thread: TestThread

  init(_ descriptor: consuming Descriptor, into log: EventLog<Recorder.Piece>) {
    let stopping = try? EventCounter()
    self.stopping = stopping
    let raw = descriptor.release()
    thread = TestThread {
      defer { close(raw) }
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        var watched = [raw, stopping?.raw ?? -1].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        guard poll(&watched, 2, -1) >= 0 || errno == EINTR, watched[1].revents == 0 else { return }
        let count = read(raw, &buffer, buffer.count)
        if count > 0 {
          log.append(Recorder.Piece(time: .now, bytes: Array(buffer[..<count])))
        } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
          log.append(Recorder.Piece(time: .now, bytes: []))
          return
        }
      }
    }
  }

  func stop() {
    stopping?.raise()
    thread.join()
  }
}
