internal import SegueWire

/// A value of a tag, whose albums and tracks are listed.
struct ListedValue: Hashable {
  let tag: LibraryTag
  private let name: String
  let uri: String

  /// Returns nil if the URI is none of a value.
  init?(_ value: TagValue) {
    guard let tag = value.uri.split(separator: ":").last?.split(separator: "/").first,
      value.uri.hasPrefix("segue:\(tag)/"), let tag = LibraryTag(rawValue: String(tag))
    else { return nil }
    self.tag = tag
    (name, uri) = (value.name, value.uri)
  }

  /// Returns the name if the value is one of `tag`.
  func name(of tag: LibraryTag) -> String? { tag == self.tag ? name : nil }

  /// The years that the value stands for; nil if it is no year and no decade.
  var years: YearRange? {
    switch tag {
    case .year: YearRange(name)
    // The name ends with a letter, as in `1990s`.
    case .decade: Int(name.prefix { $0.isNumber }).map { YearRange(max(1, $0)...$0 + 9) }
    case .albumArtist, .genre, .composer, .conductor, .work: nil
    }
  }
}

extension TagValue {
  /// The lists of the albums with the value, if there are any, and of the tracks.
  var contents: [ListSource] {
    guard let listed = ListedValue(self) else { return [] }
    let tracks = ListSource.tracks(.album, of: listed)
    return albumCount == 0 ? [tracks] : [.albums(.title, of: listed), tracks]
  }
}
