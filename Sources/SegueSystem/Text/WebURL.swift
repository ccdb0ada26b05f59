/// Functions on URLs of web servers, as users and playlists write them.
public enum WebURL {
  /// Returns `url` in the form in which browsers send it (WHATWG URL Standard): without white space at its ends, tabs
  /// and line ends; with slashes in place of backslashes in the path; and with the characters percent-encoded that a
  /// URL must not contain. The host is unchanged, because only a resolver needs its encoded form (IDNA). `url` must
  /// begin with a scheme and "://".
  public static func normalized(_ url: String) -> String {
    let bytes = Array(url.utf8).trimmed
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var part = Part.authority
    // The slashes after the scheme do not end the authority.
    let start = bytes.range(of: "://".utf8)?.upperBound ?? bytes.startIndex
    for index in bytes.indices {
      let byte = bytes[index]
      if byte == 0x09 || byte == 0x0A || byte == 0x0D { continue }
      if index >= start { part.update(before: byte) }
      if byte == UInt8(ascii: "\\"), part == .path {
        result.append(UInt8(ascii: "/"))
      } else if part.mustEncode(byte) {
        PercentEncoding.append(byte, to: &result)
      } else {
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Returns `url` with the characters decoded that are percent-encoded only because a URL must not contain them.
  /// Reading it as a URL gives an equivalent one.
  public static func readable(_ url: String) -> String {
    guard url.utf8.contains(UInt8(ascii: "%")) else { return url }
    let bytes = Array(url.utf8)
    var result: [UInt8] = []
    // The bytes of consecutive encoded characters.
    var encoded: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
        let byte = PercentEncoding.byte(bytes[index + 1], bytes[index + 2])
      {
        encoded.append(byte)
        index += 3
      } else {
        result += readable(encoded: encoded)
        encoded = []
        result.append(bytes[index])
        index += 1
      }
    }
    result += readable(encoded: encoded)
    // Space at the end of a URL would be removed.
    let end = result.lastIndex { $0 != UInt8(ascii: " ") }.map { $0 + 1 } ?? 0
    return String(decoding: result[..<end] + result[end...].percentEncoded, as: UTF8.self)
  }

  /// Returns `url` without the name and the password of a user, which logs and titles must not contain. Another URI is
  /// returned unchanged.
  public static func withoutUser(_ url: String) -> String {
    let bytes = Array(url.utf8)
    guard let start = bytes.range(of: "://".utf8)?.upperBound else { return url }
    let end = bytes[start...].firstIndex { "/\\?#".utf8.contains($0) } ?? bytes.endIndex
    guard let at = bytes[start..<end].lastIndex(of: UInt8(ascii: "@")) else { return url }
    return String(decoding: bytes[..<start] + bytes[(at + 1)...], as: UTF8.self)
  }

  /// Returns the bytes of consecutive percent-encoded characters, those that can be shown decoded.
  private static func readable(encoded: [UInt8]) -> [UInt8] {
    guard let text = String(validating: encoded, as: UTF8.self) else { return encoded.percentEncoded }
    return text.unicodeScalars.flatMap { scalar in
      let bytes = Array(String(scalar).utf8)
      return isReadable(scalar) ? bytes : bytes.percentEncoded
    }
  }

  /// A part of a URL, which determines the characters that it must not contain.
  private enum Part {
    case authority, path, query, fragment

    /// The bytes that a browser encodes in each part, as tables.
    private static let encodedInPath = table("\"<>`{}^")
    private static let encodedInQuery = table("\"<>'")
    private static let encodedInFragment = table("\"<>`")

    private static func table(_ special: String) -> [Bool] {
      (UInt8.min...UInt8.max).map { $0 <= 0x20 || $0 >= 0x7F || special.utf8.contains($0) }
    }

    /// Handles the next byte, which may begin another part.
    mutating func update(before byte: UInt8) {
      self =
        switch self {
        case .authority where byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\"): .path
        case .authority where byte == UInt8(ascii: "?"), .path where byte == UInt8(ascii: "?"): .query
        case .authority where byte == UInt8(ascii: "#"), .path where byte == UInt8(ascii: "#"),
          .query where byte == UInt8(ascii: "#"):
          .fragment
        case .authority, .path, .query, .fragment: self
        }
    }

    /// Whether a browser encodes `byte` in this part.
    func mustEncode(_ byte: UInt8) -> Bool {
      switch self {
      case .authority: false
      case .path: Self.encodedInPath[Int(byte)]
      case .query: Self.encodedInQuery[Int(byte)]
      case .fragment: Self.encodedInFragment[Int(byte)]
      }
    }
  }

  /// Returns whether a character can be shown decoded: it is encoded again when the URL is normalised, and is visible.
  /// A space is visible between other characters.
  private static func isReadable(_ scalar: Unicode.Scalar) -> Bool {
    if scalar == " " { return true }
    guard scalar.value > 0x7F else { return false }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .privateUse, .unassigned: return false
    default: return true
    }
  }
}

extension Sequence<UInt8> {
  /// The bytes, each percent-encoded.
  fileprivate var percentEncoded: [UInt8] {
    reduce(into: []) { PercentEncoding.append($1, to: &$0) }
  }
}
