// Thread: the loop.

internal import SegueFiles
internal import SegueIndex
internal import SegueLoop
public import SegueOnline
internal import SegueSQLite
internal import SegueSystem
public import SegueWire

/// Favorites and ratings. A change is on disk before the response to its request.
extension MusicLibrary {
  /// Adds favorites: tracks, streams, albums, artists, and items of online catalogues. The items are described by their
  /// catalogues; after `group` was cancelled, they are added without a description.
  public func addFavorites(
    _ uris: [String], in group: CatalogRequestGroup, then: @escaping Completion<FavoriteResult>
  ) {
    check(uris, mustExist: true) { [weak self] result in
      guard let self else { return }
      switch result {
      case .failure(let failure): then(.failure(failure))
      case .success(let checked):
        let requests = CatalogRequestGroup(within: group, remembersFailures: true)
        let descriptions = ItemDescriptions()
        self.describe(checked.uris[...], descriptions, in: requests) {
          var checked = checked
          checked.facts = descriptions.facts
          checked.refuse(descriptions.missing)
          self.setFavorites(checked, true, then: then)
        }
      }
    }
  }

  /// Removes favorites. Removing one that is no favorite succeeds.
  public func removeFavorites(_ uris: [String], then: @escaping Completion<FavoriteResult>) {
    check(uris, mustExist: false) { [weak self] result in
      switch result {
      case .failure(let failure): then(.failure(failure))
      case .success(let checked): self?.setFavorites(checked, false, then: then)
      }
    }
  }

  /// Stores the title of the stream at `uri`, if it is a favorite.
  func setStreamTitle(of uri: String, _ title: String) {
    guard isFavorite(uri) else { return }
    write(
      { writer throws(StoreError) in try writer.setFavoriteTitle(uri, title) },
      then: { result in
        if case .failure(let failure) = result { Log.warning("cannot store the title of \(uri): \(failure.message)") }
      })
  }

  /// Stores what an online catalogue states about an item that is played, if the item is a favorite: the catalogue may not
  /// have been reachable when it became one.
  func refreshFavorite(_ item: CatalogItemURI) {
    guard isFavorite(item.uri) else { return }
    describeItem(item, CatalogRequestGroup()) { [weak self] result in
      guard let self, case .success(let facts) = result else { return }
      self.write(
        { writer throws(StoreError) in try writer.setFavoriteFacts(item.uri, facts) },
        then: { result in
          if case .failure(let failure) = result {
            Log.warning("cannot store the title of \(item.uri): \(failure.message)")
          }
        })
    }
  }

  private func setFavorites(_ checked: Checked, _ isFavorite: Bool, then: @escaping Completion<FavoriteResult>) {
    let before = favorites
    let findTitles = isFavorite ? makeTitleSearch() : nil
    write(
      { writer throws(StoreError) -> Int in
        var facts = checked.facts
        for (uri, title) in findTitles?(checked.undescribedStreams) ?? [:] {
          facts[uri, default: FavoriteFacts()].metadata.title = title
        }
        try writer.setFavorite(checked.uris, isFavorite, facts: facts)
        return checked.uris.count { before.contains($0) == isFavorite }
      },
      then: { [weak self] result in
        guard let self else { return }
        switch result {
        case .failure(let failure): then(.failure(failure))
        case .success(let unchanged):
          self.loadFavorites {
            then(
              .success(
                FavoriteResult(
                  uris: checked.uris, unchanged: unchanged, failed: checked.failures, total: self.favorites.count)))
          }
        }
      })
  }

  /// What online catalogues have stated about the items of a request. It is an object, so that no answer copies those before.
  @MainActor
  private final class ItemDescriptions {
    /// The facts about items, by their URIs.
    var facts: [String: FavoriteFacts] = [:]
    /// The indices of the items that their catalogues do not have, in ascending order, and why.
    var missing: [(index: Int, failure: Failure)] = []
  }

  /// Finds what online catalogues state about items, one after another. An item that its catalogue does not have is
  /// refused; one that cannot be described for another reason is not.
  private func describe(
    _ uris: ArraySlice<String>, _ descriptions: ItemDescriptions, in requests: CatalogRequestGroup,
    then: @escaping @MainActor () -> Void
  ) {
    guard let index = uris.firstIndex(where: CatalogItemURI.hasScheme), let uri = try? CatalogItemURI(uris[index])
    else { return then() }
    describeItem(uri, requests) { [weak self] result in
      switch result {
      case .success(let facts): descriptions.facts[uri.uri] = facts
      case .failure(let failure) where failure.kind == .notFound: descriptions.missing.append((index, failure))
      case .failure: break
      }
      self?.describe(uris[(index + 1)...], descriptions, in: requests, then: then)
    }
  }

  /// Reads the rating of a track, which need not be in the library.
  public func rating(of uri: String, then: @escaping Completion<Rating>) {
    if LibraryURI(uri) != nil { return then(.failure(.onlyTracksAreRated(uri))) }
    do throws(Failure) {
      let uri = try MediaURI(uri).uri
      read(
        { reader throws(StoreError) in
          let rating = if let track = try reader.track(uri) { track.rating } else { try reader.rating(uri) }
          return .success(Rating(uri: uri, rating: rating))
        }, then: then)
    } catch {
      then(.failure(error))
    }
  }

  /// Rates a track from 0 to 10; nil removes the rating.
  public func setRating(of uri: String, _ rating: Int?, then: @escaping Completion<Rating>) {
    if LibraryURI(uri) != nil { return then(.failure(.onlyTracksAreRated(uri))) }
    check([uri], mustExist: rating != nil) { [weak self] result in
      guard let self else { return }
      switch result {
      case .failure(let failure): then(.failure(failure))
      case .success(let checked):
        guard let uri = checked.uris.first else {
          let refusal = checked.failures.listed.first?.failure
          return then(.failure(refusal ?? Failure(.notFound, "\(uri): track not found")))
        }
        self.write({ writer throws(StoreError) in try writer.setRating(uri, rating) }) { result in
          then(result.map { Rating(uri: uri, rating: rating) })
        }
      }
    }
  }

  /// The URIs of a request that can be favorites, and the failures of the others.
  private struct Checked: Sendable {
    var uris: [String] = []
    var failures = URIFailureList()
    /// The paths of files that are to be checked, by URI.
    var paths: [String: FilePath] = [:]
    /// The descriptions of items by online catalogues, by the items' URIs.
    var facts: [String: FavoriteFacts] = [:]

    init(_ uris: [String]) {
      for uri in uris { add(uri) }
    }

    /// The streams that no online catalogue has described.
    var undescribedStreams: Set<String> {
      Set(uris.lazy.filter { LibraryURI($0) == nil && !MediaURI.isFile($0) && facts[$0] == nil })
    }

    mutating func refuse(_ uri: String, _ failure: Failure) {
      failures.append(URIFailure(uri: uri, failure: failure))
    }

    /// Refuses the URIs at the indices in `missing`, which ascend.
    mutating func refuse(_ missing: [(index: Int, failure: Failure)]) {
      guard !missing.isEmpty else { return }
      var isMissing = [Bool](repeating: false, count: uris.count)
      for (index, failure) in missing {
        refuse(uris[index], failure)
        isMissing[index] = true
      }
      uris = zip(uris, isMissing).filter { !$0.1 }.map(\.0)
    }

    /// Adds a URI, in the form in which it is stored.
    private mutating func add(_ uri: String) {
      switch LibraryURI(uri) {
      case .album, .artist: return uris.append(uri)
      case .genre, .playlist, .search:
        return refuse(uri, Failure(.invalidParams, "\(uri): tracks, albums and artists can be favorites"))
      case nil: break
      }
      do throws(Failure) {
        let media = try MediaURI(uri)
        if case .file(let path, _) = media { paths[media.uri] = path }
        uris.append(media.uri)
      } catch {
        refuse(uri, error)
      }
    }
  }

  /// Finds which URIs can be favorites, in the form in which they are stored. `mustExist`: whether the file must exist or
  /// be in the index.
  private func check(_ uris: [String], mustExist: Bool, then: @escaping Completion<Checked>) {
    // A request may have tens of thousands of URIs, which the loop must not read. A few are read faster than another thread
    // wakes up.
    if uris.count <= 16 { return check(Checked(uris), mustExist: mustExist, then: then) }
    read(
      { _ in .success(Checked(uris)) },
      then: { [weak self] result in
        switch result {
        case .failure(let failure): then(.failure(failure))
        case .success(let checked): self?.check(checked, mustExist: mustExist, then: then)
        }
      })
  }

  private func check(_ checked: Checked, mustExist: Bool, then: @escaping Completion<Checked>) {
    guard mustExist else { return then(.success(checked)) }
    files.check(checked.paths.values) { [mailbox] missing in
      mailbox.post { [weak self] in self?.check(checked, missing, then: then) }
    }
  }

  private func check(_ checked: Checked, _ missing: [FilePath: Failure], then: @escaping Completion<Checked>) {
    read(
      { reader throws(StoreError) in
        var existing = checked
        existing.uris = []
        for uri in checked.uris {
          var failure: Failure?
          switch LibraryURI(uri) {
          case .album(let id): if try reader.album(id) == nil { failure = .noSuchAlbum(id) }
          case .artist(let id): if try reader.artist(id) == nil { failure = .noSuchArtist(id) }
          case .genre, .playlist, .search, nil:
            if let path = checked.paths[uri], let reason = missing[path], try reader.track(uri) == nil {
              failure = reason
            }
          }
          if let failure { existing.refuse(uri, failure) } else { existing.uris.append(uri) }
        }
        return .success(existing)
      }, then: then)
  }
}

extension Failure {
  public static func noSuchAlbum(_ id: Int64) -> Failure {
    Failure(.notFound, "album \(id) not found")
  }

  public static func noSuchArtist(_ id: Int64) -> Failure {
    Failure(.notFound, "artist \(id) not found")
  }

  fileprivate static func onlyTracksAreRated(_ uri: String) -> Failure {
    Failure(.invalidParams, "\(uri): only tracks can be rated")
  }
}
