internal import Glibc
public import SegueCatalogProviders
internal import SegueWire

/// The settings of the online catalogues.
public struct CatalogSettings: Equatable, Sendable {
  /// The base URLs of the providers. It has no tokens, which are not settings.
  public var configuration = CatalogConfiguration()
  /// The country of the stores; nil for that of the user's locale.
  public var country: String?
  /// The language of texts; nil for that of the user's locale.
  public var language: String?
  /// The genre of popular films if a request names none; nil or a genre that does not exist, such as `all`, for all.
  public var filmGenre: String?

  public init() {}

  /// The country of the stores; nil if there is none, and the provider chooses one.
  var effectiveCountry: String? { country ?? Self.locale.flatMap(CatalogLocale.country) }

  /// The language of texts; nil if there is none, and the provider chooses one.
  var effectiveLanguage: String? { language ?? Self.locale }

  /// The name of the user's locale in the environment (locale(7)); nil if there is none, or one without a language.
  private static let locale: String? = {
    for variable in ["LC_ALL", "LC_MESSAGES", "LANG"] {
      guard let value = getenv(variable), value.pointee != 0 else { continue }
      // A malformed name would make every query fail.
      return (try? CatalogLocale(of: CatalogQuery(.people, language: String(cString: value))))?.tag
    }
    return nil
  }()
}
