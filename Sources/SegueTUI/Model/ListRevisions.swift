internal import SegueWire

/// The versions of the lists that screens read in pages. A list is outdated when a topic has changed that it shows.
struct ListRevisions {
  /// The versions that the daemon has announced last.
  private var announced: [Topic: UInt64] = [:]
  /// How often the lists that show a topic were outdated.
  private var changes: [Topic: UInt64] = [:]

  /// Takes over the version that the daemon has announced. Returns whether it is another one.
  mutating func announce(_ topic: Topic, _ version: UInt64) -> Bool {
    guard announced.updateValue(version, forKey: topic) != version else { return false }
    markOutdated([topic])
    return true
  }

  /// Has the lists read again that show one of `topics`.
  mutating func markOutdated(_ topics: Set<Topic>) {
    for topic in topics { changes[topic, default: 0] += 1 }
  }

  /// Returns the version of a list. It grows when something changes that the list shows.
  func version(of source: ListSource) -> UInt64 {
    source.topics.reduce(1) { $0 + changes[$1, default: 0] }
  }
}

extension ListSource {
  /// The topics that the list shows. Lists of tracks, albums and artists show how the library describes them, and
  /// whether the user likes them.
  var topics: Set<Topic> {
    switch self {
    case .queue: []
    case .albums, .artists, .tracks, .album, .artist, .musicFolders, .folder: [.library, .favorites, .ratings]
    case .playlists: [.playlists]
    case .playlist: [.playlists, .library, .favorites, .ratings]
    case .favorites: [.favorites, .library, .ratings]
    case .history: [.history, .library, .favorites, .ratings]
    case .outputs: [.output]
    }
  }
}
