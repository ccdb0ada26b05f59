internal import Glibc

/// The authority of a URL (RFC 3986, 3.2), which names the server: `[user@]host[:port]`.
public struct URLAuthority: Equatable, Sendable {
  /// The reason why a text is no authority, with the part that is wrong.
  public enum Fault: Error, Equatable {
    case missingHost
    case missingBracket
    case invalidAddress(String)
    case invalidName(String)
    case textAfterAddress
    case invalidPort(String)
  }

  /// The name and the password of the user; nil if there is no "@".
  public let user: Substring?
  /// The name or the address of the server, an IPv6 address without its brackets and its zone.
  public let host: Substring
  /// The zone of an IPv6 address (RFC 6874), with an encoded percent sign as in the URL; nil if it has none.
  public let zone: Substring?
  /// The port; nil if the authority has none, or an empty one: both stand for the default port of the scheme.
  public let port: UInt16?

  /// The maximum length of the name of a host (RFC 1035, 2.3.4).
  private static let maximumNameLength = 253

  /// Reads an authority. A name may contain letters beyond ASCII, which the resolver converts, and percent-encoded
  /// characters.
  public init(_ text: Substring) throws(Fault) {
    let at = text.unicodeScalars.lastIndex(of: "@")
    user = at.map { text[..<$0] }
    let server = at.map { text[text.unicodeScalars.index(after: $0)...] } ?? text
    let rest: Substring
    if server.unicodeScalars.first == "[" {
      guard let end = server.unicodeScalars.firstIndex(of: "]") else { throw .missingBracket }
      rest = server[server.unicodeScalars.index(after: end)...]
      let address = server[..<end].dropFirst()
      let percent = address.firstIndex(of: "%")
      host = address[..<(percent ?? address.endIndex)]
      zone = percent.map { address[address.index(after: $0)...] }
      guard Self.isIPv6(host) else { throw .invalidAddress(String(server[..<rest.startIndex])) }
      guard rest.isEmpty || rest.unicodeScalars.first == ":" else { throw .textAfterAddress }
    } else {
      host = server[..<(server.unicodeScalars.firstIndex(of: ":") ?? server.endIndex)]
      zone = nil
      rest = server[host.endIndex...]
      guard !host.isEmpty else { throw .missingHost }
      guard Self.isName(host) else { throw .invalidName(String(host)) }
    }
    let digits = Substring(rest.unicodeScalars.dropFirst())
    let isNumber = digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
    port = isNumber ? UInt16(digits) : nil
    guard digits.isEmpty || (port ?? 0) > 0 else { throw .invalidPort(String(digits)) }
  }

  /// Returns the part of a URL that is to be its authority: what follows "://", up to the path, the query or the
  /// fragment. Returns nil if there is no "://".
  public static func text(of url: String) -> Substring? {
    guard let start = url.utf8.range(of: "://".utf8)?.upperBound else { return nil }
    let rest = url[start...]
    return rest[..<(rest.utf8.firstIndex { "/?#".utf8.contains($0) } ?? rest.endIndex)]
  }

  private static func isIPv6(_ text: Substring) -> Bool {
    var address = in6_addr()
    return inet_pton(AF_INET6, String(text), &address) == 1
  }

  private static func isName(_ text: Substring) -> Bool {
    guard text.utf8.count <= maximumNameLength else { return false }
    var (rest, decoded) = (text.utf8[...], [UInt8]())
    while let byte = rest.popFirst() {
      if byte != UInt8(ascii: "%") {
        decoded.append(byte)
      } else if let high = rest.popFirst(), let low = rest.popFirst(), let byte = PercentEncoding.byte(high, low) {
        decoded.append(byte)
      } else {
        return false
      }
    }
    return String(validating: decoded, as: UTF8.self)?.unicodeScalars.allSatisfy(isNameCharacter) ?? false
  }

  /// Whether a name may contain a character: letters, digits and marks of any script, four punctuation marks, symbols,
  /// and what international names have between letters (RFC 5892, appendix A): joiners, dots and quotation marks.
  private static func isNameCharacter(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII {
      return scalar.properties.isAlphabetic || "0123456789-._~".unicodeScalars.contains(scalar)
    }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .decimalNumber, .otherSymbol: return true
    default:
      return scalar.properties.isAlphabetic
        || "\u{200C}\u{200D}\u{B7}\u{375}\u{5F3}\u{5F4}\u{3002}\u{30FB}".unicodeScalars.contains(scalar)
    }
  }
}
