internal import Glibc

/// The locale of sort orders (setlocale(3)). Only its name is read, and no locale is loaded.
enum UserLocale {
  /// A name such as `de_DE`; empty for C and POSIX.
  static let name: String = {
    for variable in ["LC_ALL", "LC_COLLATE", "LANG"] {
      guard let value = getenv(variable), value.pointee != 0 else { continue }
      let name = String(cString: value).prefix { $0 != "." && $0 != "@" }
      return name == "C" || name == "POSIX" ? "" : String(name.prefix(32))
    }
    return ""
  }()

  static let language = String(name.prefix { $0 != "_" })

  static let isTraditionalChinese = name.hasSuffix("_TW") || name.hasSuffix("_HK") || name.hasSuffix("_MO")
}
