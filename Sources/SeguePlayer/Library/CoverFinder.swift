// Thread: the loop. Files are found on the thread of `ArtStore`, and read by workers.

internal import SegueCatalogService
internal import SegueFiles
internal import SegueLibrary
internal import SegueLoop
internal import SegueSQLite
internal import SegueSystem
internal import SegueWire
internal import SegueWorkerProtocol

/// A finder of covers of tracks and albums. Covers come from the cache, or are added to it.
@MainActor
final class CoverFinder {
  private let store: ArtStore
  private let prober: Prober
  private let index: LibraryIndex
  private let catalogs: CatalogService
  private let mailbox: Mailbox

  /// `cache`: the folder of covers that are ready to be shown.
  init(cache: FilePath, prober: Prober, index: LibraryIndex, catalogs: CatalogService, mailbox: Mailbox) {
    store = ArtStore(folder: cache)
    self.prober = prober
    self.index = index
    self.catalogs = catalogs
    self.mailbox = mailbox
  }

  func close() { store.close() }

  /// Finds a cover. `uri`: the URI of a track or of an item of an online catalogue, or `segue:album/ID`. `group`: the
  /// group of requests to which those to online catalogues belong.
  func find(
    _ uri: String, _ size: Art.Size, as format: Art.Format?, in group: CatalogRequestGroup? = nil,
    then: @escaping Completion<Art>
  ) {
    switch LibraryURI(uri) {
    case .album(let id): findAlbum(id, size, as: format, then: then)
    case nil:
      do throws(Failure) {
        switch try MediaURI(uri) {
        case .file(let path, _): find(.track(path), uri, size, as: format) { then($0.map(Art.init)) }
        case .item(let item): findPicture(of: item, size, as: format, in: group, then: then)
        case .stream: throw Failure(.notFound, "\(uri): streams have no cover")
        }
      } catch {
        then(.failure(error))
      }
    case .artist, .genre, .value, .playlist, .search:
      then(.failure(Failure(.invalidParams, "\(uri): only tracks and albums have covers")))
    }
  }

  private func findAlbum(_ id: Int64, _ size: Art.Size, as format: Art.Format?, then: @escaping Completion<Art>) {
    index.read(
      { reader throws(StoreError) in
        guard let album = try reader.album(id) else { return .failure(.noSuchAlbum(id)) }
        return .success((album, try reader.artSource(ofAlbum: id)))
      }, then: { [weak self] in self?.findAlbum($0, size, as: format, then: then) })
  }

  private func findAlbum(
    _ result: Result<(album: LibraryAlbum, source: FilePath?), Failure>, _ size: Art.Size, as format: Art.Format?,
    then: @escaping Completion<Art>
  ) {
    switch result {
    case .failure(let failure): then(.failure(failure))
    case .success((let album, let source)):
      guard let source else { return then(.failure(Self.noCover(album.uri))) }
      find(.album(source), album.uri, size, as: format) { [weak self] result in
        guard size == .medium, format == nil, let self, case .success(let art) = result else {
          return then(result.map(Art.init))
        }
        self.store.link(album.identity, to: art) { [mailbox = self.mailbox] in
          mailbox.post { then(.success(Art(art))) }
        }
      }
    }
  }

  // MARK: Items of online catalogues

  private func findPicture(
    of uri: CatalogItemURI, _ size: Art.Size, as format: Art.Format?, in group: CatalogRequestGroup?,
    then: @escaping Completion<Art>
  ) {
    catalogs.item(uri, in: group) { [weak self] result in
      switch result {
      case .failure(let failure): then(.failure(failure))
      case .success(let answer):
        guard let picture = answer.picture(size) else {
          return then(.failure(Failure(.notFound, "\(uri.uri): the catalogue has no picture")))
        }
        self?.find(picture, size, as: format, in: group, then: then)
      }
    }
  }

  private func find(
    _ picture: CatalogPicture, _ size: Art.Size, as format: Art.Format?, in group: CatalogRequestGroup?,
    then: @escaping Completion<Art>
  ) {
    store.find(picture.url, edge: size.edge, as: format) { [mailbox] cached in
      mailbox.post { [weak self] in
        if let cached { return then(.success(Art(cached))) }
        self?.download(picture, size, as: format, in: group, then: then)
      }
    }
  }

  private func download(
    _ picture: CatalogPicture, _ size: Art.Size, as format: Art.Format?, in group: CatalogRequestGroup?,
    then: @escaping Completion<Art>
  ) {
    catalogs.download(picture, in: group) { [weak self] result in
      guard let self else { return }
      switch result {
      case .failure(let failure): self.findStale(picture, size, as: format, instead: failure, then: then)
      case .success(let memory):
        self.store.prepare(picture.url, edge: size.edge, as: format, picture: memory.raw, size: memory.size) {
          [mailbox = self.mailbox] lookup in
          withExtendedLifetime(memory) { mailbox.post { [weak self] in self?.convert(lookup, picture, then) } }
        }
      }
    }
  }

  /// Finds an outdated picture in the cache because it cannot be downloaded again.
  private func findStale(
    _ picture: CatalogPicture, _ size: Art.Size, as format: Art.Format?, instead failure: Failure,
    then: @escaping Completion<Art>
  ) {
    store.find(picture.url, edge: size.edge, as: format, isStale: true) { [mailbox] cached in
      mailbox.post { then(cached.map { .success(Art($0)) } ?? .failure(failure)) }
    }
  }

  /// Lets a worker convert a picture, whose format and contents are not trusted.
  private func convert(
    _ lookup: Result<ArtLookup, Failure>, _ picture: CatalogPicture, _ then: @escaping Completion<Art>
  ) {
    switch lookup {
    case .failure(let failure): then(.failure(failure))
    case .success(let lookup):
      prober.cover(lookup) { [weak self] cover in
        switch cover {
        case .failure(let failure): then(.failure(failure))
        case .success(nil): then(.failure(Failure(.badResponse, "\(picture.url): not a picture")))
        case .success(let found?):
          self?.store.save(lookup, found) { [mailbox = self?.mailbox] result in
            mailbox?.post { then(result.map(Art.init)) }
          }
        }
      }
    }
  }

  private func find(
    _ subject: ArtSubject, _ uri: String, _ size: Art.Size, as format: Art.Format?,
    then: @escaping Completion<CachedArt>
  ) {
    store.find(subject, edge: size.edge, as: format) { [mailbox] result in
      mailbox.post { [weak self] in self?.handle(result, uri, then) }
    }
  }

  private func handle(
    _ result: Result<ArtSearchResult, Failure>, _ uri: String, _ then: @escaping Completion<CachedArt>
  ) {
    switch result {
    case .failure(let failure): then(.failure(failure))
    case .success(.none): then(.failure(Self.noCover(uri)))
    case .success(.cached(let art)): then(.success(art))
    case .success(.lookup(let lookup)):
      prober.cover(lookup) { [weak self] cover in self?.handle(cover, of: lookup, uri, then) }
    }
  }

  private func handle(
    _ cover: Result<CoverInfo?, Failure>, of lookup: ArtLookup, _ uri: String,
    _ then: @escaping Completion<CachedArt>
  ) {
    switch cover {
    case .success(let found?):
      store.save(lookup, found) { [mailbox] result in
        mailbox.post { then(result) }
      }
    // The picture did not cause the failure: another picture would fail as well, and is not tried.
    case .failure(let failure) where failure.kind == .unavailable: then(.failure(failure))
    case .success(nil), .failure:
      store.continueSearch(after: lookup) { [mailbox] result in
        mailbox.post { [weak self] in self?.handle(result, uri, then) }
      }
    }
  }

  private static func noCover(_ uri: String) -> Failure {
    Failure(.notFound, "\(uri): no cover found in the file or its folder")
  }
}

extension Art {
  fileprivate init(_ art: CachedArt) {
    self.init(
      path: art.path.description, uri: FileURI.encode(art.path), width: art.width, height: art.height)
  }
}
