extension Metadata {
  /// The longest text kept of a tag, in bytes of UTF-8. A tag may hold megabytes, a queue 50,000 tracks, and an answer
  /// a thousand of them.
  public static let longestText = 1024
  /// The most values kept of one tag; together they are no longer than one text.
  public static let maximumValueCount = 32

  /// This, as much of it as is kept. What foreign files say passes through here where it is read: in the worker, again
  /// where the daemon hears of it, and in playlists.
  public var bounded: Metadata {
    var bounded = self
    bounded.title = title?.cut(to: Self.longestText)
    bounded.artist = artist?.cut(to: Self.longestText)
    bounded.artists = Self.bounded(artists)
    bounded.album = album?.cut(to: Self.longestText)
    bounded.albumArtist = albumArtist?.cut(to: Self.longestText)
    bounded.composer = composer?.cut(to: Self.longestText)
    bounded.genre = Self.bounded(genre)
    bounded.date = date?.cut(to: Self.longestText)
    bounded.year = Self.bounded(year)
    bounded.track = Self.bounded(track)
    bounded.trackTotal = Self.bounded(trackTotal)
    bounded.disc = Self.bounded(disc)
    bounded.discTotal = Self.bounded(discTotal)
    // Half a URI names something else.
    bounded.art = art.flatMap { $0.utf8.count <= Self.longestURI ? $0 : nil }
    bounded.stream = stream?.cut(to: Self.longestText)
    return bounded
  }

  /// A path of 4,096 bytes, percent-encoded.
  private static let longestURI = 3 * 4096 + 16

  /// Years and numbers of tracks that nobody could mean are none.
  private static func bounded(_ number: Int?) -> Int? { number.flatMap { (0...99_999).contains($0) ? $0 : nil } }

  private static func bounded(_ values: [String]) -> [String] {
    var left = longestText
    return values.prefix(maximumValueCount).prefix { value in
      left -= value.utf8.count
      return left >= 0
    }
  }
}

extension String {
  /// Its beginning: at most `count` bytes of UTF-8, no character (Unicode scalar) cut in two.
  public func cut(to count: Int) -> String {
    guard utf8.count > count else { return self }
    var end = utf8.index(startIndex, offsetBy: count)
    while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
    return String(self[..<end])
  }

  /// The text with so much of its middle left out that it takes at most `count` bytes of UTF-8.
  public func abridged(to count: Int) -> String {
    guard utf8.count > count else { return self }
    let mark = " … "
    let half = (count - mark.utf8.count) / 2
    var start = utf8.index(endIndex, offsetBy: -half)
    while start.samePosition(in: unicodeScalars) == nil { start = utf8.index(after: start) }
    return cut(to: half) + mark + self[start...]
  }
}
