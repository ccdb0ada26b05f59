import SegueSystem
import SegueWire
import SegueWorkerProtocol

@testable import SegueCatalogProviders

/// Parses the input as a response of every provider to every kind of query, and as a message or a result of the fetch
/// process. The first line of the input is the status and the second one the header Retry-After.
func fuzzCatalog(_ input: UnsafeRawBufferPointer) {
  let lines = input.split(separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false)
  guard lines.count == 3 else { return }
  let response = CatalogResponse(
    status: Int(String(decoding: lines[0], as: UTF8.self)) ?? 200,
    retryAfter: String(decoding: lines[1], as: UTF8.self), body: Array(lines[2]), received: UnixTime(nanoseconds: 0))
  for (provider, query) in queries {
    if let result = try? provider.result(of: query, from: response) { check(result) }
  }
  _ = CatalogFetchRequest(LinkPacket(bytes: response.body))
  _ = CatalogFetchResponse(LinkPacket(bytes: response.body))
  if let json = try? JSON(parsing: response.body, maximumValueCount: CatalogResponse.maximumValueCount) {
    check(CatalogResult(json))
  }
}

private let queries: [(any CatalogProvider, CatalogQuery)] = {
  var configuration = CatalogConfiguration()
  for scheme in CatalogItemURI.Scheme.allCases { configuration.tokens[scheme] = try! CatalogToken("t") }
  var subjects: [CatalogQuery.Subject] = [.people, .search(nil, "abc")]
  for kind in CatalogItem.Kind.allCases { subjects += [.search(kind, "abc"), .popular(kind, genre: nil)] }
  for scheme in CatalogItemURI.Scheme.allCases {
    for kind in scheme.kinds {
      let id = scheme == .radio ? "aaaaaaaa-0000-4000-8000-000000000001" : "\(kind.rawValue):1"
      let uri = try! CatalogItemURI("\(scheme.rawValue):\(id)")
      subjects += [.details(uri), .played(uri)]
    }
  }
  return CatalogProviders(configuration).all.flatMap { provider in
    subjects.filter(provider.supports).map { (provider, CatalogQuery($0, page: PageRequest(offset: 20, limit: 20))) }
  }
}()

private func check(_ result: CatalogResult) {
  precondition(result.entries.count <= CatalogResult.maximumCount, "too many entries")
  precondition(result.total.map { $0 >= result.entries.count } ?? true, "fewer items in all than in the response")
  for entry in result.entries {
    precondition(entry.item == entry.item.bounded, "an item beyond the limits")
    precondition(!entry.item.title.isEmpty, "an item without a title")
  }
  var json = JSONWriter()
  result.encode(into: &json)
  guard let parsed = try? JSON(parsing: json.bytes) else { preconditionFailure("a result that is not JSON") }
  precondition(CatalogResult(parsed).entries.count == result.entries.count, "another result after decoding")
}
