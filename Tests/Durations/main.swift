// One thread, the process' only one.
import Glibc
import SegueLink
import SegueSystem
import SegueTestKit
import SegueWire

// Says of every file whose path comes on standard input how long the library's scan and playing state it to be, and how
// long it is once it has been decoded: one line each, in columns that tabs separate. `contrib/durations` reads them.

/// A duration in nanoseconds and how surely it was stated, or a hyphen in place of either.
func columns(_ info: MediaInfo?) -> String {
  guard let info else { return "-\t-" }
  return "\(info.duration.map { String($0.nanoseconds) } ?? "-")\t\(info.durationKind.rawValue)"
}

func scanned(_ path: FilePath) throws -> MediaInfo? {
  guard case .facts(let facts)? = try WorkerProcess(ring: false).scan([path]).first else { return nil }
  return facts.info
}

/// Decodes all of the file. The format is that of the first frame.
func decoded(_ path: FilePath) throws -> (stated: MediaInfo?, duration: MediaTime?, format: String) {
  let worker = try WorkerProcess()
  try worker.open(1, path)
  try worker.wait(for: "the end of \(path)") {
    $0.failure(of: 1) != nil || $0.duration(of: 1) != nil && $0.takes.contains { $0.end != nil }
  }
  let audio = worker.info(of: 1)?.audio
  return (
    worker.info(of: 1), worker.duration(of: 1), audio.map { "\($0.container)/\($0.codec)\t\($0.sampleRate)" } ?? "-\t0"
  )
}

while let line = readLine() {
  let path = FilePath(line)
  do {
    let library = try scanned(path)
    let played = try decoded(path)
    let duration = played.duration.map { String($0.nanoseconds) } ?? "-"
    print("\(line)\t\(columns(library))\t\(columns(played.stated))\t\(duration)\t\(played.format)")
  } catch {
    print("\(line)\t-\t-\t-\t-\t-\t\(error)\t0".replacing("\n", with: " "))
  }
}
