// Thread: the loop.

internal import SegueFiles
internal import SegueLibrary
internal import SegueLoop
internal import SegueSQLite
internal import SegueSystem
public import SegueWire

/// The URIs of a request that can be favorites, and the failures of the others.
struct CheckedURIs: Sendable {
  fileprivate(set) var uris: [String] = []
  private(set) var failures = URIFailureList()
  /// The paths of files that are to be checked, by URI.
  fileprivate(set) var paths: [String: FilePath] = [:]
  /// The descriptions of items by online catalogues, by the items' URIs.
  var facts: [String: FavoriteFacts] = [:]

  fileprivate init(_ uris: [String]) {
    for uri in uris { add(uri) }
  }

  /// The streams that no online catalogue has described.
  var undescribedStreams: Set<String> {
    Set(uris.lazy.filter { LibraryURI($0) == nil && !MediaURI.isFile($0) && facts[$0] == nil })
  }

  fileprivate mutating func refuse(_ uri: String, _ failure: Failure) {
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
    case .genre, .value, .playlist, .search:
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

/// A check of the URIs that a user wants to have as favorites, or to rate.
@MainActor
struct FavoriteCheck {
  let index: LibraryIndex
  let files: FileService
  let mailbox: Mailbox

  /// Finds which URIs can be favorites, in the form in which they are stored. `mustExist`: whether the file must exist
  /// or be in the index.
  func callAsFunction(_ uris: [String], mustExist: Bool, then: @escaping Completion<CheckedURIs>) {
    // A request may have tens of thousands of URIs, which the loop must not read. A few are read faster than another
    // thread wakes up.
    if uris.count <= 16 { return check(CheckedURIs(uris), mustExist: mustExist, then: then) }
    index.read(
      { _ in .success(CheckedURIs(uris)) },
      then: { result in
        switch result {
        case .failure(let failure): then(.failure(failure))
        case .success(let checked): check(checked, mustExist: mustExist, then: then)
        }
      })
  }

  private func check(_ checked: CheckedURIs, mustExist: Bool, then: @escaping Completion<CheckedURIs>) {
    guard mustExist else { return then(.success(checked)) }
    files.check(checked.paths.values) { [mailbox] missing in
      mailbox.post { check(checked, missing, then: then) }
    }
  }

  private func check(_ checked: CheckedURIs, _ missing: [FilePath: Failure], then: @escaping Completion<CheckedURIs>) {
    index.read(
      { reader throws(StoreError) in
        var existing = checked
        existing.uris = []
        for uri in checked.uris {
          var failure: Failure?
          switch LibraryURI(uri) {
          case .album(let id): if try reader.album(id) == nil { failure = .noSuchAlbum(id) }
          case .artist(let id): if try reader.artist(id) == nil { failure = .noSuchArtist(id) }
          case .genre, .value, .playlist, .search, nil:
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
}
