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
