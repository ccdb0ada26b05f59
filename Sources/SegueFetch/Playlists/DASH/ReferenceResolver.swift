internal import SegueWire
internal import SegueWorkerProtocol

/// A resolver of the references of one manifest. It limits the work, because a manifest may refer to a long URL tens of
/// thousands of times, and while they are resolved the process serves nothing else.
final class ReferenceResolver {
  /// The number of bytes of references and URLs that may still be read. A day of short segments takes less than half of
  /// them.
  private var left = 16 << 20

  /// Returns the URL to which `reference` refers in a document at `base`, without quotation marks; nil if it is not a
  /// URL of HTTP. Throws if the manifest refers to too much, or if nobody could request the URL because of its length.
  func resolve(_ reference: String, against base: String) throws(Failure) -> String? {
    let url = URLText.resolve(reference, against: base).map(Self.quotable)
    left -= reference.utf8.count + base.utf8.count + (url?.utf8.count ?? 0)
    guard left >= 0 else { throw Failure(.tooLarge, "the DASH manifest names too many segments") }
    guard url?.utf8.count ?? 0 <= FetchRequest.maximumURLSize else { throw Self.longURL }
    return url
  }

  /// Returns a URL that can be quoted in a manifest of HLS.
  static func quotable(_ url: String) -> String {
    guard url.utf8.contains(UInt8(ascii: "\"")) else { return url }
    return url.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "%22")
  }

  static let longURL = Failure(
    .tooLarge, "the DASH manifest names a URL of more than \(FetchRequest.maximumURLSize) bytes")
}
