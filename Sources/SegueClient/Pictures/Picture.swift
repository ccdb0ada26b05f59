internal import Glibc
internal import SegueSystem

/// A PNG on its way to the terminal.
struct Picture {
  let path: FilePath
  private let bytes: [UInt8]

  /// More than the daemon makes of any cover.
  private static let mostBytes = 32 << 20

  /// nil if there is none at `path`.
  init?(_ path: FilePath) {
    guard let file = path.withCString({ fopen($0, "re") }) else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 * 1024)
    while bytes.count <= Self.mostBytes {
      let count = fread(&chunk, 1, chunk.count, file)
      if count == 0 { break }
      bytes += chunk[..<count]
    }
    guard bytes.count <= Self.mostBytes, bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) else { return nil }
    self.path = path
    self.bytes = bytes
  }

  /// What a terminal is told to draw it into `box`, from the cursor on.
  func kitty(_ box: PictureBox) -> [UInt8] {
    var rest = base64[...]
    var keys = "a=T,f=100,q=2,C=1,c=\(box.columns),r=\(box.rows),"
    var output: [UInt8] = []
    repeat {
      // At most 4096 bytes at a time, says the protocol.
      let part = rest.prefix(4_096)
      rest = rest.dropFirst(part.count)
      output += Array("\u{1B}_G\(keys)m=\(rest.isEmpty ? 0 : 1);".utf8) + part + Array("\u{1B}\\".utf8)
      keys = "q=2,"
    } while !rest.isEmpty
    return output
  }

  func inline(_ box: PictureBox) -> [UInt8] {
    let keys = "inline=1;size=\(bytes.count);width=\(box.columns);height=\(box.rows);preserveAspectRatio=1"
    return Array("\u{1B}]1337;File=\(keys):".utf8) + base64 + [0x07]
  }

  /// RFC 4648, 4.
  private var base64: [UInt8] {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var output: [UInt8] = []
    output.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.enumerated().reduce(UInt32(0)) { $0 | UInt32($1.element) << UInt32(16 - 8 * $1.offset) }
      for digit in 0..<4 {
        output.append(
          digit <= group.count ? alphabet[Int(bits >> UInt32(18 - 6 * digit) & 63)] : UInt8(ascii: "="))
      }
    }
    return output
  }
}
