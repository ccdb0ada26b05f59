internal import SegueLibrary
internal import SeguePlayer
internal import SegueSystem
internal import SegueWire

private let statusOfLibrary = (name: "library", schema: Schema.named("LibraryStatus"))

/// Lists, and what is in them.
let libraryMethods = [
  Method(
    name: "library.tracks", summary: "The tracks of the library.",
    parameters: [.sort(TrackSort.allCases.map(\.rawValue), "album"), .order(), .offset, .limit]
      + Method.Parameter.trackFilters,
    result: (name: "page", schema: .named("TrackPage")), errors: [.unavailable]
  ) { call in
    let (sort, order, page): (TrackSort, _, _) = (call.word("sort") ?? .album, call.order, call.page())
    do throws(Failure) {
      let filter = try call.filter()
      call.answer { reader throws(StoreError) in
        ListPage(try reader.tracks(filter, by: sort, order, page), ListedTrack.init(_:))
      }
    } catch {
      call.reply.fail(error)
    }
  },
  Method(
    name: "library.albums", summary: "The albums of the library.",
    parameters: [.sort(AlbumSort.allCases.map(\.rawValue), "title"), .order(), .offset, .limit]
      + Method.Parameter.commonFilters,
    result: (name: "page", schema: .named("AlbumPage")), errors: [.unavailable]
  ) { call in
    let (sort, order, page): (AlbumSort, _, _) = (call.word("sort") ?? .title, call.order, call.page())
    do throws(Failure) {
      let filter = try call.filter()
      call.answer { reader throws(StoreError) in
        ListPage(try reader.albums(filter, by: sort, order, page))
      }
    } catch {
      call.reply.fail(error)
    }
  },
  Method(
    name: "library.artists", summary: "Who is heard in the library, by name.", parameters: [.order(), .offset, .limit],
    result: (name: "page", schema: .named("ArtistPage")), errors: [.unavailable]
  ) { call in
    let (order, page) = (call.order, call.page())
    call.answer { reader throws(StoreError) in ListPage(try reader.artists(order, page), Artist.init(_:)) }
  },
  Method(
    name: "library.genres", summary: "The genres of the library, by name.", parameters: [.order(), .offset, .limit],
    result: (name: "page", schema: .named("GenrePage")), errors: [.unavailable]
  ) { call in
    let (order, page) = (call.order, call.page())
    call.answer { reader throws(StoreError) in ListPage(try reader.genres(order, page), Genre.init(_:)) }
  },
  Method(
    name: "library.album", summary: "An album and its tracks, by disc and number.",
    parameters: [.init(name: "id", schema: .count, summary: "Its id.", isRequired: true), .offset, .limit],
    result: (name: "contents", schema: .named("AlbumContents")), errors: [.notFound, .unavailable]
  ) { call in
    let (id, page) = (call["id"]?.integer ?? 0, call.page())
    call.answer(reading: { reader throws(StoreError) -> Result<AlbumContents, Failure> in
      guard let album = try reader.album(id) else { return .failure(.noSuchAlbum(id)) }
      return .success(
        AlbumContents(
          album: Album(album), tracks: try reader.tracks(ofAlbum: id, page).map(ListedTrack.init(_:)),
          total: album.trackCount, offset: page.offset))
    })
  },
  Method(
    name: "library.artist", summary: "An artist and the albums on which he is heard, by year.",
    parameters: [.init(name: "id", schema: .count, summary: "The artist's id.", isRequired: true), .offset, .limit],
    result: (name: "contents", schema: .named("ArtistContents")), errors: [.notFound, .unavailable]
  ) { call in
    let (id, page) = (call["id"]?.integer ?? 0, call.page())
    call.answer(reading: { reader throws(StoreError) -> Result<ArtistContents, Failure> in
      guard let artist = try reader.artist(id) else { return .failure(.noSuchArtist(id)) }
      return .success(
        ArtistContents(
          artist: Artist(artist), albums: Album.list(try reader.albums(ofArtist: id, page)),
          total: artist.albumCount, offset: page.offset))
    })
  },
  Method(
    name: "library.track", summary: "All that is known of a track.", parameters: [.uri("The track's.")],
    result: (name: "track", schema: .named("TrackReport")), errors: [.notFound, .unavailable]
  ) { call in
    let uri = call.string("uri") ?? ""
    call.answer(reading: { reader throws(StoreError) -> Result<TrackReport, Failure> in
      guard let track = try reader.track(uri) else {
        return .failure(Failure(.notFound, "\(uri): the library does not know it"))
      }
      return .success(TrackReport(ListedTrack(track), track, try reader.details(uri) ?? TrackDetails()))
    })
  },
  Method(
    name: "library.random", summary: "Tracks by chance, each once, of those that can be played now.",
    parameters: [.limit(1)] + Method.Parameter.trackFilters, result: (name: "tracks", schema: .named("TrackList")),
    errors: [.unavailable]
  ) { call in
    let count = call.page(count: 1)
    do throws(Failure) {
      let filter = try call.filter()
      call.answer { reader throws(StoreError) in
        TrackList(tracks: try reader.random(count, filter).map(ListedTrack.init(_:)))
      }
    } catch {
      call.reply.fail(error)
    }
  },
  Method(
    name: "library.scan",
    summary: "Looks for what is new, changed or gone in the music folders; answers at once, the topic `library` tells.",
    parameters: [
      .init(
        name: "paths", schema: .array(of: .string),
        summary: "Folders or files in the music folders, as absolute paths or URIs. Left out: all of them."),
      .init(
        name: "loudness", schema: .boolean,
        summary: "true: then measures, in the background, of all tracks what they do not say of their loudness."),
    ],
    result: statusOfLibrary, errors: [.notFound]
  ) { call in
    do throws(Failure) {
      call.library.startScan(
        of: call["paths"] == nil ? nil : try call.scanned(), loudness: call.bool("loudness") ?? false)
      call.reply.answer(call.library.status)
    } catch {
      call.reply.fail(error)
    }
  },
  Method(
    name: "library.status", summary: "How much is in the library, and what the scan does.", result: statusOfLibrary
  ) {
    call in
    call.reply.answer(call.library.status)
  },
  Method(
    name: "library.failures", summary: "The files that were looked into in vain, and why.",
    parameters: [.offset, .limit], result: (name: "page", schema: .named("FailurePage")), errors: [.unavailable]
  ) { call in
    let page = call.page()
    call.answer { reader throws(StoreError) in
      ListPage(try reader.failures(page)) { $0 }
    }
  },
]

extension Call {
  /// `paths`, each in one of the music folders.
  fileprivate func scanned() throws(Failure) -> [FilePath] {
    let folders = library.status.folders.compactMap { FileURI.decode($0.uri) }
    var paths: [FilePath] = []
    for text in strings("paths") {
      guard let path = text.hasPrefix("/") ? FilePath(text) : FileURI.decode(text) else {
        throw Failure(.invalidParams, "\(text): neither an absolute path nor a file:// URI")
      }
      let plain = path.normalized
      guard folders.contains(where: { plain == $0 || plain.isBelow($0) }) else {
        let names = folders.map(\.description).joined(separator: ", ")
        throw Failure(.notFound, "\(plain) lies in no music folder; there are \(names)")
      }
      paths.append(plain)
    }
    return paths
  }

  fileprivate func page(count: Int) -> Int { min(integer("limit") ?? count, 1_000) }
}
