internal import CCurl
internal import SegueSystem

/// Functions on the texts of URLs.
enum URLText {
  /// Returns the URL in the form that is sent to servers: white space and characters beyond ASCII are percent-encoded,
  /// and relative parts of the path are resolved. Returns nil if it is not a URL of HTTP.
  static func normalized(_ url: String) -> String? { resolve(url, against: nil) }

  /// Returns the URL to which `reference` refers in a document at `base`, in the form that `normalized` returns.
  static func resolve(_ reference: String, against base: String?) -> String? {
    var url = resolveOnce(reference, against: base)
    // libcurl decodes a percent-encoded host, but reads the result as a numeric address only when it reads the URL
    // again.
    for _ in 0..<maximumReadings {
      guard let last = url else { return nil }
      url = resolveOnce(last, against: nil)
      if url == last { return last }
    }
    return nil
  }

  /// The number of times that a URL is read until it no longer changes.
  private static let maximumReadings = 4

  private static func resolveOnce(_ reference: String, against base: String?) -> String? {
    guard let handle = curl_url() else { return nil }
    defer { curl_url_cleanup(handle) }
    if let base, curl_url_set(handle, CURLUPART_URL, base, 0) != CURLUE_OK { return nil }
    let reference = String(decoding: reference.utf8.trimmed, as: UTF8.self)
    // Newer versions encode spaces only if they are explicitly allowed.
    let flags = UInt32(CURLU_URLENCODE | CURLU_ALLOW_SPACE)
    guard curl_url_set(handle, CURLUPART_URL, reference, flags) == CURLUE_OK else { return nil }
    // The fragment is not a part of the request.
    curl_url_set(handle, CURLUPART_FRAGMENT, nil, 0)
    guard let url = part(CURLUPART_URL, of: handle), let scheme = part(CURLUPART_SCHEME, of: handle),
      scheme == "http" || scheme == "https"
    else { return nil }
    return url
  }

  /// Returns the host, and the port if the URL states one.
  static func authority(of url: String) -> String? {
    reading(url) { handle in
      part(CURLUPART_HOST, of: handle).map { host in
        part(CURLUPART_PORT, of: handle).map { "\(host):\($0)" } ?? host
      }
    }
  }

  /// Returns the host, in brackets if it is an address of IPv6.
  static func host(of url: String) -> String? {
    reading(url) { part(CURLUPART_HOST, of: $0) }
  }

  /// Returns the extension of the last part of the path, in lower case and without the dot; nil if it has none.
  static func pathExtension(of url: String) -> String? {
    guard let path = reading(url, { part(CURLUPART_PATH, of: $0) }) else { return nil }
    let name = path.split(separator: "/").last ?? ""
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count > 1 ? parts.last?.lowercased() : nil
  }

  /// Returns what `body` returns for the parts of `url`; nil if it is not a URL.
  private static func reading(_ url: String, _ body: (OpaquePointer) -> String?) -> String? {
    guard let handle = curl_url() else { return nil }
    defer { curl_url_cleanup(handle) }
    return curl_url_set(handle, CURLUPART_URL, url, 0) == CURLUE_OK ? body(handle) : nil
  }

  private static func part(_ part: CURLUPart, of handle: OpaquePointer) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard curl_url_get(handle, part, &text, 0) == CURLUE_OK, let text else { return nil }
    defer { curl_free(text) }
    return String(cString: text)
  }
}
