/// Something that is requested for the current track, such as its lyrics.
struct TrackAddition<Value> {
  private enum Content {
    case requested
    /// There is none.
    case missing
    case loaded(Value)
  }

  private var content: (uri: String, content: Content)?

  /// Returns whether nothing was requested for a track, and remembers that it is requested now.
  mutating func request(_ uri: String) -> Bool {
    if content?.uri == uri { return false }
    content = (uri, .requested)
    return true
  }

  /// Takes over the response; nil if there is none. Responses for earlier tracks are dropped.
  mutating func receive(_ value: Value?, for uri: String) {
    guard content?.uri == uri else { return }
    content = (uri, value.map(Content.loaded) ?? .missing)
  }

  mutating func reset() { content = nil }

  /// Returns whether there is none for a track.
  func isMissing(for uri: String) -> Bool {
    guard let content, content.uri == uri, case .missing = content.content else { return false }
    return true
  }

  /// Returns the value for a track if it is loaded.
  func value(for uri: String?) -> Value? {
    guard let content, content.uri == uri, case .loaded(let value) = content.content else { return nil }
    return value
  }
}
