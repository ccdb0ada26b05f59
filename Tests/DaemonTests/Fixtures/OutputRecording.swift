import Glibc
import SegueSystem
import SegueTestKit
import Testing

/// The recorded output of the sound server. Only the thread of the test uses it.
final class OutputRecording {
  /// The largest difference in seconds between the time at which a frame is played and the time at which it arrives
  /// here: the recorder of a monitor delivers blocks of 5 ms about 5 ms after playback.
  static let tolerance = 0.03

  private let recorder: Recorder
  private let sampleBytes: Int
  private var next = 0
  private var rest: [UInt8] = []
  private var isAtEnd = false
  private(set) var recordedFrames = RecordedFrames()
  /// The last frame of each piece that ended with sound, and the time at which it arrived.
  private(set) var arrivals: [(time: MonotonicTime, frame: Int)] = []

  /// Creates a recording. `sampleBytes` is 2, or 4 for a sink of 32 bits, of which the upper 16 are used.
  init(_ recorder: Recorder, sampleBytes: Int = 2) {
    self.recorder = recorder
    self.sampleBytes = sampleBytes
  }

  /// The number of pieces that were read.
  var pieceCount: Int { next }

  /// Returns the times at which sounds began to arrive that follow at least so many frames of silence, in 16-bit
  /// stereo.
  func onsets(afterSilence silence: Int) -> [MonotonicTime] {
    var onsets: [MonotonicTime] = []
    var silent = 0
    var rest: [UInt8] = []
    for piece in recorder.pieces.all {
      let bytes = rest + piece.bytes
      let frames = bytes.count / 4
      rest = Array(bytes[(frames * 4)...])
      for frame in 0..<frames {
        let sample = Int16(truncatingIfNeeded: Int(bytes[frame * 4]) | Int(bytes[frame * 4 + 1]) << 8)
        if abs(Int(sample)) < 3_000 {
          silent += 1
          continue
        }
        let late = SampleRate.cd.time(of: Frames(frames - frame))
        if silent >= silence { onsets.append(piece.time - late) }
        silent = 0
      }
    }
    return onsets
  }

  /// All recorded bytes.
  var bytes: [UInt8] { recorder.bytes }

  /// Discards the frames recorded so far.
  func discard() {
    readNewPieces()
    recordedFrames = RecordedFrames()
    arrivals = []
  }

  /// Records until `condition` holds. Throws after the timeout.
  func wait(
    for what: String, seconds: Int = 20, at location: SourceLocation = #_sourceLocation,
    until condition: (RecordedFrames) -> Bool
  ) throws {
    readNewPieces()
    if condition(recordedFrames) { return }
    let found = recorder.pieces.wait(from: next, within: .seconds(seconds)) { piece -> Bool? in
      append(piece)
      return condition(recordedFrames) ? true : nil
    }
    try #require(found != nil, "timed out waiting for \(what); recorded \(recordedFrames)", sourceLocation: location)
  }

  /// Records until this many frames of silence follow a sound.
  func waitForSilence(silence: Int = 20_000, at location: SourceLocation = #_sourceLocation) throws {
    try wait(for: "silence after sound", at: location) { !$0.sound.isEmpty && $0.silence >= silence }
  }

  /// Records until the stream has ended and its last frame has been recorded.
  func waitForEndOfStream(at location: SourceLocation = #_sourceLocation) throws {
    try wait(for: "the end of the stream", at: location) { _ in isAtEnd }
  }

  /// Records until this frame or a later one of the same run is recorded, in the run that was last at the previous call
  /// or in a later one. Throws 20 seconds after the time at which it would be played if the track began now.
  func wait(forFrame frame: Int, at location: SourceLocation = #_sourceLocation) throws {
    let known = max(0, recordedFrames.runs.count - 1)
    try wait(for: "frame \(frame)", seconds: 20 + frame / Signal.rate, at: location) { recordedFrames in
      recordedFrames.runs[known...].contains { run in run.first.map { $0 <= frame && run.end > frame } ?? false }
    }
  }

  /// Appends the pieces that the recorder has read meanwhile.
  private func readNewPieces() {
    while recorder.pieces.count > next { _ = recorder.pieces.wait(from: next, within: .zero) { append($0) } }
  }

  private func append(_ piece: Recorder.Piece) {
    next += 1
    isAtEnd = isAtEnd || piece.bytes.isEmpty
    rest += piece.bytes
    let size = sampleBytes * 2
    let whole = rest.count / size
    rest.withUnsafeBytes { raw in
      for frame in 0..<whole {
        let at = frame * size + sampleBytes - 2
        let left = raw.loadUnaligned(fromByteOffset: at, as: UInt16.self)
        let right = raw.loadUnaligned(fromByteOffset: at + sampleBytes, as: UInt16.self)
        recordedFrames.append(UInt32(right) << 16 | UInt32(left))
      }
    }
    rest.removeFirst(whole * size)
    if let frame = recordedFrames.lastFrame { arrivals.append((piece.time, frame)) }
  }
}
