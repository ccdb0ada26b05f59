internal import Glibc
internal import SegueSystem

extension FilePath {
  /// Without symbolic links, "." and ".."; nil if there is nothing.
  var resolved: FilePath? {
    guard let resolved = withCString({ realpath($0, nil) }) else { return nil }
    defer { free(resolved) }
    return FilePath(bytes: UnsafeBufferPointer(start: resolved, count: strlen(resolved)).map(UInt8.init(bitPattern:)))
  }
}
