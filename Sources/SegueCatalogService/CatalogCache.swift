// Thread: any. The work is done on the thread "catalog", which owns the SQLite connection and may block in it. Results
// are parsed there, too, because they may be megabytes long. Only `close` waits for it.

internal import SegueCatalogProviders
internal import SegueSystem
internal import SegueWire
internal import SegueWorkerProtocol

/// A result in the cache.
struct CachedResult: Sendable {
  var result: CatalogResult
  /// The version of the response, the scope of its server, and the time for which it is fresh.
  var origin: CatalogOrigin
  /// The time at which the response was received, or confirmed by the server.
  var received: UnixTime
  /// The country of the store that has sent the response; nil if the provider has no stores.
  var store: String?
  /// Whether the result is fresh, and has only the entries that were asked for.
  var isPart = false
}

/// The time for which a result is fresh.
struct Freshness {
  /// The time if the server has stated none.
  var standard: MediaTime
  /// The longest time, whatever the server has stated.
  var maximum: MediaTime

  /// Returns whether a result is fresh at an age. If the clock was set back, it is not.
  func includes(_ age: MediaTime, _ origin: CatalogOrigin) -> Bool {
    age >= .zero && age < min(origin.lifetime ?? standard, maximum)
  }
}

/// A cache of the results of queries, in a SQLite file.
final class CatalogCache: Sendable {
  private let thread: SerialThread<CatalogDatabase>

  /// Opens nothing yet. The folder of `path` is created when it is needed.
  init(path: FilePath) { thread = SerialThread(name: "catalog") { CatalogDatabase(path: path) } }

  /// Finds a result. If it is fresh, only its entries of `page` are returned. `completion` runs on the thread
  /// "catalog".
  func find(
    _ key: String, _ page: PageRequest, _ freshness: Freshness,
    _ completion: @escaping @Sendable (CachedResult?) -> Void
  ) {
    thread.post { completion($0.find(key, page, freshness)) }
  }

  /// Finds the last result that contains an item, with only this item. `completion` runs on the thread "catalog".
  func find(_ uri: CatalogItemURI, _ completion: @escaping @Sendable (CachedResult?) -> Void) {
    thread.post { completion($0.find(uri)) }
  }

  /// Finds the country of the store whose result in the cache contains an item; nil if there is none. `completion` runs
  /// on the thread "catalog".
  func findStore(of uri: CatalogItemURI, _ completion: @escaping @Sendable (String?) -> Void) {
    thread.post { completion($0.findStore(of: uri)) }
  }

  /// Stores a result. A result that cannot be stored is not in the cache then.
  func store(_ key: String, _ result: CachedResult) { thread.post { $0.store(key, result) } }

  /// Records that a server has confirmed a stored result.
  func confirm(_ key: String, _ origin: CatalogOrigin, at time: UnixTime) {
    thread.post { $0.confirm(key, origin, at: time) }
  }

  /// Reads the result of a query that the fetch process has written to a memory file. It is bounded and has only items
  /// of the provider, whatever the process has written. `completion` runs on the thread "catalog".
  func read(
    _ size: Int, from file: SharedDescriptor, of subject: CatalogQuery.Subject, from provider: CatalogItemURI.Scheme,
    _ completion: @escaping @Sendable (Result<CatalogResult, Failure>) -> Void
  ) {
    thread.post { _ in completion(Self.read(size, from: file, of: subject, from: provider)) }
  }

  private static func read(
    _ size: Int, from file: SharedDescriptor, of subject: CatalogQuery.Subject, from provider: CatalogItemURI.Scheme
  ) -> Result<CatalogResult, Failure> {
    let reason: LocalizableMessage
    do {
      let json = try JSON(
        parsing: try MemoryFile.read(size, from: file.descriptor), maximumValueCount: maximumValueCount)
      let result = CatalogResult(json)
      if result.isPlausible(for: subject, from: provider) { return .success(result) }
      reason = LocalizableMessage("an item that the provider does not have")
    } catch {
      reason = .plain("\(error)")
    }
    return .failure(Failure(.unavailable, "the process that reads from the network sent an invalid result: \(reason)"))
  }

  /// The maximum number of JSON values in a result: an item has fewer than 500.
  private static let maximumValueCount = 500 * CatalogResult.maximumCount

  /// Does everything that was requested, and closes the file.
  func close() { thread.close() }
}

extension CatalogResult {
  /// Returns whether all entries are items of a provider, and the first one is that whose details were asked for. The
  /// fetch process could otherwise replace items of other providers in the cache, and name files that are added to the
  /// queue.
  fileprivate func isPlausible(for subject: CatalogQuery.Subject, from provider: CatalogItemURI.Scheme) -> Bool {
    if case .details(let uri) = subject, entries.first?.item.uri != uri.uri { return false }
    return entries.allSatisfy { entry in
      guard let uri = try? CatalogItemURI(entry.item.uri) else { return false }
      return uri.uri == entry.item.uri && uri.scheme == provider && uri.kind == entry.item.kind
        && entry.item.provider == provider.rawValue
    }
  }
}
