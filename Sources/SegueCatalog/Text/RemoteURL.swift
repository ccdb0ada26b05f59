internal import SegueSystem
internal import SegueWire

/// URLs that the content of a response names. They are not trusted.
enum RemoteURL {
  /// Returns the URL in the form in which browsers send it (`WebURL`), with the scheme and the host in lower case. Returns nil
  /// if it is not a URL of http or https with a valid host and port, if it has a user or control characters, or if it is
  /// longer than `Item.maximumURLSize`.
  static func validated(_ text: String) -> String? {
    guard text.utf8.count <= Item.maximumURLSize else { return nil }
    let url = text.trimmed
    guard let mark = ["https://", "http://"].first(where: { url.prefix($0.count).lowercased() == $0 }) else {
      return nil
    }
    let rest = url.dropFirst(mark.count)
    // Browsers and libcurl disagree about a host that ends at a backslash, so such a URL is refused.
    let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    guard isAuthority(authority), !url.unicodeScalars.contains(where: \.isControl) else { return nil }
    let whole = WebURL.normalized("\(mark)\(authority.lowercased())\(rest[authority.endIndex...])")
    return whole.utf8.count <= Item.maximumURLSize ? whole : nil
  }

  /// Returns whether a text is a host, and possibly a port: `[::1]:80`, `example.org`. The name may contain letters beyond
  /// ASCII, which the resolver converts.
  private static func isAuthority(_ text: Substring) -> Bool {
    var host = text
    if text.first == "[" {
      guard let end = text.firstIndex(of: "]") else { return false }
      host = text[..<end].dropFirst()
      let isAddress = host.utf8.allSatisfy { isHexDigit($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
      return isAddress && !host.isEmpty && isPort(text[text.index(after: end)...])
    }
    if let colon = text.firstIndex(of: ":") {
      guard isPort(text[colon...]) else { return false }
      host = text[..<colon]
    }
    guard !host.isEmpty, host.utf8.count <= 253 else { return false }
    return host.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || (0x30...0x39).contains(scalar.value) || scalar == "-" || scalar == "."
        || scalar == "_" || scalar.properties.generalCategory == .nonspacingMark
    }
  }

  /// Returns whether a text is empty, or a colon and possibly a port.
  private static func isPort(_ text: Substring) -> Bool {
    guard let colon = text.first else { return true }
    let digits = text.dropFirst()
    guard colon == ":", digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return false }
    return digits.isEmpty || UInt16(digits).map { $0 > 0 } ?? false
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    byte < 0x80 && Character(Unicode.Scalar(byte)).isHexDigit
  }
}
