internal import Glibc
public import SegueSystem

/// A folder of a test's own, gone with the object and with what is in it. Any thread.
public final class TemporaryFolder: Sendable {
  public let path: FilePath

  /// Makes a folder below `parent`.
  public init(in parent: String = "/tmp") throws(SystemError) {
    var template = Array("\(parent)/segue-test-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw SystemError("mkdtemp") }
    path = FilePath(String(cString: made))
  }

  deinit { Self.remove(path) }

  /// Writes a file, over the one there is.
  @discardableResult
  public func write(_ name: String, _ bytes: [UInt8] = []) throws(SystemError) -> FilePath {
    let path = path.appending(name)
    guard let file = path.withCString({ fopen($0, "we") }) else { throw SystemError("fopen", path.description) }
    let written = fwrite(bytes, 1, bytes.count, file)
    guard fclose(file) == 0, written == bytes.count else { throw SystemError("write", path.description) }
    return path
  }

  /// Makes an empty folder within it.
  public func makeFolder(_ name: String) throws(SystemError) {
    try checked("mkdir", name) { path.appending(name).withCString { mkdir($0, 0o700) } }
  }

  /// The names in a folder, in any order; none if it cannot be read.
  public static func names(in folder: FilePath) -> [[UInt8]] {
    guard let stream = folder.withCString({ opendir($0) }) else { return [] }
    defer { closedir(stream) }
    var names: [[UInt8]] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if name != Array(".".utf8), name != Array("..".utf8) { names.append(name) }
    }
    return names
  }

  /// Links are removed, not followed.
  private static func remove(_ path: FilePath) {
    if path.withCString({ unlink($0) }) == 0 { return }
    for name in names(in: path) { remove(path.appending(name)) }
    _ = path.withCString { rmdir($0) }
  }
}
