internal import SegueIndex
internal import SeguePlayer
internal import SegueSQLite
internal import SegueSystem
internal import SegueWire

private let libraryStatus = (name: "library", schema: Schema.named("LibraryStatus"))

/// The methods for the library: lists, contents, scan and status.
let libraryMethods = [
  Method(
    name: "library.tracks", summary: "Lists the tracks of the library.",
    parameters: [.sort(TrackSort.album), .order(), .offset, .limit]
      + Method.Parameter.trackFilters,
    result: (name: "page", schema: .named("TrackPage")), errors: [.unavailable]
  ) { call in
    let (sort, order, page): (TrackSort, _, _) = (call.word("sort") ?? .album, call.order, call.page())
    do throws(Failure) {
      let filter = try call.filter()
      call.respond { reader throws(StoreError) in
        ListPage(try reader.tracks(filter, by: sort, order, page), ListedTrack.init(_:))
      }
    } catch {
      call.responder.fail(error)
    }
  },
  Method(
    name: "library.albums", summary: "Lists the albums of the library.",
    parameters: [.sort(AlbumSort.title), .order(), .offset, .limit]
      + Method.Parameter.commonFilters,
    result: (name: "page", schema: .named("AlbumPage")), errors: [.unavailable]
  ) { call in
    let (sort, order, page): (AlbumSort, _, _) = (call.word("sort") ?? .title, call.order, call.page())
    do throws(Failure) {
      let filter = try call.filter()
      call.respond { reader throws(StoreError) in
        ListPage(try reader.albums(filter, by: sort, order, page))
      }
    } catch {
      call.responder.fail(error)
    }
  },
  Method(
    name: "library.artists", summary: "Lists the artists of the library by name.",
    parameters: [.order(), .offset, .limit],
    result: (name: "page", schema: .named("ArtistPage")), errors: [.unavailable]
  ) { call in
    let (order, page) = (call.order, call.page())
    call.respond { reader throws(StoreError) in ListPage(try reader.artists(order, page), Artist.init(_:)) }
  },
  Method(
    name: "library.genres", summary: "Lists the genres of the library by name.",
    parameters: [.order(), .offset, .limit],
    result: (name: "page", schema: .named("GenrePage")), errors: [.unavailable]
  ) { call in
    let (order, page) = (call.order, call.page())
    call.respond { reader throws(StoreError) in ListPage(try reader.genres(order, page), Genre.init(_:)) }
  },
  Method(
    name: "library.album", summary: "Returns an album and its tracks by disc and number.",
    parameters: [
      .init(name: "id", schema: .count, summary: "The id of the album.", isRequired: true), .offset, .limit,
    ],
    result: (name: "contents", schema: .named("AlbumContents")), errors: [.notFound, .unavailable]
  ) { call in
    let (id, page) = (call["id"]?.integer ?? 0, call.page())
    call.respond(reading: { reader throws(StoreError) -> Result<AlbumContents, Failure> in
      guard let album = try reader.album(id) else { return .failure(.noSuchAlbum(id)) }
      return .success(
        AlbumContents(
          album: Album(album), tracks: try reader.tracks(ofAlbum: id, page).map(ListedTrack.init(_:)),
          total: album.trackCount, offset: page.offset))
    })
  },
  Method(
    name: "library.artist", summary: "Returns an artist and the albums that contain the artist, by year.",
    parameters: [
      .init(name: "id", schema: .count, summary: "The id of the artist.", isRequired: true), .offset, .limit,
    ],
    result: (name: "contents", schema: .named("ArtistContents")), errors: [.notFound, .unavailable]
  ) { call in
    let (id, page) = (call["id"]?.integer ?? 0, call.page())
    call.respond(reading: { reader throws(StoreError) -> Result<ArtistContents, Failure> in
      guard let artist = try reader.artist(id) else { return .failure(.noSuchArtist(id)) }
      return .success(
        ArtistContents(
          artist: Artist(artist), albums: Album.list(try reader.albums(ofArtist: id, page)),
          total: artist.albumCount, offset: page.offset))
    })
  },
  Method(
    name: "library.folder", summary: "Returns what a folder of the library contains: folders, then tracks, by name.",
    parameters: [.uri("The file:// URI of the folder, or its absolute path."), .offset, .limit],
    result: (name: "contents", schema: .named("FolderContents")), errors: [.notFound, .unavailable]
  ) { call in
    do throws(Failure) {
      let (path, page) = (try call.path(call.string("uri") ?? "").normalized, call.page())
      call.respond(reading: { reader throws(StoreError) -> Result<FolderContents, Failure> in
        guard let contents = try reader.contents(of: path, page) else {
          return .failure(Failure(.notFound, "\(path): the library has no music in this folder"))
        }
        return .success(FolderContents(contents, offset: page.offset))
      })
    } catch {
      call.responder.fail(error)
    }
  },
  Method(
    name: "library.track", summary: "Returns all that the library knows about a track.",
    parameters: [.uri("The URI of the track.")],
    result: (name: "track", schema: .named("TrackReport")), errors: [.notFound, .unavailable]
  ) { call in
    let uri = call.string("uri") ?? ""
    call.respond(reading: { reader throws(StoreError) -> Result<TrackReport, Failure> in
      guard let track = try reader.track(uri) else {
        return .failure(Failure(.notFound, "\(uri): not found in the library"))
      }
      return .success(TrackReport(ListedTrack(track), track, try reader.details(uri) ?? TrackDetails()))
    })
  },
  Method(
    name: "library.random", summary: "Returns random tracks, without duplicates, of those whose folders are available.",
    parameters: [.limit(1)] + Method.Parameter.trackFilters, result: (name: "tracks", schema: .named("TrackList")),
    errors: [.unavailable]
  ) { call in
    let count = call.limit(default: 1)
    do throws(Failure) {
      let filter = try call.filter()
      call.respond { reader throws(StoreError) in
        TrackList(tracks: try reader.random(count, filter).map(ListedTrack.init(_:)))
      }
    } catch {
      call.responder.fail(error)
    }
  },
  Method(
    name: "library.scan",
    summary:
      "Scans the music folders for new, changed and deleted files. Responds at once; the topic `library` reports "
      + "progress.",
    parameters: [
      .init(
        name: "paths", schema: .array(of: .string),
        summary: "Folders or files in the music folders, as absolute paths or URIs. Default: all music folders."),
      .init(
        name: "loudness", schema: .boolean,
        summary:
          "true: after the scan, measures the loudness of all tracks whose tags do not state it, in the background."),
      .init(
        name: "cancel", schema: .boolean,
        summary:
          "true: starts no scan, but ends the measurement of loudness; what was measured is kept, except for an album that "
          + "is not complete."),
    ],
    result: libraryStatus, errors: [.notFound]
  ) { call in
    do throws(Failure) {
      if call.bool("cancel") ?? false {
        guard call["paths"] == nil, !(call.bool("loudness") ?? false) else {
          throw Failure(.invalidParams, "`cancel` cannot be combined with `paths` and `loudness`")
        }
        call.library.cancelLoudness()
        return call.responder.send(call.library.status)
      }
      call.library.startScan(
        of: call["paths"] == nil ? nil : try call.scanPaths(), loudness: call.bool("loudness") ?? false)
      call.responder.send(call.library.status)
    } catch {
      call.responder.fail(error)
    }
  },
  Method(
    name: "library.status", summary: "Returns the size of the library and the progress of the scan.",
    result: libraryStatus
  ) {
    call in
    call.responder.send(call.library.status)
  },
  Method(
    name: "library.failures", summary: "Lists the files that could not be read, with the reasons.",
    parameters: [.offset, .limit], result: (name: "page", schema: .named("FailurePage")), errors: [.unavailable]
  ) { call in
    let page = call.page()
    call.respond { reader throws(StoreError) in
      ListPage(try reader.failures(page)) { $0 }
    }
  },
]

extension Call {
  /// The values of `paths`, each of which lies in a music folder.
  fileprivate func scanPaths() throws(Failure) -> [FilePath] {
    let folders = library.status.folders.compactMap { FileURI.decode($0.uri) }
    var paths: [FilePath] = []
    for text in strings("paths") {
      let path = try path(text).normalized
      guard folders.contains(where: { path == $0 || path.isBelow($0) }) else {
        let names = folders.map(\.description).joined(separator: ", ")
        throw Failure(.notFound, "\(path) is not in a music folder; the music folders are: \(names)")
      }
      paths.append(path)
    }
    return paths
  }

  /// Returns the path that a text gives as an absolute path or as a `file://` URI.
  fileprivate func path(_ text: String) throws(Failure) -> FilePath {
    guard let path = text.hasPrefix("/") ? FilePath(text) : FileURI.decode(text) else {
      throw Failure(.invalidParams, "\(text): not an absolute path or a file:// URI")
    }
    return path
  }

  fileprivate func limit(default count: Int) -> Int { min(integer("limit") ?? count, 1_000) }
}
