// Thread: the loop.

internal import SegueLibrary
internal import SegueLoop
internal import SegueSystem
public import SegueWire

/// Favourites and ratings. A change is on disk before its answer.
extension MusicLibrary {
  /// Tracks, streams, albums and artists. What is no favourite can be removed all the same.
  public func setFavorites(_ uris: [String], _ isFavorite: Bool, then: @escaping Completion<FavoriteResult>) {
    check(uris, mustBeThere: isFavorite) { [weak self] result in
      guard let self else { return }
      switch result {
      case .failure(let failure): then(.failure(failure))
      case .success(let checked):
        self.write({ writer throws(StoreError) in try writer.setFavorite(checked.uris, isFavorite) }) {
          [weak self] result in
          guard let self else { return }
          if case .failure(let failure) = result { return then(.failure(failure)) }
          self.loadFavorites {
            then(
              .success(FavoriteResult(uris: checked.uris, failed: checked.failures, total: self.favorites.count)))
          }
        }
      }
    }
  }

  /// 0…10; nil takes it back.
  public func setRating(of uri: String, _ rating: Int?, then: @escaping Completion<Rating>) {
    if LibraryURI(uri) != nil { return then(.failure(Failure(.invalidParams, "\(uri): only tracks are rated"))) }
    check([uri], mustBeThere: rating != nil) { [weak self] result in
      guard let self else { return }
      switch result {
      case .failure(let failure): then(.failure(failure))
      case .success(let checked):
        guard let uri = checked.uris.first else {
          let refusal = checked.failures.listed.first?.failure
          return then(.failure(refusal ?? Failure(.notFound, "\(uri): there is no such track")))
        }
        self.write({ writer throws(StoreError) in try writer.setRating(uri, rating) }) { result in
          then(result.map { Rating(uri: uri, rating: rating) })
        }
      }
    }
  }

  private struct Checked: Sendable {
    var uris: [String] = []
    var failures = URIFailureList()
    /// Files to look for.
    var paths: [String: FilePath] = [:]

    mutating func refuse(_ uri: String, _ failure: Failure) {
      failures.append(URIFailure(uri: uri, failure: failure))
    }

    /// Sorts one in, under the name that it is kept by.
    mutating func add(_ uri: String) {
      switch LibraryURI(uri) {
      case .album, .artist: return uris.append(uri)
      case .genre, .playlist, .search:
        return refuse(uri, Failure(.invalidParams, "\(uri): tracks, albums and artists can be favourites"))
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

  /// What can be a favourite, each as it is kept: there must be such a file, or the index must know it.
  private func check(_ uris: [String], mustBeThere: Bool, then: @escaping Completion<Checked>) {
    var checked = Checked()
    for uri in uris { checked.add(uri) }
    guard mustBeThere else { return then(.success(checked)) }
    files.check(Array(checked.paths.values)) { [mailbox, checked] missing in
      mailbox.post { [weak self] in self?.check(checked, missing, then: then) }
    }
  }

  private func check(_ checked: Checked, _ missing: [FilePath: Failure], then: @escaping Completion<Checked>) {
    read(
      { reader throws(StoreError) in
        var sorted = checked
        sorted.uris = []
        for uri in checked.uris {
          var failure: Failure?
          switch LibraryURI(uri) {
          case .album(let id): if try reader.album(id) == nil { failure = .noSuchAlbum(id) }
          case .artist(let id): if try reader.artist(id) == nil { failure = .noSuchArtist(id) }
          default:
            if let path = checked.paths[uri], let reason = missing[path], try reader.track(uri) == nil {
              failure = reason
            }
          }
          if let failure { sorted.refuse(uri, failure) } else { sorted.uris.append(uri) }
        }
        return .success(sorted)
      }, then: then)
  }
}

extension Failure {
  public static func noSuchAlbum(_ id: Int64) -> Failure {
    Failure(.notFound, "no album has the id \(id)")
  }

  public static func noSuchArtist(_ id: Int64) -> Failure {
    Failure(.notFound, "no artist has the id \(id)")
  }
}
