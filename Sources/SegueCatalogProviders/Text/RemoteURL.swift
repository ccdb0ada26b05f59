internal import SegueSystem
internal import SegueWire

/// URLs that the content of a response names. They are not trusted.
enum RemoteURL {
  /// Returns the URL in the form in which browsers send it (`WebURL`), with the scheme and the host in lower case.
  /// Returns nil if it is not a URL of http or https with a valid host and port, if it has a user, the zone of an
  /// address, an encoded host or control characters, or if it is longer than `CatalogItem.maximumURLSize`.
  static func validated(_ text: String) -> String? {
    guard text.utf8.count <= CatalogItem.maximumURLSize else { return nil }
    let url = text.trimmed
    guard let mark = ["https://", "http://"].first(where: { url.prefix($0.count).lowercased() == $0 }) else {
      return nil
    }
    // Browsers and libcurl disagree about a host that ends at a backslash, so such a URL is refused.
    guard let text = URLAuthority.text(of: url), let authority = try? URLAuthority(text), authority.user == nil,
      authority.zone == nil, !authority.host.utf8.contains(UInt8(ascii: "%")),
      !url.unicodeScalars.contains(where: \.isControl)
    else { return nil }
    let whole = WebURL.normalized("\(mark)\(text.lowercased())\(url[text.endIndex...])")
    return whole.utf8.count <= CatalogItem.maximumURLSize ? whole : nil
  }
}
