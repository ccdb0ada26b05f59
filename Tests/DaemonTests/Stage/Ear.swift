import Glibc
import SegueSystem
import SegueTestKit
import Testing

/// Listens to what the sound server plays. One thread, the test's, has it.
final class Ear {
  private let recorder: Recorder
  private let sampleBytes: Int
  private var next = 0
  private var rest: [UInt8] = []
  private var isOver = false
  private(set) var score = Score()
  /// When the frame at the end of each piece came, in the order they came.
  private(set) var marks: [(time: MonotonicTime, frame: Int)] = []

  /// `sampleBytes`: 2, or 4 for a sink of 32 bits, of which the upper 16 count.
  init(_ recorder: Recorder, sampleBytes: Int = 2) {
    self.recorder = recorder
    self.sampleBytes = sampleBytes
  }

  /// All bytes so far.
  var bytes: [UInt8] { recorder.bytes }

  /// Forgets what was heard so far.
  func forget() {
    take()
    score = Score()
    marks = []
  }

  /// Listens until `condition` holds; fails the test if it never does.
  func listen(
    for what: String, seconds: Int = 20, at location: SourceLocation = #_sourceLocation,
    until condition: (Score) -> Bool
  ) throws {
    take()
    if condition(score) { return }
    let found = recorder.pieces.wait(from: next, seconds: seconds) { piece -> Bool? in
      note(piece)
      return condition(score) ? true : nil
    }
    try #require(found != nil, "waited in vain for \(what); heard \(score)", sourceLocation: location)
  }

  /// Until so many frames of silence follow a sound.
  func listenToTheEnd(silence: Int = 20_000, at location: SourceLocation = #_sourceLocation) throws {
    try listen(for: "the end", at: location) { !$0.sound.isEmpty && $0.silence >= silence }
  }

  /// Until whoever plays is gone, and the last of it was heard.
  func listenUntilItDies(at location: SourceLocation = #_sourceLocation) throws {
    try listen(for: "the death of the server", at: location) { _ in isOver }
  }

  /// Until this frame is heard, or one behind it in the same run: in that which was heard last when it was last listened
  /// to, or another after it.
  func listen(toFrame frame: Int, at location: SourceLocation = #_sourceLocation) throws {
    let known = max(0, score.runs.count - 1)
    try listen(for: "frame \(frame)", at: location) { score in
      score.runs[known...].contains { run in run.first.map { $0 <= frame && run.end > frame } ?? false }
    }
  }

  /// Takes in what has come.
  private func take() {
    while recorder.pieces.count > next { _ = recorder.pieces.wait(from: next, seconds: 0) { note($0) } }
  }

  private func note(_ piece: Recorder.Piece) {
    next += 1
    isOver = isOver || piece.bytes.isEmpty
    rest += piece.bytes
    let size = sampleBytes * 2
    let whole = rest.count / size
    rest.withUnsafeBytes { raw in
      for frame in 0..<whole {
        let at = frame * size + sampleBytes - 2
        let left = raw.loadUnaligned(fromByteOffset: at, as: UInt16.self)
        let right = raw.loadUnaligned(fromByteOffset: at + sampleBytes, as: UInt16.self)
        score.append(UInt32(right) << 16 | UInt32(left))
      }
    }
    rest.removeFirst(whole * size)
    if let now = score.now { marks.append((piece.time, now)) }
  }
}
