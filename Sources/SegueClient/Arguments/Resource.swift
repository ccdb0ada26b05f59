internal import Glibc
internal import SegueSystem

/// A word that names something to play, as the URI the daemon takes.
enum Resource {
  /// A path that exists, byte for byte and absolute; else what the library names, or a URL, as it stands. Throws for
  /// what is none of them.
  static func uri(_ argument: Argument) throws(ClientError) -> String {
    let path = argument.path
    do throws(SystemError) {
      if path.bytes.isEmpty { throw SystemError("access", "", code: ENOENT) }
      try checked("access") { path.withCString { access($0, F_OK) } }
      return FileURI.encode(try absolute(path))
    } catch {
      // A query, or a playlist's name, need not be encoded.
      if argument.text.hasPrefix("segue:") || isURL(argument.text) { return argument.text }
      throw ClientError(
        .failed, "\(quoted(path)): \(error.reason)", kind: error.code == EACCES ? "denied" : "not_found",
        hints: ["paths start from the current folder; a URL starts with its scheme, as in https://…"])
    }
  }

  /// The URIs of those `arguments` that name something, and why the others do not.
  static func uris(_ arguments: [Argument]) -> (uris: [String], errors: [ClientError]) {
    var uris: [String] = []
    var errors: [ClientError] = []
    for argument in arguments {
      do throws(ClientError) {
        uris.append(try uri(argument))
      } catch {
        errors.append(error)
      }
    }
    return (uris, errors)
  }

  /// `scheme:…` of two letters or more, without a blank.
  private static func isURL(_ text: String) -> Bool {
    guard let colon = text.firstIndex(of: ":"), text.utf8.allSatisfy({ $0 > 0x20 }) else { return false }
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

  /// From the root. Where a ".." might follow a symbolic link only the kernel knows where it leads.
  private static func absolute(_ path: FilePath) throws(SystemError) -> FilePath {
    if path.bytes.split(separator: UInt8(ascii: "/")).contains(where: { $0.elementsEqual("..".utf8) }) {
      guard let real = path.withCString({ realpath($0, nil) }) else { throw SystemError("realpath", "\(path)") }
      defer { free(real) }
      return FilePath(bytes: Array(UnsafeRawBufferPointer(start: real, count: strlen(real))))
    }
    if path.isAbsolute { return path.normalized }
    guard let folder = getcwd(nil, 0) else { throw SystemError("getcwd", "the current folder") }
    defer { free(folder) }
    return FilePath(bytes: Array(UnsafeRawBufferPointer(start: folder, count: strlen(folder)))).appending(path.bytes)
      .normalized
  }

  private static func quoted(_ path: FilePath) -> String { path.bytes.isEmpty ? "an empty name" : path.description }
}
