public import SegueSystem

/// The header `Cache-Control` (RFC 9111, 5.2).
public enum CacheControl {
  /// Returns the time for which a response is fresh; nil if the value states none, or a malformed one. Other directives than
  /// `max-age` are ignored.
  public static func maximumAge(_ value: String) -> MediaTime? {
    for directive in value.split(separator: ",") {
      let parts = directive.split(separator: "=", maxSplits: 1).map { String($0).trimmed }
      guard parts.count == 2, parts[0].lowercased() == "max-age" else { continue }
      // A recipient accepts the value with quotation marks, too.
      let digits = parts[1].filter { $0 != "\"" }
      guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      return MediaTime(seconds: Double(digits) ?? 0)
    }
    return nil
  }
}
