internal import SegueFiles
internal import SegueLibrary
internal import SeguePlayer
internal import SegueSQLite
internal import SegueSystem
internal import SegueWire

/// The methods for the library: lists, contents, scan and status.
let libraryMethods = [
  Method(LibraryTracksRequest.self) { call in
    let (request, filter, page) = (call.request, call.trackFilter, call.page)
    call.respond { reader throws(StoreError) in
      ListPage(try reader.tracks(filter, by: request.sort, request.order, page), ListedTrack.init(_:))
    }
  },
  Method(LibraryAlbumsRequest.self) { call in
    let (request, filter, page, art) = (call.request, call.filter, call.page, call.player.albumArt)
    call.respond { reader throws(StoreError) in
      ListPage(try reader.albums(filter, by: request.sort, request.order, page), art)
    }
  },
  Method(LibraryArtistsRequest.self) { call in
    let (order, page) = (call.request.order, call.page)
    call.respond { reader throws(StoreError) in ListPage(try reader.artists(order, page), Artist.init(_:)) }
  },
  Method(LibraryGenresRequest.self) { call in
    let (order, page) = (call.request.order, call.page)
    call.respond { reader throws(StoreError) in ListPage(try reader.genres(order, page), Genre.init(_:)) }
  },
  Method(LibraryValuesRequest.self) { call in
    let (tag, order, page) = (call.request.tag, call.request.order, call.page)
    call.respond { reader throws(StoreError) in ListPage(try reader.values(of: tag, order, page), TagValue.init(_:)) }
  },
  Method(LibraryAlbumRequest.self) { call in
    let (id, page, art) = (call.request.id, call.page, call.player.albumArt)
    call.respond(reading: { reader throws(StoreError) -> Result<AlbumContents, Failure> in
      guard let album = try reader.album(id) else { return .failure(.noSuchAlbum(id)) }
      return .success(
        AlbumContents(
          album: Album(album, art), tracks: try reader.tracks(ofAlbum: id, page).map(ListedTrack.init(_:)),
          total: album.trackCount, offset: page.offset))
    })
  },
  Method(LibraryArtistRequest.self) { call in
    let (id, page, art) = (call.request.id, call.page, call.player.albumArt)
    call.respond(reading: { reader throws(StoreError) -> Result<ArtistContents, Failure> in
      guard let artist = try reader.artist(id) else { return .failure(.noSuchArtist(id)) }
      return .success(
        ArtistContents(
          artist: Artist(artist), albums: Album.list(try reader.albums(ofArtist: id, page), art),
          total: artist.albumCount, offset: page.offset))
    })
  },
  Method(LibraryFolderRequest.self) { call throws(Failure) in
    let (path, page) = (try folderPath(call.request.uri), call.page)
    call.respond(reading: { reader throws(StoreError) -> Result<FolderContents, Failure> in
      guard let contents = try reader.contents(of: path, page) else {
        return .failure(Failure(.notFound, "\(path): the library has no music in this folder"))
      }
      return .success(FolderContents(contents, offset: page.offset))
    })
  },
  Method(LibraryTrackRequest.self) { call in
    let uri = call.request.uri
    call.respond(reading: { reader throws(StoreError) -> Result<TrackReport, Failure> in
      guard let track = try reader.track(uri) else {
        return .failure(Failure(.notFound, "\(uri): not found in the library"))
      }
      return .success(TrackReport(ListedTrack(track), track, try reader.details(uri) ?? TrackDetails()))
    })
  },
  Method(LibraryRandomRequest.self) { call in
    let (count, filter) = (min(call.request.limit, ResponseLimits.listLength), call.trackFilter)
    call.respond { reader throws(StoreError) in
      TrackList(tracks: try reader.random(count, filter).map(ListedTrack.init(_:)))
    }
  },
  Method(LibraryScanRequest.self) { call throws(Failure) in
    let request = call.request
    if request.cancel == true {
      guard request.paths == nil, request.loudness != true else {
        throw Failure(.invalidParams, "`cancel` cannot be combined with `paths` and `loudness`")
      }
      call.player.loudness.cancel()
    } else {
      call.player.scan.request(try call.scanPaths(), measuresLoudness: request.loudness == true)
    }
    call.responder.send(call.player.libraryStatus.status)
  },
  Method(LibraryStatusRequest.self) { call in call.responder.send(call.player.libraryStatus.status) },
  Method(LibraryFailuresRequest.self) { call in
    let page = call.page
    call.respond { reader throws(StoreError) in ListPage(try reader.failures(page)) { $0 } }
  },
]

extension Call where Request: FilteredRequest {
  /// The filter that the parameters describe.
  var filter: LibraryFilter {
    var filter = LibraryFilter()
    filter.artist = request.artist
    filter.genre = request.genre
    filter.values[.albumArtist] = request.albumArtist
    filter.values[.composer] = request.composer
    filter.values[.conductor] = request.conductor
    filter.values[.work] = request.work
    filter.years = request.year?.years
    filter.addedSince = request.addedWithin.map { .now - $0 }
    filter.isFavorite = request.favorite == true
    return filter
  }
}

extension Call where Request: FilteredTracksRequest {
  /// The filter that the parameters describe.
  var trackFilter: LibraryFilter {
    var filter = filter
    filter.album = request.album
    filter.format = request.format
    filter.ratings = request.rating.map { $0...10 }
    return filter
  }
}

extension Call<LibraryScanRequest> {
  /// Returns the paths of the request, each of which lies in a music folder; nil for all music folders.
  fileprivate func scanPaths() throws(Failure) -> [FilePath]? {
    guard let texts = request.paths else { return nil }
    let folders = player.libraryStatus.status.folders.compactMap { FileURI.decode($0.uri) }
    var paths: [FilePath] = []
    for text in texts {
      let path = try folderPath(text)
      guard folders.contains(where: { path == $0 || path.isBelow($0) }) else {
        let names = folders.map(\.description).joined(separator: ", ")
        throw Failure(.notFound, "\(path) is not in a music folder; the music folders are: \(names)")
      }
      paths.append(path)
    }
    return paths
  }
}

/// Returns the normalized path that a text gives as an absolute path or as a `file://` URI.
private func folderPath(_ text: String) throws(Failure) -> FilePath {
  guard let path = text.hasPrefix("/") ? FilePath(text) : FileURI.decode(text) else {
    throw Failure(.invalidParams, "\(text): not an absolute path or a file:// URI")
  }
  return path.normalized
}

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

extension TagValue {
  init(_ value: LibraryValue) {
    self.init(name: value.name, uri: value.item.uri, albumCount: value.albumCount, trackCount: value.trackCount)
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
