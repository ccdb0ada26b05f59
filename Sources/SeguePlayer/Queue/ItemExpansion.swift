// Thread: the loop.

internal import SegueCatalogService
internal import SegueLoop
internal import SegueSystem
internal import SegueWire

/// The URIs of a request, in which the songs of albums and the episodes of podcasts replace items of online catalogues.
/// It is an object, so that no answer of a catalogue copies those before.
@MainActor
final class ItemExpansion {
  fileprivate(set) var uris: [String] = []
  fileprivate(set) var refusals: [URIFailure] = []
  /// The facts about the items that the catalogues state, by their URIs.
  fileprivate(set) var info: [String: EntryInfo] = [:]

  fileprivate func add(_ items: [CatalogItem]) {
    for item in items {
      uris.append(item.uri)
      info[item.uri] = EntryInfo(item: item)
    }
  }
}

extension CatalogService {
  /// Finds the items that are played in place of items of online catalogues, one after another, because providers limit
  /// the rate of requests. If there are none, `then` is called before this returns. After the requests of `group` were
  /// cancelled, it is not called.
  func expand(
    _ uris: [String], in group: CatalogRequestGroup, on mailbox: Mailbox,
    then: @escaping @MainActor (ItemExpansion) -> Void
  ) {
    expand(uris[...], ItemExpansion(), in: group, on: mailbox, then: then)
  }

  /// The number of malformed URIs that are refused in one iteration of the loop: it takes about a millisecond.
  private static var maximumRefusals: Int { 500 }

  private func expand(
    _ uris: ArraySlice<String>, _ expansion: ItemExpansion, in group: CatalogRequestGroup, on mailbox: Mailbox,
    then: @escaping @MainActor (ItemExpansion) -> Void
  ) {
    guard !group.isCancelled else { return }
    var refusals = 0
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
          self?.expand(uris[(index + 1)...], expansion, in: group, on: mailbox, then: then)
        }
      } catch {
        expansion.refusals.append(URIFailure(uri: uri, failure: error))
        refusals += 1
        guard refusals < Self.maximumRefusals else {
          return mailbox.post { self.expand(uris[(index + 1)...], expansion, in: group, on: mailbox, then: then) }
        }
      }
    }
    then(expansion)
  }
}

extension EntryInfo {
  /// Creates the information that a catalogue has, which is used until the stream is opened. The duration is unknown:
  /// that of the item is not that of its preview.
  init(item: CatalogItem) {
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
