// Thread: the loop.

internal import SegueOnline
internal import SegueSystem
internal import SegueWire

/// The URIs of a request, in which the songs of albums and the episodes of podcasts replace items of online catalogues.
struct ItemExpansion {
  var uris: [String] = []
  var refusals: [URIFailure] = []
  /// The facts about the items that the catalogues state, by their URIs.
  var info: [String: EntryInfo] = [:]

  fileprivate mutating func add(_ items: [Item]) {
    for item in items {
      uris.append(item.uri)
      info[item.uri] = EntryInfo(item: item)
    }
  }
}

extension CatalogService {
  /// Finds the items that are played in place of items of online catalogues, one after another, because providers limit the
  /// rate of requests. If there are none, `then` is called before this returns. After the requests of `group` were cancelled,
  /// it is not called.
  func expand(
    _ uris: [String], in group: CatalogRequestGroup, then: @escaping @MainActor (ItemExpansion) -> Void
  ) {
    expand(uris[...], ItemExpansion(), in: group, then: then)
  }

  private func expand(
    _ uris: ArraySlice<String>, _ before: ItemExpansion, in group: CatalogRequestGroup,
    then: @escaping @MainActor (ItemExpansion) -> Void
  ) {
    guard !group.isCancelled else { return }
    var expansion = before
    for (index, uri) in zip(uris.indices, uris) {
      guard CatalogItemURI.hasScheme(uri) else {
        expansion.uris.append(uri)
        continue
      }
      do throws(Failure) {
        let item = try CatalogItemURI(uri)
        return playableItems(of: item, in: group) { [weak self] result in
          switch result {
          case .success(let items): expansion.add(items)
          case .failure(let failure): expansion.refusals.append(URIFailure(uri: uri, failure: failure))
          }
          self?.expand(uris[(index + 1)...], expansion, in: group, then: then)
        }
      } catch {
        expansion.refusals.append(URIFailure(uri: uri, failure: error))
      }
    }
    then(expansion)
  }
}

extension EntryInfo {
  /// Creates the information that a catalogue has, which is used until the stream is opened. The duration is unknown: that
  /// of the item is not that of its preview.
  init(item: Item) {
    var metadata = Metadata()
    metadata.title = item.title
    metadata.artist = item.creator
    metadata.artists = [item.creator].compactMap(\.self)
    metadata.genre = item.genres
    (metadata.date, metadata.year) = (item.date, item.year)
    for fact in item.facts {
      switch fact.name {
      case .album, .podcast: metadata.album = fact.value
      case .track: metadata.track = Int(fact.value)
      case .disc: metadata.disc = Int(fact.value)
      default: break
      }
    }
    self.init(metadata: metadata)
  }
}
