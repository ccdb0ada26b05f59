import SegueCatalogProviders
import SegueSystem
import SegueWire
import Testing

@Suite struct CatalogProvidersTests {
  /// The declaration of the protocol names these providers, because `SegueWire` does not know `SegueCatalogProviders`.
  @Test func protocolAcceptsTokens_ofExactlyTheProvidersThatNeedThem() {
    let providers = CatalogProviders().all.filter(\.needsToken).map(\.scheme.rawValue)
    #expect(providers == TokenProvider.allCases.map(\.rawValue))
  }
}
