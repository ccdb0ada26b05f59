// Thread: the loop, which never waits: the cache works on a thread of its own, and the fetch process answers later.

public import SegueCatalogProviders
public import SegueLoop
public import SegueSystem
public import SegueWire
internal import SegueWorkerProtocol

/// The online catalogues: it answers queries from the cache, or through the fetch process.
@MainActor
public final class CatalogService {
  public typealias Completion<Value> = @MainActor (Result<Value, Failure>) -> Void

  /// A function that returns a sort key for each of some titles, or nil if there are none.
  public typealias Collate = @MainActor ([String], @escaping @MainActor ([[UInt8]]?) -> Void) -> Void

  public var settings = CatalogSettings() {
    didSet { providers = CatalogProviders(configuration) }
  }
  /// The tokens that the user has.
  var tokens: [CatalogItemURI.Scheme: CatalogToken] = [:] {
    didSet { providers = CatalogProviders(configuration) }
  }
  private(set) var providers = CatalogProviders()

  let loop: EventLoop
  let downloads: CatalogDownloads
  let requests = CatalogRequestTable()
  let tokenFiles: CatalogTokenFiles
  let cache: CatalogCache
  /// The time for which an outdated result is returned if the provider cannot be reached.
  private static let maximumStaleness = MediaTime.seconds(7 * 86_400)

  /// A query with its request to a provider.
  struct Job {
    let query: CatalogQuery
    let provider: any CatalogProvider
    let request: CatalogRequest
    /// The configuration of the fetch process, with a token only if the request needs it.
    let configuration: CatalogConfiguration
    /// How old a result may be that is returned without asking the provider. A result that is never fresh is not
    /// stored.
    let freshness: Freshness
    /// How old a result may be that is returned if the provider cannot be reached.
    let staleLifetime: MediaTime
  }

  /// - Parameters:
  ///   - cacheFolder: The folder of the cache, which is created when it is needed.
  ///   - tokenFolder: The folder of the tokens.
  ///   - collate: A function that returns sort keys in the user's collation.
  public init(
    loop: EventLoop, cacheFolder: FilePath, tokenFolder: FilePath, connection: CatalogConnection,
    collate: @escaping Collate
  ) throws(SystemError) {
    self.loop = loop
    cache = CatalogCache(path: cacheFolder.appending("catalog.db"))
    downloads = try CatalogDownloads(loop: loop, connection: connection, cache: cache, collate: collate)
    tokenFiles = CatalogTokenFiles(folder: tokenFolder)
    reloadTokens()
  }

  /// Does everything that was requested, and closes the cache.
  public func close() {
    cache.close()
    tokenFiles.close()
  }

  private var configuration: CatalogConfiguration {
    var configuration = settings.configuration
    configuration.tokens = tokens
    return configuration
  }

  // MARK: Providers

  public var providerList: CatalogProviderList { CatalogProviderList(providers: providers.all.map(\.info)) }

  /// Returns the genres of a kind, of one provider or of all.
  public func genres(of kind: CatalogItem.Kind, from name: String?) throws(Failure) -> CatalogGenreList {
    let chosen = try name.map { name throws(Failure) in [try provider(named: name)] } ?? providers.all
    return CatalogGenreList(genres: chosen.flatMap { $0.genres(of: kind) })
  }

  private func provider(named name: String) throws(Failure) -> any CatalogProvider {
    guard let provider = providers[name] else {
      let names = providers.all.map(\.name).joined(separator: ", ")
      throw Failure(.notFound, "there is no catalogue “\(name)”; there are \(names)")
    }
    return provider
  }

  /// Returns the provider that a user has named, or one that can answer the query.
  func provider(named name: String?, for subject: CatalogQuery.Subject) throws(Failure) -> any CatalogProvider {
    if let name { return try provider(named: name) }
    switch subject {
    case .details(let uri), .played(let uri):
      guard let provider = providers[uri] else { throw Failure(.notFound, "\(uri.uri): no such catalogue") }
      return provider
    case .search, .suggest, .popular, .people: return try providers.provider(for: subject)
    }
  }

  /// Returns the genre of a chart of films if a request names none; nil for all genres, for other kinds, and if the
  /// provider does not have the genre in the settings.
  public func standardGenre(of kind: CatalogItem.Kind, from name: String?) -> String? {
    guard kind == .film, let genre = settings.filmGenre,
      let provider = try? provider(named: name, for: .popular(kind, genre: nil))
    else { return nil }
    return try? provider.genre(genre, of: kind).id
  }

  // MARK: Queries

  /// Answers a query. `then` is called in a later iteration of the loop.
  /// - Parameters:
  ///   - name: The provider; nil for one that can answer the query.
  ///   - country: The country; nil for the one in the settings.
  ///   - refresh: Whether the provider is asked even if there is a fresh result in the cache.
  public func answer(
    _ subject: CatalogQuery.Subject, from name: String? = nil, country: String? = nil, page: PageRequest? = nil,
    refresh: Bool = false, in group: CatalogRequestGroup? = nil, then: @escaping Completion<CatalogAnswer>
  ) {
    do throws(Failure) {
      let job = try job(subject, from: name, country: country, page: page)
      let pages = job.provider.pages(of: job.query)
      if pages.count > 1 {
        let jobs = try pages.map { page throws(Failure) in
          try self.job(subject, from: name, country: country, page: page)
        }
        return answer(jobs, covering: job.query.page, refresh: refresh, in: group, then: then)
      }
      answer(job, refresh: refresh, in: group, then: then)
    } catch {
      fail(error, then)
    }
  }

  /// Reports a failure in a later iteration of the loop: a caller may ask for one item after another, thousands of
  /// them.
  func fail<Value>(_ failure: Failure, _ then: @escaping Completion<Value>) {
    loop.mailbox.post { then(.failure(failure)) }
  }

  func job(
    _ subject: CatalogQuery.Subject, from name: String? = nil, country: String? = nil, page: PageRequest? = nil,
    lifetime: MediaTime = .maximum, staleLifetime: MediaTime? = nil
  ) throws(Failure) -> Job {
    let provider = try provider(named: name, for: subject)
    let query = CatalogQuery(
      subject, country: country ?? (provider.hasStores ? settings.effectiveCountry : nil),
      language: settings.effectiveLanguage, page: page)
    let request = try provider.request(for: query)
    try request.checkSecrecy()
    // The fetch process gets a token only with the requests that need it.
    var configuration = settings.configuration
    configuration.tokens[provider.scheme] = request.token
    return Job(
      query: query, provider: provider, request: request, configuration: configuration,
      freshness: Freshness(standard: provider.lifetime(of: subject), maximum: lifetime),
      staleLifetime: staleLifetime ?? Self.maximumStaleness)
  }

  /// Answers a query. `then` is called in a later iteration of the loop.
  /// - Parameter typingDelay: The time from now after which the provider is asked for suggestions; nil for a query that
  ///   is not one for suggestions.
  /// - Returns: A number with which the query can be cancelled.
  @discardableResult
  func answer(
    _ job: Job, refresh: Bool, in group: CatalogRequestGroup? = nil, typingDelay: MediaTime? = nil,
    then: @escaping Completion<CatalogAnswer>
  ) -> Int {
    let (number, complete) = begin(in: group, then: then)
    let start = typingDelay.map { MonotonicTime.now + $0 }
    var freshness = job.freshness
    if refresh { freshness.maximum = .zero }
    cache.find(job.key, job.query.page, freshness) { [mailbox = loop.mailbox, weak self] found in
      mailbox.post {
        guard let self, self.requests.contains(number) else { return }
        if let found, found.isPart, let answer = job.answer(found, within: .maximum, isStale: false) {
          return complete(.success(answer))
        }
        if let failure = group?.failure(of: job.provider) { return complete(job.answer(found, insteadOf: failure)) }
        let download: @MainActor () -> Void = { [weak self] in
          self?.downloads.start(job, known: found, number, isSuggestion: start != nil) { result in
            guard case .failure(let failure) = result else { return complete(result) }
            group?.record(failure, of: job.provider)
            complete(job.answer(found, insteadOf: failure))
          }
        }
        guard let start, start > .now else { return download() }
        self.requests.wait(number, until: start, on: self.loop, then: download)
      }
    }
    return number
  }

  /// Adds a request to the table and to its group.
  func begin<Value>(
    in group: CatalogRequestGroup?, then: @escaping Completion<Value>
  ) -> (number: Int, complete: Completion<Value>) {
    let (number, complete) = requests.add(in: group, then: then)
    let cancel: @MainActor @Sendable () -> Void = { [weak self] in
      self?.cancel(number, Failure(.unavailable, "the result is not needed any more"))
    }
    // A group that was cancelled ends nothing any more.
    if let group { if group.isCancelled { loop.mailbox.post(cancel) } else { group.add(number, cancel: cancel) } }
    return (number, complete)
  }

  /// Ends a request, which fails.
  func cancel(_ number: Int, _ failure: Failure) {
    downloads.cancel(number)
    requests.cancel(number, failure)
  }
}

extension CatalogService.Job {
  /// The country of the store that is asked; nil if the provider has no stores.
  var store: String? { provider.hasStores ? query.country : nil }

  /// The key of the result in the cache. It contains no secret.
  var key: String { "GET \(request.url) \(query.language ?? "") \(query.subject.resultKind)" }

  /// The host of the request.
  var host: String { CatalogService.host(of: request.url) }

  /// Whether the result is sorted by title: the albums of a search.
  var isSorted: Bool { if case .search(.album, _) = query.subject { true } else { false } }

  /// Returns the answer with a result in the cache; nil if the result is older than `lifetime`.
  func answer(_ found: CachedResult, within lifetime: MediaTime, isStale: Bool) -> CatalogAnswer? {
    // If the clock was set back, the age is unknown.
    let age = UnixTime.now - found.received
    guard age >= .zero, age < lifetime else { return nil }
    return CatalogAnswer(
      result: found.result, provider: provider, age: age, isStale: isStale, scope: found.origin.scope)
  }

  /// Returns an outdated answer if the provider could not be reached, and otherwise the failure. `found` is the result
  /// in the cache. The clock may have been set back since it was read, so its age is computed again.
  func answer(_ found: CachedResult?, insteadOf failure: Failure) -> Result<CatalogAnswer, Failure> {
    guard failure.isOfNetwork, let found, let stale = answer(found, within: staleLifetime, isStale: true) else {
      return .failure(failure)
    }
    return .success(stale)
  }

  /// Returns the answer with a result that was received now.
  func answer(_ received: CachedResult) -> CatalogAnswer {
    CatalogAnswer(
      result: received.result, provider: provider, age: nil, isStale: false, scope: received.origin.scope)
  }
}

extension CatalogRequest {
  /// Throws `denied` if the token would be sent unencrypted over a network.
  fileprivate func checkSecrecy() throws(Failure) {
    let host = CatalogService.host(of: url)
    guard token != nil, !url.lowercased().hasPrefix("https:"), !NetworkRoute.isLoopback(host) else { return }
    throw Failure(.denied, "\(host): the token is sent over https only")
  }
}

extension CatalogService {
  /// Returns the host of a URL, and its port if it has one; an empty string if it is not a URL.
  nonisolated static func host(of url: String) -> String {
    URLAuthority.text(of: url).map(String.init) ?? ""
  }
}

extension Failure {
  /// Whether the failure is one of the network or the server, so that an outdated result is better than none. A
  /// certificate that is not trusted is never ignored.
  var isOfNetwork: Bool {
    [.offline, .timeout, .rateLimited, .badResponse, .unavailable, .busy].contains(kind)
  }
}
