// Thread: any. Everything is done on the thread "art", one job after another: it looks for files, opens them, and reads
// and writes the cache. It never reads the contents of a picture. Only `close` waits for it.

internal import Glibc
public import SegueSystem
public import SegueWire
public import SegueWorkerProtocol

/// A lookup of a picture that is not in the cache: the input of the worker that extracts it.
public struct ArtLookup: Sendable {
  public let request: CoverRequest
  /// The file that may have the picture.
  public let file: OpenFile
  /// The memory file that receives the picture.
  public let target: OpenFile
  let key: ArtKey
  /// The other files that may have the picture.
  let candidates: ArtCandidates
}

/// The result of a search for a picture in `ArtStore`.
public enum ArtSearchResult: Sendable {
  case cached(CachedArt)
  /// A worker has to read a file. `ArtStore.save` or `ArtStore.continueSearch` takes its response.
  case lookup(ArtLookup)
  /// There is no picture.
  case none
}

/// A store of covers that are ready to be shown, and a search for those that are not.
public final class ArtStore: Sendable {
  private let thread: SerialThread<ArtCache>

  /// `folder` is created when a picture is written, also if it has been removed.
  public init(folder: FilePath) {
    thread = SerialThread(name: "art") { ArtCache(folder: folder) }
  }

  /// Searches for a cover of `subject`. `edge` is the maximum length of a side in pixels. `completion` runs on the
  /// thread "art".
  public func find(
    _ subject: ArtSubject, edge: Int?, as format: Art.Format?,
    _ completion: @escaping @Sendable (Result<ArtSearchResult, Failure>) -> Void
  ) {
    thread.post { cache in
      completion(Self.search(ArtCandidates(subject, edge: edge, as: format), cache))
    }
  }

  /// Continues a search: the file of `lookup` has no picture. `completion` runs on the thread "art".
  public func continueSearch(
    after lookup: ArtLookup, _ completion: @escaping @Sendable (Result<ArtSearchResult, Failure>) -> Void
  ) {
    thread.post { cache in
      cache.addNoPicture(for: lookup.key)
      completion(Self.search(lookup.candidates, cache))
    }
  }

  /// Finds the picture at a URL in the cache.
  /// - Parameters:
  ///   - isStale: Whether a picture is wanted that should be downloaded again, but cannot be.
  ///   - completion: A closure that runs on the thread "art".
  public func find(
    _ url: String, edge: Int?, as format: Art.Format?, isStale: Bool = false,
    _ completion: @escaping @Sendable (CachedArt?) -> Void
  ) {
    thread.post { cache in
      let request = CoverRequest(place: .file, edge: edge, format: format)
      let period = ArtKey.period(at: .now) - (isStale ? 1 : 0)
      if case .art(let art) = cache.find(ArtKey(url, request, period: period)) {
        completion(art)
      } else {
        completion(nil)
      }
    }
  }

  /// Prepares the lookup of a picture that was downloaded from a URL.
  /// - Parameters:
  ///   - picture: A memory file that begins with the picture. It must be open until the completion is called.
  ///   - size: The size of the picture in bytes.
  ///   - completion: A closure that runs on the thread "art".
  public func prepare(
    _ url: String, edge: Int?, as format: Art.Format?, picture: Int32, size: Int,
    _ completion: @escaping @Sendable (Result<ArtLookup, Failure>) -> Void
  ) {
    thread.post { _ in
      let request = CoverRequest(place: .file, edge: edge, format: format)
      let result = Result { () throws(SystemError) in
        // The worker reads the whole file, which must not be larger than the picture.
        let file = try MemoryFile.copy(size, of: picture)
        let target = try MemoryFile.create("segue-cover", size: CoverInfo.maximumSize)
        let path = FilePath("picture")
        return ArtLookup(
          request: request, file: OpenFile(path: path, descriptor: file),
          target: OpenFile(path: path, descriptor: target), key: ArtKey(url, request, period: ArtKey.period(at: .now)),
          candidates: ArtCandidates(edge: edge, as: format))
      }
      completion(result.mapError { Failure(.unavailable, "no memory for a picture: \($0.localizableReason)") })
    }
  }

  /// Saves the picture that a worker has put into `lookup.target`. `completion` runs on the thread "art".
  public func save(
    _ lookup: ArtLookup, _ cover: CoverInfo, _ completion: @escaping @Sendable (Result<CachedArt, Failure>) -> Void
  ) {
    thread.post { cache in
      completion(
        Result { () throws(SystemError) in try cache.add(lookup.target.raw, cover, lookup.key) }.mapError {
          Failure(.unavailable, "the cover cannot be stored in \(cache.folder): \($0.localizableReason)")
        })
    }
  }

  /// Records `art` as the cover of `album`, so that `AlbumArt` returns it. `completion` runs on the thread "art".
  public func link(_ album: AlbumIdentity, to art: CachedArt, completion: @escaping @Sendable () -> Void) {
    thread.post { cache in
      cache.link(ArtKey(album), to: art)
      completion()
    }
  }

  public func close() { thread.close() }

  private static func search(_ candidates: ArtCandidates, _ cache: ArtCache) -> Result<ArtSearchResult, Failure> {
    var candidates = candidates
    while let candidate = candidates.next() {
      // A file that cannot be opened has no picture that could be shown.
      guard let file = try? RegularFile.open(candidate.path) else { continue }
      var status = stat()
      guard fstat(file.raw, &status) == 0 else { continue }
      let request = CoverRequest(place: candidate.place, edge: candidates.edge, format: candidates.format)
      let key = ArtKey(FileStamp(status), request)
      switch cache.find(key) {
      case .art(let art): return .success(.cached(art))
      case .noPicture: continue
      case nil: break
      }
      do throws(SystemError) {
        let memory = try MemoryFile.create("segue-cover", size: CoverInfo.maximumSize)
        return .success(
          .lookup(
            ArtLookup(
              request: request, file: OpenFile(path: candidate.path, descriptor: file),
              target: OpenFile(path: candidate.path, descriptor: memory), key: key, candidates: candidates)))
      } catch {
        return .failure(Failure(.unavailable, "no memory for a cover: \(error.localizableReason)"))
      }
    }
    return .success(.none)
  }
}
