internal import Glibc
internal import SegueSystem

/// The state of a file that another program may change while it is read, and samples of the bytes that were read.
///
/// A program that writes a larger tag into a file moves the audio. One that appends audio or tags does not.
struct FileVersion {
  private var size: Int64
  private var modified: Int64
  /// The time of the last change of the content or of the properties, which no program can set.
  private var changed: Int64
  /// The first bytes of the file, and the last bytes that were read, with their position.
  private var head: [UInt8] = []
  private var recent: [UInt8] = []
  private var recentPosition: Int64 = 0

  private static let headSize = 4096
  private static let recentSize = 512
  /// The longest time between two changes of a file that is being written.
  private static let longestPause: Int64 = 2_000_000_000

  init(_ status: stat) {
    size = Int64(status.st_size)
    modified = Self.nanoseconds(status.st_mtim)
    changed = Self.nanoseconds(status.st_ctim)
  }

  /// Records the state of the same file after more was written.
  mutating func update(_ status: stat) {
    let now = FileVersion(status)
    (size, modified, changed) = (now.size, now.modified, now.changed)
  }

  /// The time since the last change.
  var age: MediaTime {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return MediaTime(nanoseconds: max(0, Self.nanoseconds(now) - changed))
  }

  func isEqual(to status: stat) -> Bool {
    size == Int64(status.st_size) && modified == Self.nanoseconds(status.st_mtim)
      && changed == Self.nanoseconds(status.st_ctim)
  }

  /// Returns whether `status` may be that of the same file with more audio, or of one that was renamed. A program that
  /// begins to change an old file may be in the middle of moving its audio.
  func isContinued(by status: stat) -> Bool {
    let (time, length) = (Self.nanoseconds(status.st_ctim), Int64(status.st_size))
    if length == size, modified == Self.nanoseconds(status.st_mtim) { return true }
    return length >= size && time - changed < Self.longestPause
  }

  /// Records `bytes`, which were read at `position`.
  mutating func record(_ bytes: UnsafeRawBufferPointer, at position: Int64) {
    if position == 0, head.isEmpty { head = Array(bytes.prefix(Self.headSize)) }
    let last = bytes.suffix(Self.recentSize)
    recent.removeAll(keepingCapacity: true)
    recent.append(contentsOf: last)
    recentPosition = position + Int64(bytes.count - last.count)
  }

  /// Returns whether the recorded bytes are still where they were. `read` reads bytes at a position and returns their
  /// number.
  func matches(_ read: (Int64, UnsafeMutableRawBufferPointer) -> Int) -> Bool {
    [(Int64(0), head), (recentPosition, recent)].allSatisfy { position, bytes in
      var found = [UInt8](repeating: 0, count: bytes.count)
      return bytes.isEmpty || found.withUnsafeMutableBytes { read(position, $0) } == bytes.count && found == bytes
    }
  }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}
