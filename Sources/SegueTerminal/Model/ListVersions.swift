/// The versions of the lists that screens read in pages, by what the lists show.
struct ListVersions {
  /// Something that lists show, and of which the daemon announces every change.
  enum Part: CaseIterable {
    /// The tracks, albums, artists and folders of the library.
    case items
    case favorites, ratings, history, playlists, outputs
  }

  private var versions: [Part: UInt64] = [:]
  /// The versions that the daemon has announced last.
  private var announced: [Part: UInt64] = [:]

  /// Takes over the version that the daemon has announced. Returns whether it is another one.
  mutating func announce(_ part: Part, _ version: UInt64) -> Bool {
    guard announced.updateValue(version, forKey: part) != version else { return false }
    markOutdated([part])
    return true
  }

  /// Has the lists read again that show one of `parts`.
  mutating func markOutdated(_ parts: [Part]) {
    for part in parts { versions[part, default: 0] += 1 }
  }

  /// Returns the version of a list. It grows when something changes that the list shows.
  func version(of source: ListSource) -> UInt64 {
    source.parts.reduce(1) { $0 + versions[$1, default: 0] }
  }
}

extension ListSource {
  /// What the list shows. Every list shows tracks, albums or artists as the library describes them, and how they are rated.
  fileprivate var parts: [ListVersions.Part] {
    switch self {
    case .queue: []
    case .albums, .artists, .tracks, .album, .artist, .musicFolders, .folder: [.items, .favorites, .ratings]
    case .playlists: [.playlists]
    case .playlist: [.playlists, .items, .favorites, .ratings]
    case .favorites: [.favorites, .items, .ratings]
    case .history: [.history, .items, .favorites, .ratings]
    case .outputs: [.outputs]
    }
  }
}
