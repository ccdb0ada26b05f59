internal import Glibc
internal import SegueSystem

/// Files that are read and written whole.
enum SmallFile {
  /// Replaces what is in `path`; the user's alone. Waits for nobody: a FIFO of that name is an error.
  static func write(_ bytes: [UInt8], to path: FilePath) throws(SystemError) {
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let file = Descriptor(owning: try checked("open", path.description) { path.withCString { open($0, flags, 0o600) } })
    try write(bytes, to: file, path)
  }

  /// Puts `bytes` in the place of what is at `path`: whole or, if it fails, not at all, after a power cut too.
  static func replace(_ path: FilePath, with bytes: [UInt8]) throws(SystemError) {
    let draft = Folder.draft(in: path.parent)
    do {
      try writeDurably(bytes, to: draft)
      try Folder.rename(draft, path)
    } catch {
      Folder.removeFile(draft)
      throw error
    }
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
    let folder = Descriptor(
      owning: try checked("open", path.description) { path.parent.withCString { open($0, flags) } })
    // The new name is in the folder's file. What cannot do that does it by itself.
    _ = fsync(folder.raw)
  }

  private static func writeDurably(_ bytes: [UInt8], to path: FilePath) throws(SystemError) {
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let file = Descriptor(owning: try checked("open", path.description) { path.withCString { open($0, flags, 0o666) } })
    try write(bytes, to: file, path)
    try checked("fsync", path.description) { fsync(file.raw) }
  }

  private static func write(
    _ bytes: [UInt8], to file: borrowing Descriptor, _ path: FilePath
  ) throws(SystemError) {
    var rest = bytes[...]
    let raw = file.raw
    while !rest.isEmpty {
      let written = try checked("write", path.description) {
        rest.withUnsafeBytes { Glibc.write(raw, $0.baseAddress, $0.count) }
      }
      rest = rest.dropFirst(written)
    }
  }

  /// Everything in `path`, which must be a regular file. EFBIG if it is more than `most` bytes.
  static func read(_ path: FilePath, upTo most: Int) throws(SystemError) -> [UInt8] {
    try read(RegularFile.open(path), path, upTo: most)
  }

  static func read(_ file: borrowing Descriptor, _ path: FilePath, upTo most: Int) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let raw = file.raw
      let count = try checked("read", path.description) {
        chunk.withUnsafeMutableBytes { Glibc.read(raw, $0.baseAddress, $0.count) }
      }
      if count == 0 { return bytes }
      bytes += chunk[..<count]
      if bytes.count > most { throw SystemError("read", path.description, code: EFBIG) }
    }
  }
}
