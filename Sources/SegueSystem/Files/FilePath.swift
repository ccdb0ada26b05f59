internal import CSegue

/// A path as the kernel knows it: bytes without NUL, which need not be UTF-8.
public struct FilePath: Hashable, Sendable, CustomStringConvertible {
  public var bytes: [UInt8]

  public init(bytes: [UInt8]) { self.bytes = bytes }
  public init(_ string: String) { bytes = Array(string.utf8) }

  /// The path for display, with U+FFFD in place of bytes that are not UTF-8.
  public var description: String { String(decoding: bytes, as: UTF8.self) }

  public var isAbsolute: Bool { bytes.first == UInt8(ascii: "/") }

  public var lastComponent: ArraySlice<UInt8> {
    var end = bytes.endIndex
    while end > 1, bytes[end - 1] == UInt8(ascii: "/") { end -= 1 }
    let start = bytes[..<end].lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
    return bytes[min(start, end)..<end]
  }

  /// The path without its last component; "/" for a file in the root folder, "." for a bare name.
  public var parent: FilePath {
    var end = bytes.endIndex
    while end > 1, bytes[end - 1] == UInt8(ascii: "/") { end -= 1 }
    guard let slash = bytes[..<end].lastIndex(of: UInt8(ascii: "/")) else { return FilePath(".") }
    return slash == 0 ? FilePath("/") : FilePath(bytes: Array(bytes[..<slash]))
  }

  /// The part of the name after its last dot, in lower case; empty if there is no dot, or the name begins with it.
  public var fileExtension: String {
    let name = lastComponent
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return "" }
    return String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased()
  }

  /// The name without its extension, for display.
  public var stem: String {
    let name = lastComponent
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else {
      return String(decoding: name, as: UTF8.self)
    }
    return String(decoding: name[..<dot], as: UTF8.self)
  }

  /// Returns the path of `component` in this folder; if `component` is absolute, `component` itself.
  public func appending(_ component: some Sequence<UInt8>) -> FilePath {
    let tail = Array(component)
    if tail.first == UInt8(ascii: "/") || bytes.isEmpty { return FilePath(bytes: tail) }
    return FilePath(bytes: bytes.last == UInt8(ascii: "/") ? bytes + tail : bytes + [UInt8(ascii: "/")] + tail)
  }

  public func appending(_ component: String) -> FilePath { appending(component.utf8) }

  /// Returns whether the path lies below `folder` at any depth, according to its text. Symbolic links are not followed.
  public func isBelow(_ folder: FilePath) -> Bool {
    if folder.bytes == [UInt8(ascii: "/")] { return bytes.count > 1 && isAbsolute }
    return bytes.count > folder.bytes.count && bytes[folder.bytes.count] == UInt8(ascii: "/")
      && bytes.starts(with: folder.bytes)
  }

  /// The path without ".", ".." and double slashes. Symbolic links are not followed.
  public var normalized: FilePath {
    var kept: [ArraySlice<UInt8>] = []
    for part in bytes.split(separator: UInt8(ascii: "/")) {
      if part.elementsEqual(".".utf8) { continue }
      if part.elementsEqual("..".utf8) {
        if let last = kept.last, !last.elementsEqual("..".utf8) {
          kept.removeLast()
        } else if !isAbsolute {
          kept.append(part)
        }
        continue
      }
      kept.append(part)
    }
    let joined = Array(kept.joined(separator: [UInt8(ascii: "/")]))
    if isAbsolute { return FilePath(bytes: [UInt8(ascii: "/")] + joined) }
    return joined.isEmpty ? FilePath(".") : FilePath(bytes: joined)
  }

  /// Returns the path with `suffix` appended to the name.
  public func adding(_ suffix: String) -> FilePath { FilePath(bytes: bytes + Array(suffix.utf8)) }

  /// Whether the path lies in a file system in memory; false if that is unknown.
  public var isInMemory: Bool { withCString(segue_is_in_memory) }

  /// Calls `body` with the path as a C string.
  public func withCString<Result>(_ body: (UnsafePointer<CChar>) throws -> Result) rethrows -> Result {
    try (bytes + [0]).withUnsafeBufferPointer { buffer in
      try buffer.withMemoryRebound(to: CChar.self) { try body($0.baseAddress!) }
    }
  }
}
