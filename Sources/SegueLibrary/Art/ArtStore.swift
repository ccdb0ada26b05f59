// Any thread may call this. All is done on the thread "art", one thing after another: it looks for files, opens them,
// and reads and writes the cache. It never reads what is in a picture. Nobody waits for it but `close`.

internal import Glibc
public import SegueLink
public import SegueSystem
public import SegueWire

/// Covers, as they were made ready for showing, and where to look for those that were not.
public final class ArtStore: Sendable {
  private let thread: SerialThread<ArtCache>

  /// `folder` is made when it is first written to, and again when it is gone.
  public init(folder: FilePath) {
    thread = SerialThread(name: "art") { ArtCache(folder: folder) }
  }

  /// In `$XDG_CACHE_HOME`.
  public static var folder: FilePath { Directories.cache.appending("segue/art") }

  /// Looks for a cover of `subject`, no side longer than `edge` pixels. `answer` runs on the thread "art".
  public func find(
    _ subject: ArtSubject, edge: Int?, asPNG: Bool,
    _ answer: @escaping @Sendable (Result<ArtSearchResult, Failure>) -> Void
  ) {
    thread.post { cache in
      answer(Self.step(ArtCandidates(subject, edge: edge, asPNG: asPNG), cache))
    }
  }

  /// There is no picture in what was asked for: looks on. `answer` runs on the thread "art".
  public func goOn(after question: ArtLookup, _ answer: @escaping @Sendable (Result<ArtSearchResult, Failure>) -> Void)
  {
    thread.post { cache in
      cache.noteNothing(for: question.key)
      answer(Self.step(question.others, cache))
    }
  }

  /// A worker has put a picture into `question.target`. `answer` runs on the thread "art".
  public func keep(
    _ question: ArtLookup, _ found: CoverInfo, _ answer: @escaping @Sendable (Result<CachedArt, Failure>) -> Void
  ) {
    thread.post { cache in
      answer(
        Result { () throws(SystemError) in try cache.put(question.target.raw, found, question.key) }.mapError {
          Failure(.unavailable, "the cover cannot be kept in \(cache.folder): \($0.reason)")
        })
    }
  }

  /// `art` is the cover of `album` from now on: `AlbumArt` tells, once `then` is called, on the thread "art".
  public func remember(_ art: CachedArt, of album: LibraryAlbum, then: @escaping @Sendable () -> Void) {
    thread.post { cache in
      cache.link(ArtKey(album), to: art)
      then()
    }
  }

  public func close() { thread.close() }

  private static func step(_ sources: ArtCandidates, _ cache: ArtCache) -> Result<ArtSearchResult, Failure> {
    var sources = sources
    while let source = sources.next() {
      // What cannot be opened has no picture that could be shown.
      guard let file = try? RegularFile.open(source.path) else { continue }
      var status = stat()
      guard fstat(file.raw, &status) == 0 else { continue }
      let wish = CoverRequest(place: source.place, edge: sources.edge, asPNG: sources.asPNG)
      let key = ArtKey(FileStamp(status), wish)
      switch cache.find(key) {
      case .art(let art): return .success(.cached(art))
      case .nothing: continue
      case nil: break
      }
      do throws(SystemError) {
        let memory = try MemoryFile.create("segue-cover", size: CoverInfo.maximumSize)
        return .success(
          .ask(
            ArtLookup(
              wish: wish, file: OpenFile(path: source.path, descriptor: file),
              target: OpenFile(path: source.path, descriptor: memory), key: key, others: sources)))
      } catch {
        return .failure(Failure(.unavailable, "no memory for a cover: \(error.reason)"))
      }
    }
    return .success(.none)
  }
}
