import SegueRing
import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol

/// A comparison of the audio after a seek with that of a file that is decoded from its beginning.
struct Seeks {
  /// The places of a file to which is sought, as shares of its length.
  static let places = [0.1, 0.3, 0.5, 0.7, 0.93]
  /// The largest difference between samples that still is a rounding error of a lossy decoder.
  private static let tolerance: Float = 0.0005

  private let path: FilePath
  /// A file whose audio fills the ring, so that the next file is still being decoded when a seek interrupts it.
  private let filler: FilePath
  private let worker: WorkerProcess
  private let whole: WorkerProcess.DecodedGeneration
  private let samples: [Float]
  private var generation: UInt32 = 1

  init(_ path: FilePath, filler: FilePath) throws {
    self.path = path
    self.filler = filler
    worker = try WorkerProcess()
    try worker.open(1, path)
    whole = try worker.decodedGeneration(1)
    samples = whole.parts.flatMap(Self.samples)
  }

  /// The name of the format of the file.
  var format: String {
    worker.info(of: 1).map { "\($0.audio.container)/\($0.audio.codec)" } ?? "-"
  }

  var duration: MediaTime? { worker.duration(of: 1) }
  var stop: Failure? { worker.interruption(of: 1) }

  /// Returns what is wrong with the audio from `share` of the file on, once after the file is opened there, and once
  /// after a seek in the open file; nil if it is the same audio.
  mutating func fault(at share: Double) throws -> String? {
    guard let part = whole.parts.first, whole.parts.count == 1, let end = whole.end else { return "several formats" }
    let frame = Int64(Double(end.count) * share)
    let time = part.format.rate.time(of: Frames(frame))
    generation += 4
    try worker.open(generation, path, start: time)
    if let fault = try fault(from: frame, part) { return "opened: \(fault)" }
    try worker.open(generation + 1, filler)
    _ = try worker.bufferedBytesWhenIdle()
    try worker.open(generation + 2, path, start: part.format.rate.time(of: Frames(end.count - frame)))
    let previous = generation + 2
    try worker.wait(for: "the track to be opened", draining: false) { $0.info(of: previous) != nil }
    generation += 3
    let current = generation
    try worker.restart(current, of: previous, path, start: time)
    try worker.wait(for: "the response", draining: false) {
      $0.info(of: current) != nil || $0.needsSource(of: current)
    }
    if worker.needsSource(of: current) { return nil }
    return try fault(from: frame, part).map { "sought: \($0)" }
  }

  private func fault(from frame: Int64, _ part: WorkerProcess.Part) throws -> String? {
    let decoded = try worker.decodedGeneration(generation)
    guard decoded.parts.count == 1, let first = decoded.parts.first else { return "\(decoded.parts.count) parts" }
    guard first.format == part.format else { return "another format" }
    if first.mediaFrame != Frames(frame) { return "begins at \(first.mediaFrame.count)" }
    if decoded.end != whole.end { return "ends at \(decoded.end?.count ?? -1)" }
    let found = Self.samples(first)
    let offset = Int(frame) * Int(part.format.channels.count)
    guard found.count == samples.count - offset else { return "\(found.count) samples" }
    let (wrong, largest) = found.withUnsafeBufferPointer { found in
      samples.withUnsafeBufferPointer { samples in
        var (wrong, largest) = (found.count, Float.zero)
        for index in 0..<found.count {
          let difference = abs(found[index] - samples[offset + index])
          if difference > Self.tolerance { wrong = min(wrong, index) }
          largest = max(largest, difference)
        }
        return (wrong, largest)
      }
    }
    return wrong == found.count
      ? nil : "differs by \(largest) from frame \(wrong / Int(part.format.channels.count)) on"
  }

  private static func samples(_ part: WorkerProcess.Part) -> [Float] {
    part.bytes.withUnsafeBytes { raw in
      switch part.format.sample {
      case .signed16: raw.bindMemory(to: Int16.self).map { Float($0) / 32_768 }
      case .signed32: raw.bindMemory(to: Int32.self).map { Float($0) / 2_147_483_648 }
      case .float32: Array(raw.bindMemory(to: Float.self))
      }
    }
  }

  /// Returns a WAV file that is larger than a ring, with 192 kHz, eight channels and 24 bits.
  static var fillerBytes: [UInt8] {
    let size = 8 << 20
    func little(_ value: Int, _ bytes: Int) -> [UInt8] { (0..<bytes).map { UInt8(value >> (8 * $0) & 0xFF) } }
    var file = joined("RIFF".utf8, little(36 + size, 4), "WAVEfmt ".utf8, little(16, 4), little(1, 2))
    file += little(8, 2) + little(192_000, 4) + little(192_000 * 24, 4) + little(24, 2) + little(24, 2)
    return file + joined("data".utf8, little(size, 4), [UInt8](repeating: 0, count: size))
  }
}

/// Prints a line for each file whose path is read from standard input, in columns separated by tabs: the path, the
/// format, the duration after decoding in nanoseconds, the reason why decoding stopped, and the fault of a seek to each
/// place. A hyphen stands for none.
func printSeeks() throws {
  let folder = try TemporaryFolder()
  let filler = try folder.write("filler.wav", Seeks.fillerBytes)
  while let line = readLine() {
    var columns: [String]
    do {
      var seeks = try Seeks(FilePath(line), filler: filler)
      columns = [seeks.format, seeks.duration.map { String($0.nanoseconds) } ?? "-", seeks.stop?.message ?? "-"]
      for place in Seeks.places { columns.append(try seeks.fault(at: place) ?? "-") }
    } catch {
      columns = ["-", "-", "\(error)".replacing("\n", with: " ").replacing("\t", with: " ")]
    }
    print("\(line)\t\(columns.joined(separator: "\t"))")
  }
}
