import SegueCatalogProviders
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

@testable import SegueCatalogService

/// Tests of the keys under which the cache stores results.
@Suite struct CatalogKeyTests {
  /// Queries with one key share a result in the cache, and a download that is under way.
  @Test func queriesWithOneKey_haveEqualResults() throws {
    var shared = 0
    let jobs = try jobs()
    for (first, second) in pairs(of: jobs) where first.key == second.key {
      shared += 1
      for response in try responses() {
        #expect(
          outcome(of: first, response) == outcome(of: second, response),
          "\(first.query.subject) and \(second.query.subject)")
      }
    }
    #expect(shared > 0, "a search and its suggestions are one request to TMDb")
  }

  /// All queries of one id that the providers support.
  private func jobs() throws -> [CatalogService.Job] {
    var configuration = CatalogConfiguration()
    for scheme in CatalogItemURI.Scheme.allCases { configuration.tokens[scheme] = try CatalogToken("t") }
    var subjects: [CatalogQuery.Subject] = [.people, .search(nil, "abc")]
    for kind in CatalogItem.Kind.allCases {
      subjects += [.search(kind, "abc"), .suggest(kind, "abc"), .popular(kind, genre: nil)]
    }
    for scheme in CatalogItemURI.Scheme.allCases {
      for kind in scheme.kinds {
        let id = scheme == .radio ? "aaaaaaaa-0000-4000-8000-000000000001" : "\(kind.rawValue):6"
        subjects.append(.details(try CatalogItemURI("\(scheme.rawValue):\(id)")))
      }
    }
    return try CatalogProviders(configuration).all.flatMap { provider in
      try subjects.filter(provider.supports).map { subject in
        let query = CatalogQuery(subject, country: "us", page: PageRequest(limit: 20))
        return CatalogService.Job(
          query: query, provider: provider, request: try provider.request(for: query), configuration: configuration,
          freshness: Freshness(standard: .zero, maximum: .zero), staleLifetime: .zero)
      }
    }
  }

  private func pairs(of jobs: [CatalogService.Job]) -> [(CatalogService.Job, CatalogService.Job)] {
    jobs.indices.flatMap { first in jobs[(first + 1)...].map { (jobs[first], $0) } }
  }

  private func responses() throws -> [CatalogResponse] {
    let samples = try [
      "radio_stations.json", "rss_topsongs_45.json", "search_albums_unsorted.json", "tmdb_films.json",
      "tmdb_people.json",
    ].map { try CatalogSample.text($0, port: 80) }
    // The ids of songs, films and audiobooks may be equal.
    let lookup = """
      {"results":[{"kind":"song","trackId":6,"trackName":"s"},{"kind":"feature-movie","trackId":6,"trackName":"f"},
      {"wrapperType":"audiobook","collectionId":6,"collectionName":"b"}]}
      """
    return (samples + [lookup, CatalogSample.albumChart]).map { CatalogResponse(status: 200, body: Array($0.utf8)) }
  }

  /// Returns the result of a query, or the reason why there is none.
  private func outcome(of job: CatalogService.Job, _ response: CatalogResponse) -> Result<CatalogResult, Failure> {
    Result { () throws(Failure) in try job.provider.result(of: job.query, from: response) }
  }
}
