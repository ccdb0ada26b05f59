internal import CSegue

/// A path as the kernel knows it: bytes, no NUL, not necessarily UTF-8.
public struct FilePath: Hashable, Sendable, CustomStringConvertible {
  public var bytes: [UInt8]

  public init(bytes: [UInt8]) { self.bytes = bytes }
  public init(_ string: String) { bytes = Array(string.utf8) }

  /// For people: what is no UTF-8 shows as U+FFFD.
  public var description: String { String(decoding: bytes, as: UTF8.self) }

  public var isAbsolute: Bool { bytes.first == UInt8(ascii: "/") }

  public var lastComponent: ArraySlice<UInt8> {
    var end = bytes.endIndex
    while end > 1, bytes[end - 1] == UInt8(ascii: "/") { end -= 1 }
    let start = bytes[..<end].lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
    return bytes[min(start, end)..<end]
  }

  /// The path without its last component; "/" for what lies at the root, "." for a bare name.
  public var parent: FilePath {
    var end = bytes.endIndex
    while end > 1, bytes[end - 1] == UInt8(ascii: "/") { end -= 1 }
    guard let slash = bytes[..<end].lastIndex(of: UInt8(ascii: "/")) else { return FilePath(".") }
    return slash == 0 ? FilePath("/") : FilePath(bytes: Array(bytes[..<slash]))
  }

  /// What follows the last dot of the name, in lower-case ASCII; empty if there is none or the name starts with it.
  public var fileExtension: String {
    let name = lastComponent
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return "" }
    return String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased()
  }

  /// The name without its extension, for people.
  public var stem: String {
    let name = lastComponent
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else {
      return String(decoding: name, as: UTF8.self)
    }
    return String(decoding: name[..<dot], as: UTF8.self)
  }

  /// `component` under this folder; `component` itself if it is absolute.
  public func appending(_ component: some Sequence<UInt8>) -> FilePath {
    let tail = Array(component)
    if tail.first == UInt8(ascii: "/") || bytes.isEmpty { return FilePath(bytes: tail) }
    return FilePath(bytes: bytes.last == UInt8(ascii: "/") ? bytes + tail : bytes + [UInt8(ascii: "/")] + tail)
  }

  public func appending(_ component: String) -> FilePath { appending(component.utf8) }

  /// Whether it lies somewhere under `folder`, by text alone.
  public func isBelow(_ folder: FilePath) -> Bool {
    if folder.bytes == [UInt8(ascii: "/")] { return bytes.count > 1 && isAbsolute }
    return bytes.count > folder.bytes.count && bytes[folder.bytes.count] == UInt8(ascii: "/")
      && bytes.starts(with: folder.bytes)
  }

  /// Without "." and ".." and doubled slashes, by text alone (symbolic links are not followed).
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

  /// Whether the path lies in a file system in memory; false if that is unknown.
  public var isInMemory: Bool { withCString(segue_is_in_memory) }

  /// Calls `body` with the path as C wants it.
  public func withCString<Result>(_ body: (UnsafePointer<CChar>) throws -> Result) rethrows -> Result {
    try (bytes + [0]).withUnsafeBufferPointer { buffer in
      try buffer.withMemoryRebound(to: CChar.self) { try body($0.baseAddress!) }
    }
  }
}

/// `file://` URIs (RFC 8089) that carry any path byte for byte, percent-encoded.
public enum FileURI {
  /// Absolute `path` as a URI.
  public static func encode(_ path: FilePath) -> String {
    encode(path.bytes, behind: "file://", isPath: true)
  }

  /// The path of a `file:` URI with an empty or `localhost` authority; nil for anything else, or for a NUL in it.
  /// What follows `#` or `?` is not part of it.
  public static func decode(_ uri: String) -> FilePath? {
    var rest = uri[...]
    guard let colon = rest.firstIndex(of: ":"), rest[..<colon].lowercased() == "file" else { return nil }
    rest = rest[rest.index(after: colon)...]
    if rest.hasPrefix("//") {
      rest = rest.dropFirst(2)
      guard let slash = rest.firstIndex(of: "/") else { return nil }
      let host = rest[..<slash].lowercased()
      guard host.isEmpty || host == "localhost" else { return nil }
      rest = rest[slash...]
    }
    guard rest.first == "/" else { return nil }
    if let end = rest.firstIndex(where: { $0 == "#" || $0 == "?" }) { rest = rest[..<end] }
    let bytes = percentDecoded(rest.utf8)
    return bytes.contains(0) ? nil : FilePath(bytes: bytes)
  }

  /// `text` as one segment of a URI's path (RFC 3986, 3.3): a "/" in it is encoded too.
  public static func percentEncoded(_ text: String) -> String { encode(Array(text.utf8), behind: "", isPath: false) }

  private static func encode(_ bytes: [UInt8], behind scheme: StaticString, isPath: Bool) -> String {
    let start = scheme.utf8CodeUnitCount
    return String(unsafeUninitializedCapacity: start + 3 * bytes.count) { text in
      for index in 0..<start { text[index] = scheme.utf8Start[index] }
      var end = start
      for byte in bytes {
        if isUnreserved(byte), isPath || byte != UInt8(ascii: "/") {
          text[end] = byte
          end += 1
        } else {
          text[end] = UInt8(ascii: "%")
          text[end + 1] = hexDigits.utf8Start[Int(byte >> 4)]
          text[end + 2] = hexDigits.utf8Start[Int(byte & 15)]
          end += 3
        }
      }
      return end
    }
  }

  /// Bytes with every well-formed `%XX` replaced; others stay as they are.
  public static func percentDecoded(_ text: some Sequence<UInt8>) -> [UInt8] {
    let source = Array(text)
    var result: [UInt8] = []
    result.reserveCapacity(source.count)
    var index = 0
    while index < source.count {
      if source[index] == UInt8(ascii: "%"), index + 2 < source.count,
        let high = hexValue(source[index + 1]), let low = hexValue(source[index + 2])
      {
        result.append(high << 4 | low)
        index += 3
      } else {
        result.append(source[index])
        index += 1
      }
    }
    return result
  }

  private static let hexDigits: StaticString = "0123456789ABCDEF"

  private static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"), UInt8(ascii: "/"):
      true
    default: false
    }
  }
}
