// Thread: the loop.

internal import SegueCatalogProviders
public import SegueCatalogService
internal import SegueFiles
internal import SegueLibrary
internal import SegueSQLite
internal import SegueSystem
public import SegueWire

/// The favorites of the user. A change is on disk before the response to its request.
@MainActor
public final class Favorites {
  private let mirror: LibraryMirror<Set<String>>
  private let index: LibraryIndex
  private let check: FavoriteCheck
  private let queue: QueueController
  private let catalogs: CatalogService
  private let collator: TitleCollator

  init(
    _ index: LibraryIndex, check: FavoriteCheck, queue: QueueController, catalogs: CatalogService,
    collator: TitleCollator, versions: UserListVersions, notifier: ChangeNotifier
  ) {
    self.index = index
    self.check = check
    self.queue = queue
    self.catalogs = catalogs
    self.collator = collator
    mirror = LibraryMirror(
      index, initially: [], read: { reader throws(StoreError) in try reader.favoriteURIs() },
      onChange: {
        versions.handleChange(of: .favorites)
        notifier.notify(.player)
      })
  }

  /// The URIs of all favorites; empty until they are read.
  var uris: Set<String> { mirror.value }

  func contains(_ uri: String) -> Bool { !mirror.value.isEmpty && mirror.value.contains(uri) }

  /// Reads the favorites when the daemon starts.
  func start() { mirror.start() }

  /// Reads the favorites again after the library has changed them.
  func handleChange() { mirror.handleChange() }

  /// Adds favorites: tracks, streams, albums, artists, and items of online catalogues. The items are described by their
  /// catalogues; after `group` was cancelled, they are added without a description.
  public func add(
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
          self.set(checked, true, then: then)
        }
      }
    }
  }

  /// Removes favorites. Removing one that is no favorite succeeds.
  public func remove(_ uris: [String], then: @escaping Completion<FavoriteResult>) {
    check(uris, mustExist: false) { [weak self] result in
      switch result {
      case .failure(let failure): then(.failure(failure))
      case .success(let checked): self?.set(checked, false, then: then)
      }
    }
  }

  /// Stores the title of the stream at `uri`, if it is a favorite.
  func setStreamTitle(of uri: String, _ title: String) {
    guard contains(uri) else { return }
    index.write(
      { writer throws(StoreError) in try writer.setFavoriteTitle(uri, title) },
      then: { result in
        if case .failure(let failure) = result { Log.warning("cannot store the title of \(uri): \(failure.message)") }
      })
  }

  /// Stores what an online catalogue states about an item that is played, if the item is a favorite: the catalogue may
  /// not have been reachable when it became one.
  func refresh(_ item: CatalogItemURI) {
    guard contains(item.uri) else { return }
    describe(item, in: CatalogRequestGroup()) { [weak self] result in
      guard let self, case .success(let facts) = result else { return }
      self.index.write(
        { writer throws(StoreError) in try writer.setFavoriteFacts(item.uri, facts) },
        then: { result in
          if case .failure(let failure) = result {
            Log.warning("cannot store the title of \(item.uri): \(failure.message)")
          }
        })
    }
  }

  private func set(_ checked: CheckedURIs, _ isFavorite: Bool, then: @escaping Completion<FavoriteResult>) {
    let before = uris
    let findTitles = isFavorite ? titleSearch : nil
    index.write(
      { writer throws(StoreError) -> Int? in
        if isFavorite, try !writer.hasRoom(for: checked.uris.filter { !before.contains($0) }, in: .favorites) {
          return nil
        }
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
        case .success(nil): then(.failure(.full(.favorites)))
        case .success(let unchanged?):
          self.mirror.whenRead {
            then(
              .success(
                FavoriteResult(
                  uris: checked.uris, unchanged: unchanged, failed: checked.failures, total: self.uris.count)))
          }
        }
      })
  }

  /// What online catalogues have stated about the items of a request. It is an object, so that no answer copies those
  /// before.
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
    describe(uri, in: requests) { [weak self] result in
      switch result {
      case .success(let facts): descriptions.facts[uri.uri] = facts
      case .failure(let failure) where failure.kind == .notFound: descriptions.missing.append((index, failure))
      case .failure: break
      }
      self?.describe(uris[(index + 1)...], descriptions, in: requests, then: then)
    }
  }

  /// Finds the facts that a catalogue states about an item that becomes a favorite.
  private func describe(
    _ uri: CatalogItemURI, in group: CatalogRequestGroup, then: @escaping Completion<FavoriteFacts>
  ) {
    catalogs.item(uri, in: group) { [collator] result in
      switch result {
      case .failure(let failure): then(.failure(failure))
      case .success(let answer):
        guard let item = answer.result.entries.first?.item else {
          return then(.failure(Failure(.notFound, "\(uri.uri): no such item")))
        }
        collator.keys(of: [item.title]) { keys in
          then(
            .success(
              FavoriteFacts(
                EntryInfo(item: item).metadata, rating: item.rating?.value, titleKey: keys?.first ?? [])))
        }
      }
    }
  }

  /// A function that finds the titles of streams by their URIs in the queue as it is now, to be called on another
  /// thread.
  private var titleSearch: @Sendable (_ uris: Set<String>) -> [String: String] {
    { [ids = queue.contents.ids, store = queue.contents.entries.store] in store.titles(of: $0, among: ids) }
  }
}
