import SegueSystem
import SegueTestKit
import SegueWire
import Testing

@testable import SegueCatalogProviders

/// The responses of `CatalogSample`, and providers.
enum Sample {
  /// Returns a response with the body of a file and the content type of iTunes.
  static func file(
    _ name: String, status: Int = 200, contentType: String = "text/javascript; charset=utf-8"
  ) throws -> CatalogResponse {
    response(try CatalogSample.text(name, port: 80), status: status, contentType: contentType)
  }

  static func response(
    _ text: String, status: Int = 200, contentType: String = "application/json", retryAfter: String? = nil
  ) -> CatalogResponse {
    CatalogResponse(
      status: status, contentType: contentType, retryAfter: retryAfter, body: Array(text.utf8),
      received: UnixTime(nanoseconds: 0))
  }

  static let itunes = ITunesProvider(CatalogConfiguration())
  static let radio = RadioBrowserProvider(CatalogConfiguration())
  static let tmdb: TMDbProvider = {
    var configuration = CatalogConfiguration()
    configuration.tokens[.tmdb] = try? CatalogToken("secret")
    return TMDbProvider(configuration)
  }()
}

extension CatalogItem {
  /// Returns the value of a fact; nil if the item does not have it.
  func fact(_ name: Fact.Name) -> String? { facts.first { $0.name == name }?.value }
}

/// Expects that an expression throws a failure of a kind, and returns the failure.
@discardableResult
func expectFailure<Value>(
  _ kind: Failure.Kind, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Value
) -> Failure? {
  let failure = thrown(Failure.self, by: body)
  #expect(failure?.kind == kind, sourceLocation: sourceLocation)
  return failure
}
