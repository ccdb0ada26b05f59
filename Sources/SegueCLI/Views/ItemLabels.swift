internal import SegueClientKit
internal import SegueWire

extension LibrarySuggestion.Kind {
  /// The kind as a word for people.
  var label: String {
    switch self {
    case .track: tr("track")
    case .album: tr("album")
    case .artist: tr("artist")
    case .search: tr("search")
    }
  }
}

extension CatalogItem.Fact.Name {
  /// The fact as a label for people.
  var label: String {
    switch self {
    case .album: tr("album")
    case .track: tr("track")
    case .disc: tr("disc")
    case .tracks: tr("tracks")
    case .explicit: tr("explicit")
    case .advisory: tr("advisory")
    case .price: tr("price")
    case .copyright: tr("copyright")
    case .country: tr("country")
    case .podcast: tr("podcast")
    case .feed: tr("feed")
    case .codec: tr("codec")
    case .bitrate: tr("bitrate")
    case .originalTitle: tr("original title")
    case .tagline: tr("tagline")
    case .director: tr("director")
    case .cast: tr("cast")
    case .character: tr("character")
    case .revenue: tr("revenue")
    case .homepage: tr("homepage")
    case .born: tr("born")
    case .died: tr("died")
    case .birthplace: tr("birthplace")
    case .department: tr("department")
    case .knownFor: tr("known for")
    }
  }
}
