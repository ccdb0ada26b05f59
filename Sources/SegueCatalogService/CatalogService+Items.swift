internal import SegueCatalogProviders
internal import SegueLoop
internal import SegueSystem
public import SegueWire
public import SegueWorkerProtocol

/// Items that are played, added to the queue, or shown.
extension CatalogService {
  /// The address of a stream.
  public struct StreamAddress: Sendable {
    public let url: String
    /// The scope of the server that named the URL.
    public let scope: AddressScope
  }

  /// A downloaded picture in memory.
  public struct Picture: Sendable {
    let file: SharedDescriptor
    /// The number of bytes.
    public let size: Int

    /// The memory file with the picture.
    public var raw: Int32 { file.raw }
  }

  /// The time for which the address of a stream is used without asking the provider, because addresses expire and
  /// stations move.
  private static let addressLifetime = MediaTime.seconds(10 * 60)
  /// The time for which an item in any result in the cache is used instead of its details.
  private static let itemLifetime = MediaTime.seconds(86_400)

  /// Finds the details of an item.
  public func details(
    of uri: CatalogItemURI, refresh: Bool = false, in group: CatalogRequestGroup? = nil,
    then: @escaping Completion<CatalogAnswer>
  ) {
    cache.findStore(of: uri) { [mailbox = loop.mailbox, weak self] country in
      mailbox.post { self?.answer(.details(uri), country: country, refresh: refresh, in: group, then: then) }
    }
  }

  /// Finds an item, with the members that lists show. If a result in the cache has the item, the provider is not asked.
  /// `then` gets an answer whose first entry is the item.
  public func item(
    _ uri: CatalogItemURI, in group: CatalogRequestGroup? = nil, then: @escaping Completion<CatalogAnswer>
  ) {
    item(uri, lifetime: Self.itemLifetime, staleLifetime: nil, in: group, then: then)
  }

  /// Finds the address of the stream of an item that is about to be played. If the provider cannot be reached, it is an
  /// outdated one, unless the addresses of the provider expire.
  public func resolve(_ uri: CatalogItemURI, then: @escaping Completion<StreamAddress>) {
    let staleLifetime = providers[uri]?.addressesExpire == false ? nil : MediaTime.zero
    item(uri, lifetime: Self.addressLifetime, staleLifetime: staleLifetime) { result in
      then(result.flatMap { $0.streamAddress(of: uri) })
    }
  }

  /// Finds an item in any result in the cache, or its details. A request for the details goes to the store that has
  /// listed the item, because other stores may not have it.
  private func item(
    _ uri: CatalogItemURI, lifetime: MediaTime, staleLifetime: MediaTime?, in group: CatalogRequestGroup? = nil,
    then: @escaping Completion<CatalogAnswer>
  ) {
    // A provider that cannot be used needs no search in the cache.
    do { _ = try job(.details(uri)) } catch { return fail(error, then) }
    cache.find(uri) { [mailbox = loop.mailbox, weak self] found in
      mailbox.post {
        guard let self else { return }
        do throws(Failure) {
          let job = try self.job(
            .details(uri), country: found?.store, lifetime: lifetime, staleLifetime: staleLifetime)
          if let found, let answer = job.answer(found, within: lifetime, isStale: false) {
            return then(.success(answer))
          }
          self.answer(job, refresh: false, in: group) { result in
            guard case .failure(let failure) = result else { return then(result) }
            then(job.answer(found, insteadOf: failure))
          }
        } catch {
          then(.failure(error))
        }
      }
    }
  }

  /// Notifies a provider that counts plays that an item is played. A play that is not counted is no error.
  public func countPlay(of uri: CatalogItemURI) {
    guard let job = try? job(.played(uri)), job.provider.supports(job.query.subject) else { return }
    answer(job, refresh: true) { _ in }
  }

  /// Finds the items that are played if an item is added to the queue: the item itself, the songs of an album, or the
  /// episodes of a podcast.
  public func playableItems(
    of uri: CatalogItemURI, in group: CatalogRequestGroup? = nil, then: @escaping Completion<[CatalogItem]>
  ) {
    let complete: Completion<CatalogAnswer> = { result in then(result.flatMap { $0.playableItems }) }
    switch uri.kind {
    case .album, .podcast: details(of: uri, in: group, then: complete)
    case .song, .film, .audiobook, .episode, .station, .artist, .person: item(uri, in: group, then: complete)
    }
  }

  /// Downloads a picture.
  public func download(
    _ picture: CatalogPicture, in group: CatalogRequestGroup? = nil, then: @escaping Completion<Picture>
  ) {
    let (number, complete) = begin(in: group, then: then)
    if group?.isCancelled != true { downloads.download(picture, number, then: complete) }
  }
}

/// The address of a picture of an item.
public struct CatalogPicture: Sendable {
  public let url: String
  /// The scope of the server that named the URL.
  let scope: AddressScope
  /// The title of the provider.
  let provider: String
  /// The maximum size of the picture in bytes.
  let maximumSize: Int
}

extension CatalogAnswer {
  /// Returns the address of the picture of the first item; nil if it has none.
  public func picture(_ size: Art.Size) -> CatalogPicture? {
    guard let art = result.entries.first?.item.art else { return nil }
    return CatalogPicture(
      url: provider.artURL(art, size: size), scope: scope, provider: provider.title,
      maximumSize: provider.maximumPictureSize)
  }

  fileprivate func streamAddress(of uri: CatalogItemURI) -> Result<CatalogService.StreamAddress, Failure> {
    guard let entry = result.entries.first else {
      return .failure(Failure(.notFound, "\(uri.uri): \(provider.title) has no such item"))
    }
    guard let url = entry.stream else {
      return .failure(Failure(.unplayable, "\(uri.uri): \(provider.title) has no sound of this item"))
    }
    return .success(CatalogService.StreamAddress(url: url, scope: scope))
  }

  fileprivate var playableItems: Result<[CatalogItem], Failure> {
    guard let first = result.entries.first else { return .failure(Failure(.notFound, "no such item")) }
    switch first.item.kind {
    case .album, .podcast:
      let items = result.contents.filter { $0.stream != nil }.map(\.item)
      if items.isEmpty { break }
      return .success(items)
    case .song, .film, .audiobook, .episode, .station: if first.stream != nil { return .success([first.item]) }
    case .artist, .person: break
    }
    return .failure(Failure(.unplayable, "\(first.item.uri): \(provider.title) has no sound of this item"))
  }
}
