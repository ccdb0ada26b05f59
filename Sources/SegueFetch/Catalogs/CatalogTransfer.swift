internal import SegueCatalogProviders
internal import SegueSystem
internal import SegueWire
internal import SegueWorkerProtocol

/// The transfer for one request of the daemon: it collects the response, parses it, and writes the result to a memory
/// file. A picture goes directly into the memory file.
final class CatalogTransfer {
  /// The purpose of a transfer.
  enum Purpose {
    case query(CatalogQuery, any CatalogProvider, known: CatalogVersion?)
    case picture(url: String, namedBy: AddressScope)
  }

  private let id: UInt32
  private let purpose: Purpose
  private let file: SharedMemoryFile
  private let client: HTTPClient
  private var onEnd: ((CatalogFetchResponse) -> Void)?
  private var transfer: Transfer?
  private var head: HTTPHead?
  /// The body of the response to a query.
  private var body: [UInt8] = []

  /// Sends the request. `onEnd` is called once with the response, never before this returns.
  init(
    _ id: UInt32, _ purpose: Purpose, into file: SharedMemoryFile, client: HTTPClient,
    onEnd: @escaping (CatalogFetchResponse) -> Void
  ) throws(Failure) {
    self.id = id
    self.purpose = purpose
    self.file = file
    self.client = client
    self.onEnd = onEnd
    transfer = try client.start(try purpose.request(), delegate: self)
  }

  /// Ends the transfer without a response.
  func cancel() {
    onEnd = nil
    if let transfer { client.cancel(transfer) }
    transfer = nil
  }

  private func end(with response: CatalogFetchResponse) {
    let onEnd = onEnd
    cancel()
    onEnd?(response)
  }

  private func fail(_ failure: Failure) { end(with: .failed(id: id, failure)) }

  /// Handles the complete response.
  private func complete(_ head: HTTPHead) {
    do throws(Failure) {
      switch purpose {
      case .query(let query, let provider, let known):
        var origin = CatalogOrigin(
          version: CatalogVersion(etag: head["etag"], lastModified: head["last-modified"]), scope: head.scope,
          lifetime: head["cache-control"].flatMap(CacheControl.maximumAge))
        if head.status == 304, let known {
          origin.version = origin.version ?? known
          return end(with: .unchanged(id: id, origin))
        }
        let result = try provider.result(
          of: query,
          from: CatalogResponse(
            status: head.status, contentType: head["content-type"], retryAfter: head["retry-after"], body: body))
        var json = JSONWriter()
        result.encode(into: &json)
        let written = json.withBytes { bytes in Result { () throws(Failure) in try write(bytes) } }
        try written.get()
        end(with: .result(id: id, size: json.count, origin))
      case .picture:
        guard head.status == 200 else {
          let failure = TransferError(status: head.status, host: host(of: head), retryAfter: nil).failure
          throw Failure(
            failure.kind, failure.localizableMessage,
            retryAfter: head["retry-after"].flatMap { RetryAfter.time($0, now: .now) } ?? RetryAfter.standard)
        }
        guard head.mediaType?.hasPrefix("text/") != true else {
          throw Failure(.badResponse, "\(host(of: head)): a web page instead of a picture")
        }
        end(with: .picture(id: id, size: file.count))
      }
    } catch {
      fail(error)
    }
  }

  private func host(of head: HTTPHead) -> String { URLText.authority(of: head.url) ?? head.url }

  private func write(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    guard file.write(bytes) else {
      throw Failure(.tooLarge, "the response has \(bytes.count) bytes; the maximum is \(file.size)")
    }
  }
}

extension CatalogTransfer: TransferDelegate {
  func transfer(_ transfer: Transfer, received head: HTTPHead) -> Bool {
    self.head = head
    body = []
    file.removeAll()
    return true
  }

  func transfer(_ transfer: Transfer, received bytes: UnsafeRawBufferPointer) -> Bool {
    switch purpose {
    case .query:
      guard body.count + bytes.count <= CatalogResponse.maximumBodySize else {
        fail(Failure(.badResponse, "the response has more than \(CatalogResponse.maximumBodySize) bytes"))
        return true
      }
      body += bytes
    case .picture:
      if !file.append(bytes) { fail(Failure(.badResponse, "the picture has more than \(file.size) bytes")) }
    }
    return true
  }

  func transfer(_ transfer: Transfer, ended result: Result<Void, TransferError>) {
    self.transfer = nil
    switch result {
    case .success:
      if let head { complete(head) } else { fail(Failure(.badResponse, "an empty response")) }
    case .failure(let error): fail(error.failure)
    }
  }
}

extension CatalogTransfer.Purpose {
  /// Creates the purpose of a request. Throws `invalid_params` if there is no such provider.
  init(_ request: CatalogFetchRequest) throws(Failure) {
    switch request {
    case .query(_, let query, let name, let configuration, let known):
      guard let provider = CatalogProviders(configuration)[name] else {
        throw Failure(.invalidParams, "there is no catalogue “\(name)”")
      }
      self = .query(query, provider, known: known)
    case .picture(_, let url, let scope): self = .picture(url: url, namedBy: scope)
    case .cancel: throw Failure(.internalError, "there is nothing to fetch")
    }
  }

  /// The time within which the whole response must arrive. A list is shown without a picture that is late.
  private var timeout: MediaTime {
    switch self {
    case .query: .seconds(10)
    case .picture: .seconds(5)
    }
  }

  func request() throws(Failure) -> HTTPRequest {
    switch self {
    case .query(let query, let provider, let known):
      let request = try provider.request(for: query)
      var headers: [String] = []
      // libcurl does not send this field to another host to which a redirect leads.
      if let token = request.token { headers.append("Authorization: Bearer \(token.secret)") }
      if let etag = known?.etag { headers.append("If-None-Match: \(etag)") }
      if let time = known?.lastModified { headers.append("If-Modified-Since: \(time)") }
      // The daemon lets a token be sent without encryption to this machine only. A proxy may be on another one.
      let isDirect = request.token != nil && !request.url.lowercased().hasPrefix("https:")
      return HTTPRequest(
        target: NamedURL(url: request.url), headers: headers, isDirect: isDirect, timeout: timeout,
        acceptsCompression: true, acceptsEveryStatus: true)
    case .picture(let url, let scope):
      guard let url = URLText.normalized(url) else {
        throw Failure(.badResponse, "the address of the picture is not a URL of http or https")
      }
      return HTTPRequest(
        target: NamedURL(url: url, namedBy: scope), timeout: timeout, acceptsCompression: true, acceptsEveryStatus: true
      )
    }
  }
}
