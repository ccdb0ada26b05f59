// Thread: the only one of the process.
import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol

// This program reads paths from standard input. For each file, it prints the durations that the library's scan and
// playback state, the duration after decoding the file, and the reason why decoding stopped before the end: one line
// per file, in columns separated by tabs. With the argument "seeks", it compares the audio after seeks instead
// (`Seeks`). `contrib/durations` reads them.

/// Returns a duration in nanoseconds and its kind, with hyphens in place of missing values.
func columns(_ info: MediaInfo?) -> String {
  guard let info else { return "-\t-" }
  return "\(info.duration.map { String($0.nanoseconds) } ?? "-")\t\(info.durationKind.rawValue)"
}

func scanned(_ path: FilePath) throws -> MediaInfo? {
  guard case .facts(let facts)? = try WorkerProcess(ring: false).scan([path]).first else { return nil }
  return facts.info
}

/// Decodes the whole file. The format is that of the first frame.
func decoded(_ path: FilePath) throws -> (
  stated: MediaInfo?, duration: MediaTime?, format: String, reason: String?
) {
  let worker = try WorkerProcess()
  try worker.open(1, path)
  try worker.wait(for: "the end of \(path)") {
    $0.failure(of: 1) != nil || $0.duration(of: 1) != nil && $0.decodedGenerations.contains { $0.end != nil }
  }
  let audio = worker.info(of: 1)?.audio
  return (
    worker.info(of: 1), worker.duration(of: 1), audio.map { "\($0.container)/\($0.codec)\t\($0.sampleRate)" } ?? "-\t0",
    (worker.interruption(of: 1) ?? worker.failure(of: 1))?.message
  )
}

if CommandLine.arguments.contains("seeks") {
  try printSeeks()
  exit(0)
}
while let line = readLine() {
  let path = FilePath(line)
  do {
    let library = try scanned(path)
    let played = try decoded(path)
    let duration = played.duration.map { String($0.nanoseconds) } ?? "-"
    print(
      "\(line)\t\(columns(library))\t\(columns(played.stated))\t\(duration)\t\(played.format)\t"
        + (played.reason?.replacing("\n", with: " ") ?? "-"))
  } catch {
    print("\(line)\t-\t-\t-\t-\t-\t-\t0\t\(error)".replacing("\n", with: " "))
  }
}
