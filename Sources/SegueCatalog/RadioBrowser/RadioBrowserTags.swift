internal import SegueWire

/// The common tags of stations, which are their genres. There are thousands of others.
enum RadioBrowserTags {
  static let common = [
    "60s", "70s", "80s", "90s", "alternative", "ambient", "blues", "chillout", "christian", "classic rock", "classical",
    "country", "culture", "dance", "disco", "electronic", "folk", "funk", "gospel", "hip hop", "hits", "house", "indie",
    "jazz", "latin", "lounge", "metal", "news", "oldies", "pop", "punk", "reggae", "rock", "soul", "soundtracks",
    "sports", "talk", "techno", "top 40", "trance", "world music",
  ].map { tag in
    CatalogGenre(id: tag, name: tag, kind: .station, provider: CatalogItemURI.Scheme.radio.rawValue)
  }
}
