import SegueSystem
import SegueTestKit

/// A worker, and files with a tone. Suites derive from it.
class ToneFixture {
  let folder: TemporaryFolder
  let worker: WorkerProcess

  init() throws {
    folder = try TemporaryFolder()
    worker = try WorkerProcess()
  }

  func tone(_ name: String, _ frames: Range<Int>, rate: Int = 44_100, channels: Int = 2) throws -> FilePath {
    try folder.write(name, SineWave.wave(frames, rate: rate, channels: channels))
  }
}
