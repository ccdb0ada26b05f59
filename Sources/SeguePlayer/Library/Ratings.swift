// Thread: the loop.

internal import SegueFiles
internal import SegueLibrary
internal import SegueSQLite
public import SegueWire

/// The ratings of tracks. A change is on disk before the response to its request.
@MainActor
public struct Ratings {
  let index: LibraryIndex
  let check: FavoriteCheck

  /// Reads the rating of a track, which need not be in the library.
  public func rating(of uri: String, then: @escaping Completion<Rating>) {
    if LibraryURI(uri) != nil { return then(.failure(.onlyTracksAreRated(uri))) }
    do throws(Failure) {
      let uri = try MediaURI(uri).uri
      index.read(
        { reader throws(StoreError) in
          let rating = if let track = try reader.track(uri) { track.rating } else { try reader.rating(uri) }
          return .success(Rating(uri: uri, rating: rating))
        }, then: then)
    } catch {
      then(.failure(error))
    }
  }

  /// Rates a track from 0 to 10; nil removes the rating.
  public func set(_ uri: String, to rating: Int?, then: @escaping Completion<Rating>) {
    if LibraryURI(uri) != nil { return then(.failure(.onlyTracksAreRated(uri))) }
    check([uri], mustExist: rating != nil) { result in
      switch result {
      case .failure(let failure): then(.failure(failure))
      case .success(let checked):
        guard let uri = checked.uris.first else {
          let refusal = checked.failures.listed.first?.failure
          return then(.failure(refusal ?? Failure(.notFound, "\(uri): track not found")))
        }
        index.write({ writer throws(StoreError) -> Bool in
          if rating != nil, try !writer.hasRoom(for: [uri], in: .ratings) { return false }
          try writer.setRating(uri, rating)
          return true
        }) { result in
          then(
            result.flatMap { hasRoom in
              hasRoom ? .success(Rating(uri: uri, rating: rating)) : .failure(.full(.ratings))
            })
        }
      }
    }
  }
}

extension Failure {
  fileprivate static func onlyTracksAreRated(_ uri: String) -> Failure {
    Failure(.invalidParams, "\(uri): only tracks can be rated")
  }

  static func full(_ list: UserList) -> Failure {
    switch list {
    case .favorites:
      Failure(.tooLarge, "there are too many favorites that are no files (at most \(UserList.maximumOthers))")
    case .ratings:
      Failure(.tooLarge, "there are too many ratings of what is no file (at most \(UserList.maximumOthers))")
    }
  }
}
