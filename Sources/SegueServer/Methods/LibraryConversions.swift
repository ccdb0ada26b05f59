internal import SegueFiles
internal import SegueLibrary
internal import SegueSQLite
internal import SegueSystem
internal import SegueWire

// Thread: the one that reads the index. Conversions from rows of the index to objects of the protocol.

extension ListedTrack {
  init(_ track: LibraryTrack) {
    var metadata = track.metadata
    if metadata.title == nil { metadata.title = MediaURI.displayName(of: track.uri) }
    self.init(
      uri: track.uri, duration: track.duration, durationKind: track.durationKind, metadata: metadata,
      favorite: track.isFavorite,
      error: track.isOffline ? LocalizableMessage("the folder is not available at the moment") : nil,
      rating: track.rating, added: track.added, album: track.album.map { LibraryURI.album($0).uri },
      offline: track.isOffline)
  }

  /// Creates an item for a track that is not in the index, from the facts that were known when it was played.
  init(
    unknown uri: String, known: PlayedFacts = PlayedFacts(), _ reader: LibraryReader,
    error: LocalizableMessage? = nil
  ) throws(StoreError) {
    var metadata = known.metadata
    if metadata.title == nil { metadata.title = MediaURI.displayName(of: uri) }
    self.init(
      uri: uri, duration: known.duration, durationKind: known.durationKind, metadata: metadata,
      favorite: try reader.isFavorite(uri), error: error, rating: try reader.rating(uri))
  }
}

extension Album {
  init(_ album: LibraryAlbum, _ art: AlbumArt) { self.init(album, art: art.uris(of: [album.identity])[0]) }

  private init(_ album: LibraryAlbum, art: String?) {
    self.init(
      id: album.id, uri: album.uri, title: album.title, albumArtist: album.albumArtist, year: album.year,
      trackCount: album.trackCount, discCount: album.discCount, duration: album.duration, art: art,
      compilation: album.isCompilation, favorite: album.isFavorite)
  }

  static func list(_ albums: [LibraryAlbum], _ art: AlbumArt) -> [Album] {
    zip(albums, art.uris(of: albums.map(\.identity))).map { Album($0, art: $1) }
  }
}

extension Artist {
  init(_ artist: LibraryArtist) {
    self.init(
      id: artist.id, uri: artist.uri, name: artist.name, albumCount: artist.albumCount, trackCount: artist.trackCount,
      favorite: artist.isFavorite)
  }
}

extension Genre {
  init(_ genre: LibraryGenre) {
    self.init(name: genre.name, uri: LibraryURI.genre(genre.name).uri, trackCount: genre.trackCount)
  }
}

extension FolderContents {
  init(_ page: FolderPage, offset: Int) {
    self.init(
      folders: page.folders.map { LibraryFolder(uri: FileURI.encode($0.path), offline: $0.isOffline) },
      tracks: page.tracks.map(ListedTrack.init(_:)), total: page.total, offset: offset)
  }
}

extension ListPage {
  init<Row>(_ page: LibraryPage<Row>, _ item: (Row) -> Item) {
    self.init(items: page.items.map(item), total: page.total, offset: page.offset)
  }
}

extension ListPage<Album> {
  init(_ page: LibraryPage<LibraryAlbum>, _ art: AlbumArt) {
    self.init(items: Album.list(page.items, art), total: page.total, offset: page.offset)
  }
}
