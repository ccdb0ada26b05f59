/// `file://` URIs (RFC 8089), which carry the bytes of any path, percent-encoded.
public enum FileURI {
  /// Returns the URI of an absolute path.
  public static func encode(_ path: FilePath) -> String {
    encode(path.bytes, after: "file://", isPath: true)
  }

  /// Returns the path of a `file:` URI with an empty or `localhost` authority; nil for any other URI, and for one with
  /// a NUL. Fragment and query are ignored.
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

  /// Returns `text` as one segment of a URI's path (RFC 3986, 3.3), in which "/" is encoded too.
  public static func percentEncoded(_ text: String) -> String { encode(Array(text.utf8), after: "", isPath: false) }

  private static func encode(_ bytes: [UInt8], after scheme: StaticString, isPath: Bool) -> String {
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
          (text[end + 1], text[end + 2]) = PercentEncoding.digits(of: byte)
          end += 3
        }
      }
      return end
    }
  }

  /// Returns the bytes of `text` with every well-formed `%XX` decoded. A malformed one stays.
  public static func percentDecoded(_ text: some Sequence<UInt8>) -> [UInt8] {
    let source = Array(text)
    var result: [UInt8] = []
    result.reserveCapacity(source.count)
    var index = 0
    while index < source.count {
      if source[index] == UInt8(ascii: "%"), index + 2 < source.count,
        let byte = PercentEncoding.byte(source[index + 1], source[index + 2])
      {
        result.append(byte)
        index += 3
      } else {
        result.append(source[index])
        index += 1
      }
    }
    return result
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
