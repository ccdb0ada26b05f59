internal import Glibc
internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// The conversion of arguments that name something playable into URIs.
enum Resource {
  /// Returns the `file://` URI of `argument` if it is an existing path, else `argument` itself if it is a `segue:` URI
  /// or a URL. Throws if it is none of these.
  static func uri(_ argument: Argument) throws(ClientError) -> String {
    let path = argument.path
    do throws(SystemError) {
      if path.bytes.isEmpty { throw SystemError("access", "", code: ENOENT) }
      try checked("access") { path.withCString { access($0, F_OK) } }
      return FileURI.encode(try absolute(path))
    } catch {
      // `segue:` URIs are accepted with spaces: queries and playlist names in them need not be percent-encoded.
      if argument.text.hasPrefix("segue:") || isURL(argument.text) { return argument.text }
      throw ClientError(
        .failed, "\(quoted(path)): \(error.translatedReason)",
        kind: (error.code == EACCES ? Failure.Kind.denied : .notFound).rawValue,
        hints: [tr("paths are relative to the current folder; URLs start with a scheme, like https://…")])
    }
  }

  /// Returns the URIs of all arguments. Throws the error of the first argument that has none.
  static func uris(_ arguments: [Argument]) throws(ClientError) -> [String] {
    var uris: [String] = []
    for argument in arguments { uris.append(try uri(argument)) }
    return uris
  }

  /// Returns whether `text` starts with a scheme of two or more letters and either contains no space or continues with
  /// "//": the daemon encodes spaces in the URLs of streams.
  private static func isURL(_ text: String) -> Bool {
    guard let colon = text.firstIndex(of: ":"),
      text[colon...].hasPrefix("://") || text.utf8.allSatisfy({ $0 > 0x20 })
    else { return false }
    let scheme = text[..<colon].utf8
    return scheme.count > 1
      && scheme.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
          true
        default: false
        }
      }
  }

  /// Returns the absolute path. If the path contains "..", the kernel resolves it, because a symbolic link may precede
  /// it.
  private static func absolute(_ path: FilePath) throws(SystemError) -> FilePath {
    if path.bytes.split(separator: UInt8(ascii: "/")).contains(where: { $0.elementsEqual("..".utf8) }) {
      guard let real = path.withCString({ realpath($0, nil) }) else { throw SystemError("realpath", "\(path)") }
      defer { free(real) }
      return FilePath(bytes: Array(UnsafeRawBufferPointer(start: real, count: strlen(real))))
    }
    if path.isAbsolute { return path.normalized }
    guard let folder = getcwd(nil, 0) else { throw SystemError("getcwd", tr("the current folder")) }
    defer { free(folder) }
    return FilePath(bytes: Array(UnsafeRawBufferPointer(start: folder, count: strlen(folder)))).appending(path.bytes)
      .normalized
  }

  private static func quoted(_ path: FilePath) -> String { path.bytes.isEmpty ? tr("empty path") : path.description }
}
