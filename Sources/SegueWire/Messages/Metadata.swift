extension Metadata {
  /// Returns the metadata with missing values taken from `other`.
  public func filled(from other: Metadata) -> Metadata {
    var filled = self
    filled.title = title ?? other.title
    if artist == nil {
      filled.artist = other.artist
      filled.artists = other.artists
    }
    filled.album = album ?? other.album
    filled.albumArtist = albumArtist ?? other.albumArtist
    filled.composer = composer ?? other.composer
    if genre.isEmpty { filled.genre = other.genre }
    if date == nil {
      filled.date = other.date
      filled.year = other.year
    }
    filled.track = track ?? other.track
    filled.trackTotal = trackTotal ?? other.trackTotal
    filled.disc = disc ?? other.disc
    filled.discTotal = discTotal ?? other.discTotal
    filled.art = art ?? other.art
    filled.stream = stream ?? other.stream
    return filled
  }
}

extension Metadata {
  /// The maximum size of a text of a tag, in bytes of UTF-8. Without the limit, tags of megabytes would fill the queue,
  /// which may have a million tracks, and responses, which may have a thousand.
  public static let maximumTextSize = 1024
  /// The maximum number of values of one tag. Together they are at most as long as one text.
  public static let maximumValueCount = 32

  /// The metadata within these limits. They are applied to all metadata of files and playlists where it is read: in the
  /// worker, and again in the daemon, which does not trust the worker.
  public var bounded: Metadata {
    var bounded = self
    bounded.title = title?.truncated(to: Self.maximumTextSize)
    bounded.artist = artist?.truncated(to: Self.maximumTextSize)
    bounded.artists = Self.bounded(artists)
    bounded.album = album?.truncated(to: Self.maximumTextSize)
    bounded.albumArtist = albumArtist?.truncated(to: Self.maximumTextSize)
    bounded.composer = composer?.truncated(to: Self.maximumTextSize)
    bounded.genre = Self.bounded(genre)
    bounded.date = date?.truncated(to: Self.maximumTextSize)
    bounded.year = Self.bounded(year)
    bounded.track = Self.bounded(track)
    bounded.trackTotal = Self.bounded(trackTotal)
    bounded.disc = Self.bounded(disc)
    bounded.discTotal = Self.bounded(discTotal)
    // A truncated URI would refer to a different file.
    bounded.art = art.flatMap { $0.utf8.count <= Self.maximumURISize ? $0 : nil }
    bounded.stream = stream?.truncated(to: Self.maximumTextSize)
    return bounded
  }

  /// The limit leaves room for a percent-encoded path of 4,096 bytes.
  private static let maximumURISize = 3 * 4096 + 16

  /// Returns nil for implausible years and track numbers.
  private static func bounded(_ number: Int?) -> Int? { number.flatMap { (0...99_999).contains($0) ? $0 : nil } }

  private static func bounded(_ values: [String]) -> [String] {
    var remaining = maximumTextSize
    return values.prefix(maximumValueCount).prefix { value in
      remaining -= value.utf8.count
      return remaining >= 0
    }
  }
}

extension String {
  /// Returns at most the first `count` bytes of UTF-8, without splitting a Unicode scalar.
  public func truncated(to count: Int) -> String {
    guard utf8.count > count else { return self }
    var end = utf8.index(startIndex, offsetBy: count)
    while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
    return String(self[..<end])
  }

  /// Returns the text with its middle omitted so that it takes at most `count` bytes of UTF-8.
  public func middleTruncated(to count: Int) -> String {
    guard utf8.count > count else { return self }
    let ellipsis = " … "
    let half = (count - ellipsis.utf8.count) / 2
    var start = utf8.index(endIndex, offsetBy: -half)
    while start.samePosition(in: unicodeScalars) == nil { start = utf8.index(after: start) }
    return "\(truncated(to: half))\(ellipsis)\(self[start...])"
  }
}
