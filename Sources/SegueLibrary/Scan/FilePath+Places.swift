internal import Glibc
internal import SegueSystem

extension FilePath {
  /// Without symbolic links, "." and ".."; nil if there is nothing.
  var resolved: FilePath? {
    guard let resolved = withCString({ realpath($0, nil) }) else { return nil }
    defer { free(resolved) }
    return FilePath(bytes: UnsafeBufferPointer(start: resolved, count: strlen(resolved)).map(UInt8.init(bitPattern:)))
  }

  /// Whether it lies somewhere under `folder`, by text alone.
  func isBelow(_ folder: FilePath) -> Bool {
    if folder.bytes == [UInt8(ascii: "/")] { return bytes.count > 1 && isAbsolute }
    return bytes.count > folder.bytes.count && bytes[folder.bytes.count] == UInt8(ascii: "/")
      && bytes.starts(with: folder.bytes)
  }
}
