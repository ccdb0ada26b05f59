// Thread: the loop, which never waits: the cache works on a thread of its own, and the fetch process answers later.

public import SegueCatalog
internal import SegueLink
public import SegueLoop
public import SegueSystem
public import SegueWire

/// The online catalogues: it answers queries from the cache, or through the fetch process.
@MainActor
public final class CatalogService {
  public typealias Completion<Value> = @MainActor (Result<Value, Failure>) -> Void

  /// A function that returns a sort key for each of some titles, or nil if there are none.
  public typealias Collate = @MainActor ([String], @escaping @MainActor ([[UInt8]]?) -> Void) -> Void

  public var settings = CatalogSettings() {
    didSet { providers = CatalogProviders(configuration) }
  }
  /// The token of TMDb; nil if the user has none.
  var token: CatalogToken? {
    didSet { providers = CatalogProviders(configuration) }
  }
  private(set) var providers = CatalogProviders()

  let loop: EventLoop
  let fetcher: CatalogFetcher
  let tokenFile: CatalogTokenFile
  let cache: CatalogCache
  private let collate: Collate
  private var limiter = RateLimiter()
  /// The downloads of results that are under way, by the keys of the results.
  private var downloads: [String: Download] = [:]
  private var lastNumber = 0
  /// The numbers of the queries that wait for the cache.
  private var waiting: Set<Int> = []
  let suggestions = SuggestionTable()

  /// The time for which an outdated result is returned if the provider cannot be reached.
  private static let maximumStaleness = MediaTime.seconds(7 * 86_400)

  /// A query with its request to a provider.
  struct Job {
    let query: CatalogQuery
    let provider: any CatalogProvider
    let request: CatalogRequest
    /// How old a result may be that is returned without asking the provider.
    let lifetime: MediaTime
    /// How old a result may be that is returned if the provider cannot be reached.
    let staleLifetime: MediaTime
  }

  private struct Download {
    var id: UInt32?
    /// The requests that wait for the result, by their numbers.
    var waiting: [Int: Completion<CatalogAnswer>] = [:]
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
    self.collate = collate
    cache = CatalogCache(path: cacheFolder.appending("catalog.db"))
    fetcher = try CatalogFetcher(loop: loop, connection: connection)
    tokenFile = CatalogTokenFile(folder: tokenFolder)
    reloadToken()
  }

  /// Does everything that was requested, and closes the cache.
  public func close() {
    cache.close()
    tokenFile.close()
  }

  private var configuration: CatalogConfiguration {
    var configuration = settings.configuration
    configuration.tmdbToken = token
    return configuration
  }

  // MARK: Providers

  public var providerList: CatalogProviderList { CatalogProviderList(providers: providers.all.map(\.info)) }

  /// Returns the genres of a kind, of one provider or of all.
  public func genres(of kind: Item.Kind, from name: String?) throws(Failure) -> CatalogGenreList {
    let chosen = try name.map { name throws(Failure) in [try provider(named: name)] } ?? providers.all
    return CatalogGenreList(genres: chosen.flatMap { $0.genres(of: kind) })
  }

  private func provider(named name: String) throws(Failure) -> any CatalogProvider {
    guard let provider = providers[name] else {
      let names = providers.all.map(\.name).joined(separator: ", ")
      throw Failure(.notFound, "there is no catalogue \"\(name)\"; there are \(names)")
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
  public func standardGenre(of kind: Item.Kind, from name: String?) -> String? {
    guard kind == .film, let genre = settings.filmGenre,
      let provider = try? provider(named: name, for: .popular(kind, genre: nil))
    else { return nil }
    return try? provider.genre(genre, of: kind).id
  }

  // MARK: Queries

  /// Answers a query.
  /// - Parameters:
  ///   - name: The provider; nil for one that can answer the query.
  ///   - country: The country; nil for the one in the settings.
  ///   - refresh: Whether the provider is asked even if there is a fresh result in the cache.
  public func answer(
    _ subject: CatalogQuery.Subject, from name: String? = nil, country: String? = nil, page: PageRequest? = nil,
    refresh: Bool = false, then: @escaping Completion<CatalogAnswer>
  ) {
    do throws(Failure) {
      let job = try job(subject, from: name, country: country, page: page)
      let pages = job.provider.pages(of: job.query)
      if pages.count > 1 {
        let jobs = try pages.map { page throws(Failure) in
          try self.job(subject, from: name, country: country, page: page)
        }
        return answer(jobs, covering: job.query.page, refresh: refresh, then: then)
      }
      answer(job, refresh: refresh, then: then)
    } catch {
      fail(error, then)
    }
  }

  /// Reports a failure in a later iteration of the loop: a caller may ask for one item after another, thousands of them.
  func fail(_ failure: Failure, _ then: @escaping Completion<CatalogAnswer>) {
    loop.mailbox.post { then(.failure(failure)) }
  }

  func job(
    _ subject: CatalogQuery.Subject, from name: String? = nil, country: String? = nil, page: PageRequest? = nil,
    lifetime: MediaTime? = nil, staleLifetime: MediaTime? = nil
  ) throws(Failure) -> Job {
    let provider = try provider(named: name, for: subject)
    let query = CatalogQuery(
      subject, country: country ?? (provider.hasStores ? settings.effectiveCountry : nil),
      language: settings.effectiveLanguage, page: page)
    return Job(
      query: query, provider: provider, request: try provider.request(for: query),
      lifetime: lifetime ?? provider.lifetime(of: subject), staleLifetime: staleLifetime ?? Self.maximumStaleness)
  }

  /// Answers a query. Returns a number with which the wait for the provider can be cancelled.
  @discardableResult
  func answer(_ job: Job, refresh: Bool, then: @escaping Completion<CatalogAnswer>) -> Int {
    lastNumber += 1
    let number = lastNumber
    waiting.insert(number)
    cache.find(job.key) { [mailbox = loop.mailbox, weak self] found in
      mailbox.post {
        guard let self, self.waiting.remove(number) != nil else { return }
        self.handle(found, job, refresh: refresh, number, then)
      }
    }
    return number
  }

  /// Ends a query. Its completion is not called any more.
  func cancel(_ number: Int) {
    waiting.remove(number)
    for (key, download) in downloads where download.waiting[number] != nil {
      downloads[key]?.waiting[number] = nil
      guard download.waiting.count == 1 else { return }
      if let id = download.id { fetcher.cancel(id) }
      downloads[key] = nil
    }
  }

  private func handle(
    _ found: CachedResult?, _ job: Job, refresh: Bool, _ number: Int, _ then: @escaping Completion<CatalogAnswer>
  ) {
    if !refresh, let found, let answer = job.answer(found, within: job.lifetime, isStale: false) {
      return then(.success(answer))
    }
    let complete: Completion<CatalogAnswer> = { result in
      // The clock may have been set back, so the age is computed again.
      guard case .failure(let failure) = result, failure.isOfNetwork, let found,
        let stale = job.answer(found, within: job.staleLifetime, isStale: true)
      else { return then(result) }
      then(.success(stale))
    }
    if downloads[job.key] != nil {
      downloads[job.key]?.waiting[number] = complete
    } else {
      download(job, known: found, number, complete)
    }
  }

  // MARK: Downloads

  /// Throws the reason why no request may be sent to a host.
  func checkHost(_ host: String, _ limit: CatalogRateLimit, _ title: String) throws(Failure) {
    guard !fetcher.isBusy else { throw Failure(.busy, "too many requests to online catalogues at a time") }
    if !NetworkProxy.isConfigured, NetworkRoute.isMissing(to: host) {
      throw Failure(.offline, "\(title): no connection to the network")
    }
    if let wait = limiter.take(host, limit, at: .now) {
      throw Failure(
        .rateLimited, "\(title) limits the rate of requests; try again in \(Int(wait.seconds.rounded(.up))) s",
        retryAfter: wait)
    }
  }

  private func download(
    _ job: Job, known: CachedResult?, _ number: Int, _ then: @escaping Completion<CatalogAnswer>
  ) {
    do throws(Failure) {
      try checkHost(job.host, job.provider.rateLimit, job.provider.title)
    } catch {
      return then(.failure(error))
    }
    downloads[job.key] = Download(waiting: [number: then])
    // The fetch process gets a token only with the requests that need it.
    var configuration = settings.configuration
    configuration.tmdbToken = job.request.token
    let id = fetcher.send(
      job.request.url, size: CatalogFetchRequest.maximumResultSize,
      { id in
        .query(id: id, job.query, provider: job.provider.name, configuration, known: known?.origin.version)
      }, then: { [weak self] in self?.handle($0, of: job, known) })
    downloads[job.key]?.id = id
  }

  private func handle(
    _ result: Result<(response: CatalogFetchResponse, file: SharedDescriptor), Failure>, of job: Job,
    _ known: CachedResult?
  ) {
    switch result {
    case .failure(let failure): finish(job, .failure(failure))
    case .success((.failed(_, let failure), _)):
      if let wait = failure.retryAfter {
        limiter.pause(job.host, for: wait, job.provider.rateLimit, at: .now)
      }
      finish(job, .failure(failure))
    case .success((.unchanged(_, let origin), _)):
      guard var known else {
        return finish(job, .failure(Failure(.badResponse, "\(job.provider.title): an unexpected response")))
      }
      (known.origin, known.received) = (origin, .now)
      cache.confirm(job.key, origin, at: known.received)
      finish(job, .success(job.answer(known)))
    case .success((.result(_, let size, let origin), let file)):
      cache.read(size, from: file) { [mailbox = loop.mailbox, weak self] result in
        mailbox.post { self?.handle(result, origin, of: job) }
      }
    case .success((.picture, _)):
      finish(job, .failure(Failure(.badResponse, "\(job.provider.title): an unexpected response")))
    }
  }

  private func handle(_ result: Result<CatalogResult, Failure>, _ origin: CatalogOrigin, of job: Job) {
    switch result {
    case .failure(let failure): finish(job, .failure(failure))
    case .success(let result):
      guard job.isSorted, !result.entries.isEmpty else { return store(result, origin, of: job) }
      collate(result.entries.map(\.item.title)) { [weak self] keys in
        var sorted = result
        if let keys, keys.count == sorted.entries.count { sorted.sort(by: keys) }
        self?.store(sorted, origin, of: job)
      }
    }
  }

  private func store(_ result: CatalogResult, _ origin: CatalogOrigin, of job: Job) {
    let cached = CachedResult(result: result, origin: origin, received: .now)
    if job.lifetime > .zero { cache.store(job.key, cached) }
    finish(job, .success(job.answer(cached)))
  }

  private func finish(_ job: Job, _ result: Result<CatalogAnswer, Failure>) {
    let download = downloads.removeValue(forKey: job.key)
    for (_, then) in download?.waiting.sorted(by: { $0.key < $1.key }) ?? [] { then(result) }
  }
}

extension CatalogService.Job {
  /// The key of the result in the cache. It contains no secret.
  var key: String { "GET \(request.url) \(query.language ?? "")" }

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

  /// Returns the answer with a result that was received now.
  func answer(_ received: CachedResult) -> CatalogAnswer {
    CatalogAnswer(
      result: received.result, provider: provider, age: nil, isStale: false, scope: received.origin.scope)
  }
}

extension CatalogService {
  /// Returns the host of a URL, and its port if it has one; an empty string if it is not a URL.
  nonisolated static func host(of url: String) -> String {
    guard let start = url.range(of: "://")?.upperBound else { return "" }
    return String(url[start...].prefix { $0 != "/" && $0 != "?" && $0 != "#" })
  }
}

extension Failure {
  /// Whether the failure is one of the network or the server, so that an outdated result is better than none. A
  /// certificate that is not trusted is never ignored.
  fileprivate var isOfNetwork: Bool {
    [.offline, .timeout, .rateLimited, .badResponse, .unavailable, .busy].contains(kind)
  }
}
