internal import Glibc
internal import SegueSystem

/// A table of the mounted file systems. The kernel signals POLLPRI on its descriptor when it changes
/// (proc_pid_mountinfo(5)).
struct MountTable: ~Copyable {
  /// The descriptor for poll(2); negative if there is none.
  let raw: Int32
  private var points: Set<Point>

  private struct Point: Hashable {
    let path: FilePath
    let device: [UInt8]
  }

  /// Opens the table. Without `/proc` there are never any changes.
  init() {
    raw = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
    points = Self.read(raw)
  }

  deinit { if raw >= 0 { close(raw) } }

  static let events = Int16(POLLPRI)

  /// Returns the mount points at which something was mounted or unmounted since the last call.
  mutating func takeChanges() -> [FilePath] {
    let now = Self.read(raw)
    defer { points = now }
    return now.symmetricDifference(points).map(\.path)
  }

  private static func read(_ raw: Int32) -> Set<Point> {
    guard raw >= 0, lseek(raw, 0, SEEK_SET) == 0 else { return [] }
    var text: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16 * 1024)
    while true {
      let count = Glibc.read(raw, &chunk, chunk.count)
      if count <= 0 { break }
      text += chunk[..<count]
    }
    let points = text.split(separator: UInt8(ascii: "\n")).compactMap { line -> Point? in
      let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
      return fields.count > 4 ? Point(path: FilePath(bytes: unescaped(fields[4])), device: Array(fields[2])) : nil
    }
    return Set(points)
  }

  /// Decodes a field, in which white space is written as a backslash and three octal digits.
  private static func unescaped(_ field: ArraySlice<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = field
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3)
      guard byte == UInt8(ascii: "\\"), digits.count == 3, digits.allSatisfy({ (0x30...0x37).contains($0) }) else {
        bytes.append(byte)
        continue
      }
      bytes.append(UInt8(truncatingIfNeeded: digits.reduce(0) { $0 << 3 | Int($1 - 0x30) }))
      rest = rest.dropFirst(3)
    }
    return bytes
  }
}
