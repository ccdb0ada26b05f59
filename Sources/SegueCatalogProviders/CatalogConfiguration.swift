public import SegueWire

/// The base URLs of the providers, which are settings, and the tokens of the user.
public struct CatalogConfiguration: Hashable, Sendable {
  /// The base URLs that are not the standard ones: a configuration in which one was set to its standard is equal to one
  /// in which it was not set.
  private var baseURLs: [BaseURLSetting: BaseURL] = [:]
  /// The tokens that the user has, by the schemes of their providers.
  public var tokens: [CatalogItemURI.Scheme: CatalogToken] = [:]

  public init() {}

  public subscript(setting: BaseURLSetting) -> BaseURL {
    get { baseURLs[setting] ?? setting.standard }
    set { baseURLs[setting] = newValue == setting.standard ? nil : newValue }
  }
}
