public import SegueWire

/// The URL of a service, to which paths are appended: http or https, a host, and possibly a port and a path.
public struct BaseURL: Hashable, Sendable {
  /// The URL without a slash at the end.
  public let text: String

  /// Reads a URL. Throws `invalid_params` if it is not a URL of http or https, or has a user, a query or a fragment.
  public init(_ text: String) throws(Failure) {
    guard let url = RemoteURL.validated(text), !url.contains(where: { $0 == "?" || $0 == "#" }) else {
      throw Failure(
        .invalidParams, "“\(text)” is not the URL of a service, such as “https://example.org/path”")
    }
    self.init(valid: url)
  }

  /// Creates the URL of a service from a valid URL.
  init(valid url: String) {
    var text = url[...]
    while text.last == "/" { text.removeLast() }
    self.text = String(text)
  }
}

/// A setting in the section `[Catalog]` of `segue.conf` that is the base URL of a provider.
public struct BaseURLSetting: Hashable, Sendable {
  /// The key in `segue.conf`, such as `ITunesURL`.
  public let key: String
  /// The name for users, as `Setting` has it.
  public let label: LocalizableMessage
  /// A description in one line, for users.
  public let summary: LocalizableMessage
  /// The base URL if the user has set none.
  public let standard: BaseURL

  /// Creates a setting. `standard` must be a valid URL.
  init(_ key: String, label: LocalizableMessage, _ summary: LocalizableMessage, standard: String) {
    self.key = key
    self.label = label
    self.summary = summary
    self.standard = BaseURL(valid: standard)
  }
}
