internal import Glibc
public import SegueSystem

/// A folder that is removed, with its contents, with this object. Any thread may use it.
public final class TemporaryFolder: Sendable {
  public let path: FilePath

  /// Creates a folder in `parent`.
  public init(in parent: String = "/tmp") throws(SystemError) {
    var template = Array("\(parent)/segue-test-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw SystemError("mkdtemp") }
    path = FilePath(String(cString: made))
  }

  deinit { Self.remove(path) }

  /// Writes a file, replacing an existing one.
  @discardableResult
  public func write(_ name: String, _ bytes: [UInt8] = []) throws(SystemError) -> FilePath {
    let path = path.appending(name)
    guard let file = path.withCString({ fopen($0, "we") }) else { throw SystemError("fopen", path.description) }
    let written = fwrite(bytes, 1, bytes.count, file)
    guard fclose(file) == 0, written == bytes.count else { throw SystemError("write", path.description) }
    return path
  }

  /// Creates a folder in the folder.
  public func makeFolder(_ name: String) throws(SystemError) {
    try checked("mkdir", name) { path.appending(name).withCString { mkdir($0, 0o700) } }
  }

  /// Returns the names in a folder, in any order; an empty array if it cannot be read.
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

  /// Removes a file, a link or a folder with its contents. Links are not followed.
  private static func remove(_ path: FilePath) {
    if path.withCString({ unlink($0) }) == 0 { return }
    for name in names(in: path) { remove(path.appending(name)) }
    _ = path.withCString { rmdir($0) }
  }
}
