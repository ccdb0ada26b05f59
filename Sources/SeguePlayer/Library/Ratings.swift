// Thread: the loop.

internal import SegueFiles
internal import SegueLibrary
internal import SegueSQLite
public import SegueWire

/// The ratings of tracks. A change is on disk before the response to its request.
@MainActor
public final class Ratings {
  private let mirror: LibraryMirror<[String: Int]>
  private let index: LibraryIndex
  private let check: FavoriteCheck

  init(_ index: LibraryIndex, check: FavoriteCheck, versions: UserListVersions, notifier: ChangeNotifier) {
    self.index = index
    self.check = check
    mirror = LibraryMirror(
      index, initially: [:], read: { reader throws(StoreError) in try reader.ratings() },
      onChange: {
        versions.handleChange(of: .ratings)
        notifier.notify(.player)
      })
  }

  /// Returns the rating of a track, from 0 to 10; nil if it has none, or if the ratings are not read yet.
  func value(of uri: String) -> Int? { mirror.value.isEmpty ? nil : mirror.value[uri] }

  /// Reads the ratings when the daemon starts.
  func start() { mirror.start() }

  /// Reads the ratings again after the library has changed them.
  func handleChange() { mirror.handleChange() }

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
    check([uri], mustExist: rating != nil) { [weak self] result in
      switch result {
      case .failure(let failure): then(.failure(failure))
      case .success(let checked):
        guard let uri = checked.uris.first else {
          let refusal = checked.failures.listed.first?.failure
          return then(.failure(refusal ?? Failure(.notFound, "\(uri): track not found")))
        }
        self?.write(uri, rating, then: then)
      }
    }
  }

  private func write(_ uri: String, _ rating: Int?, then: @escaping Completion<Rating>) {
    index.write(
      { writer throws(StoreError) -> Bool in
        if rating != nil, try !writer.hasRoom(for: [uri], in: .ratings) { return false }
        try writer.setRating(uri, rating)
        return true
      },
      then: { [weak self] result in
        switch result {
        case .failure(let failure): then(.failure(failure))
        case .success(false): then(.failure(.full(.ratings)))
        case .success(true): self?.mirror.whenRead { then(.success(Rating(uri: uri, rating: rating))) }
        }
      })
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
