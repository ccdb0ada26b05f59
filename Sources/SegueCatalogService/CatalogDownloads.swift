// Thread: the loop.

internal import Glibc
internal import SegueCatalogProviders
internal import SegueLoop
internal import SegueSystem
internal import SegueWire
internal import SegueWorkerProtocol

/// The downloads of results and pictures. It limits the rate of requests to each host, and downloads a result once for
/// all queries that wait for it.
@MainActor
final class CatalogDownloads {
  typealias Completion<Value> = CatalogService.Completion<Value>

  private let loop: EventLoop
  private let fetcher: CatalogFetcher
  private let cache: CatalogCache
  private let collate: CatalogService.Collate
  private var limiter = RateLimiter()
  /// The downloads of results that are under way, by the keys of the results.
  private var results: [String: ResultDownload] = [:]
  /// The ids of the requests for pictures, by the numbers of the downloads.
  private var pictures: [Int: UInt32] = [:]

  private struct ResultDownload {
    var id: UInt32?
    /// The queries that wait for the result, by their numbers.
    var waiting: [Int: Completion<CatalogAnswer>] = [:]
  }

  init(
    loop: EventLoop, connection: CatalogConnection, cache: CatalogCache, collate: @escaping CatalogService.Collate
  ) throws(SystemError) {
    self.loop = loop
    self.cache = cache
    self.collate = collate
    fetcher = try CatalogFetcher(loop: loop, connection: connection)
  }

  /// Throws the reason why no request may be sent to a host.
  /// - Parameter reserved: The share of the permitted requests that are kept for others, from 0 to 1.
  private func checkHost(
    _ host: String, _ limit: CatalogRateLimit, reserving reserved: Double = 0, _ title: String,
    _ requestClass: CatalogFetcher.RequestClass
  ) throws(Failure) {
    guard !fetcher.isBusy(requestClass) else {
      throw Failure(.busy, "too many requests to online catalogues at a time")
    }
    if !NetworkProxy.isConfigured, NetworkRoute.isMissing(to: host) {
      throw Failure(.offline, "\(title): no connection to the network")
    }
    if let wait = limiter.take(host, limit, reserving: reserved, at: .now) {
      throw .rateLimit(of: title, for: wait)
    }
  }

  /// Ends the wait of a query or the download of a picture. Its completion is not called any more.
  func cancel(_ number: Int) {
    if let id = pictures.removeValue(forKey: number) { return fetcher.cancel(id) }
    for (key, download) in results where download.waiting[number] != nil {
      results[key]?.waiting[number] = nil
      guard download.waiting.count == 1 else { return }
      if let id = download.id { fetcher.cancel(id) }
      results[key] = nil
    }
  }

  // MARK: Results

  /// Downloads the result of a query, or waits for a download that is under way.
  /// - Parameters:
  ///   - known: The result in the cache, which the server may confirm.
  ///   - number: The number with which the wait is cancelled.
  ///   - isSuggestion: Whether the query leaves half of the permitted requests to others.
  func start(
    _ job: CatalogService.Job, known: CachedResult?, _ number: Int, isSuggestion: Bool,
    then: @escaping Completion<CatalogAnswer>
  ) {
    if results[job.key] != nil {
      results[job.key]?.waiting[number] = then
      return
    }
    do throws(Failure) {
      try checkHost(
        job.host, job.provider.rateLimit, reserving: isSuggestion ? 0.5 : 0, job.provider.title, .queries)
    } catch {
      return then(.failure(error))
    }
    results[job.key] = ResultDownload(waiting: [number: then])
    let id = fetcher.send(
      .queries, job.request.url, size: CatalogFetchRequest.maximumResultSize,
      { id in
        .query(
          id: id, job.query, provider: job.provider.name, job.configuration, known: known?.origin.version)
      }, then: { [weak self] in self?.handle($0, of: job, known) })
    results[job.key]?.id = id
  }

  private func handle(
    _ result: Result<(response: CatalogFetchResponse, file: SharedDescriptor), Failure>, of job: CatalogService.Job,
    _ known: CachedResult?
  ) {
    switch result {
    case .failure(let failure): finish(job, .failure(failure))
    case .success((.failed(_, let failure), _)):
      pause(job.host, job.provider.rateLimit, after: failure)
      finish(job, .failure(failure))
    case .success((.unchanged(_, let origin), _)):
      guard var known else {
        return finish(job, .failure(Failure(.badResponse, "\(job.provider.title): an unexpected response")))
      }
      // The streams and pictures were named by the server that sent the body.
      (known.origin.version, known.received) = (origin.version, .now)
      known.origin.lifetime = origin.lifetime ?? known.origin.lifetime
      cache.confirm(job.key, known.origin, at: known.received)
      finish(job, .success(job.answer(known)))
    case .success((.result(_, let size, let origin), let file)):
      cache.read(size, from: file, of: job.query.subject, from: job.provider.scheme) {
        [mailbox = loop.mailbox, weak self] result in
        mailbox.post { self?.handle(result, origin, of: job) }
      }
    case .success((.picture, _)):
      finish(job, .failure(Failure(.badResponse, "\(job.provider.title): an unexpected response")))
    }
  }

  /// Sends no requests to a host for the time that it has asked for.
  private func pause(_ host: String, _ limit: CatalogRateLimit, after failure: Failure) {
    if let wait = failure.retryAfter { limiter.pause(host, for: wait, limit, at: .now) }
  }

  private func handle(
    _ result: Result<CatalogResult, Failure>, _ origin: CatalogOrigin, of job: CatalogService.Job
  ) {
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

  private func store(_ result: CatalogResult, _ origin: CatalogOrigin, of job: CatalogService.Job) {
    let cached = CachedResult(result: result, origin: origin, received: .now, store: job.store)
    if job.freshness.standard > .zero { cache.store(job.key, cached) }
    finish(job, .success(job.answer(cached)))
  }

  private func finish(_ job: CatalogService.Job, _ result: Result<CatalogAnswer, Failure>) {
    let download = results.removeValue(forKey: job.key)
    for (_, then) in download?.waiting.sorted(by: { $0.key < $1.key }) ?? [] { then(result) }
  }

  // MARK: Pictures

  /// Downloads a picture. `number`: the number with which the download is cancelled.
  func download(_ picture: CatalogPicture, _ number: Int, then: @escaping Completion<CatalogService.Picture>) {
    let host = CatalogService.host(of: picture.url)
    do throws(Failure) {
      // Pictures come from other servers than results, which do not state a limit.
      try checkHost(host, .pictures, picture.provider, .pictures)
    } catch {
      return then(.failure(error))
    }
    // `then` may be called before `send` returns.
    var isFinished = false
    let id = fetcher.send(
      .pictures, picture.url, size: picture.maximumSize,
      { .picture(id: $0, url: picture.url, namedBy: picture.scope) },
      then: { [weak self] result in
        isFinished = true
        self?.pictures[number] = nil
        if case .success((.failed(_, let failure), _)) = result { self?.pause(host, .pictures, after: failure) }
        then(
          result.flatMap { response, file in
            switch response {
            case .picture(_, let size) where size <= picture.maximumSize:
              .success(CatalogService.Picture(file: file, size: size))
            case .failed(_, let failure): .failure(failure)
            case .picture, .result, .unchanged: .failure(Failure(.badResponse, "an unexpected response"))
            }
          })
      })
    if !isFinished { pictures[number] = id }
  }
}

extension CatalogRateLimit {
  /// The limit for servers of pictures. A page of 20 items needs 20 pictures at once.
  fileprivate static let pictures = CatalogRateLimit(requests: 100, interval: .seconds(10))
}

/// The proxies that the environment names for the fetch process.
enum NetworkProxy {
  /// Whether there is a proxy, through which hosts are reached that have no route.
  static let isConfigured = WorkerRole.proxyVariables.contains { getenv($0).map { $0.pointee != 0 } ?? false }
}
