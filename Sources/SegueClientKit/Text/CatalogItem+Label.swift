public import SegueWire

extension CatalogItem.Kind {
  /// The kind as a word for people.
  public var label: String {
    switch self {
    case .song: tr("song")
    case .album: tr("album")
    case .artist: tr("artist")
    case .film: tr("film")
    case .audiobook: tr("audiobook")
    case .podcast: tr("podcast")
    case .episode: tr("episode")
    case .station: tr("station")
    case .person: tr("person")
    }
  }
}
