// Thread: the loop. Files are looked for on ArtStore's thread, and looked into by workers.

internal import SegueLibrary
internal import SegueLink
internal import SegueLoop
internal import SegueSystem
internal import SegueWire

/// Covers of tracks and albums, from the cache or made ready for it.
@MainActor
final class CoverFinder {
  private let store = ArtStore(folder: ArtStore.folder)
  private let prober: Prober
  private let library: MusicLibrary
  private let mailbox: Mailbox

  init(prober: Prober, library: MusicLibrary, mailbox: Mailbox) {
    self.prober = prober
    self.library = library
    self.mailbox = mailbox
  }

  func close() { store.close() }

  /// `uri`: a track's, or `segue:album/ID`.
  func find(_ uri: String, _ size: Art.Size, asPNG: Bool, then: @escaping Completion<Art>) {
    switch LibraryURI(uri) {
    case .album(let id): findAlbum(id, size, asPNG: asPNG, then: then)
    case nil:
      do throws(Failure) {
        guard case .file(let path, _) = try MediaURI(uri) else {
          throw Failure(.notFound, "\(uri): a stream, of which no cover is known")
        }
        find(.track(path), uri, size, asPNG: asPNG) { then($0.map(Art.init)) }
      } catch {
        then(.failure(error))
      }
    default: then(.failure(Failure(.invalidParams, "\(uri): tracks and albums have covers")))
    }
  }

  private func findAlbum(_ id: Int64, _ size: Art.Size, asPNG: Bool, then: @escaping Completion<Art>) {
    library.read(
      { reader throws(StoreError) in
        guard let album = try reader.album(id) else { return .failure(.noSuchAlbum(id)) }
        return .success((album, try reader.artSource(ofAlbum: id)))
      }, then: { [weak self] in self?.findAlbum($0, size, asPNG: asPNG, then: then) })
  }

  private func findAlbum(
    _ found: Result<(album: LibraryAlbum, source: FilePath?), Failure>, _ size: Art.Size, asPNG: Bool,
    then: @escaping Completion<Art>
  ) {
    switch found {
    case .failure(let failure): then(.failure(failure))
    case .success((let album, let source)):
      guard let source else { return then(.failure(Self.noCover(album.uri))) }
      find(.album(source), album.uri, size, asPNG: asPNG) { [weak self] result in
        guard size == .medium, !asPNG, let self, case .success(let art) = result else {
          return then(result.map(Art.init))
        }
        self.store.remember(art, of: album) { [mailbox = self.mailbox] in
          mailbox.post { then(.success(Art(art))) }
        }
      }
    }
  }

  private func find(
    _ subject: ArtSubject, _ uri: String, _ size: Art.Size, asPNG: Bool, then: @escaping Completion<CachedArt>
  ) {
    store.find(subject, edge: size.edge, asPNG: asPNG) { [mailbox] result in
      mailbox.post { [weak self] in self?.take(result, uri, then) }
    }
  }

  private func take(_ step: Result<ArtSearchResult, Failure>, _ uri: String, _ then: @escaping Completion<CachedArt>) {
    switch step {
    case .failure(let failure): then(.failure(failure))
    case .success(.none): then(.failure(Self.noCover(uri)))
    case .success(.cached(let art)): then(.success(art))
    case .success(.ask(let question)):
      prober.cover(question) { [weak self] answer in self?.take(answer, question, uri, then) }
    }
  }

  private func take(
    _ answer: Result<CoverInfo?, Failure>, _ question: ArtLookup, _ uri: String,
    _ then: @escaping Completion<CachedArt>
  ) {
    switch answer {
    case .success(let found?):
      store.keep(question, found) { [mailbox] result in
        mailbox.post { then(result) }
      }
    // No fault of the picture.
    case .failure(let failure) where failure.kind == .unavailable: then(.failure(failure))
    case .success(nil), .failure:
      store.goOn(after: question) { [mailbox] result in
        mailbox.post { [weak self] in self?.take(result, uri, then) }
      }
    }
  }

  private static func noCover(_ uri: String) -> Failure {
    Failure(.notFound, "\(uri): no cover in it, and none beside it that can be shown")
  }
}

extension Art {
  fileprivate init(_ art: CachedArt) {
    self.init(
      path: art.path.description, uri: FileURI.encode(art.path), width: art.width, height: art.height)
  }
}
