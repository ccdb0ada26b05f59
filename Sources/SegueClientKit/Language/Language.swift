internal import SegueSystem
internal import Synchronization

/// The language of the messages for people.
///
/// The translations are read by `Translations` instead of gettext(3): since version 2.39, the C library translates
/// nothing if no locale is installed but C.UTF-8, as in containers.
public enum Language {
  private enum Choice {
    /// The language of the environment, which has not been looked up yet.
    case environment
    /// The language of these translations; English without any.
    case translations(Translations?)
  }

  /// The language in use. Any thread may use it.
  private static let choice = Mutex(Choice.environment)

  /// Chooses the language with this name, such as `ru`. If it is nil or has no translations, the language is English.
  public static func select(_ name: String?) {
    let selected = name.flatMap { translations(for: [$0]) }
    choice.withLock { $0 = .translations(selected) }
  }

  /// Chooses the language of the environment.
  public static func selectEnvironment() { choice.withLock { $0 = .environment } }

  /// The codes of the languages with translations and that of English, sorted; only that of English on a terminal that
  /// could not display others.
  public static let available: [String] = {
    guard TerminalEnvironment.usesUTF8, let folder, let names = try? Folder.names(in: folder) else { return ["en"] }
    let codes = names.map { String(decoding: $0, as: UTF8.self) }.filter { translations(for: [$0]) != nil }
    return (codes.filter { $0 != "en" } + ["en"]).sorted()
  }()

  // TRANSLATORS: the name of your language in your language
  private static let ownName = trLater("English")

  /// Returns the name of a language in that language itself, or its code if its translations do not contain the name.
  public static func name(of code: String) -> String {
    code == "en" ? ownName : translations(for: [code])?.translation(of: ownName) ?? code
  }

  static func translation(of message: String) -> String? { current?.translation(of: message) }

  static func translation(of one: String, count: Int) -> String? { current?.translation(of: one, count: count) }

  /// The translations of the language in use; nil for English.
  private static var current: Translations? {
    choice.withLock { choice in
      switch choice {
      case .translations(let translations): return translations
      case .environment:
        let translations = translations(for: preferred(TerminalEnvironment.variable))
        choice = .translations(translations)
        return translations
      }
    }
  }

  /// Returns the names of the languages that the environment asks for, the preferred one first. English is an empty
  /// list.
  ///
  /// The locale is in `LC_ALL`, `LC_MESSAGES` or `LANG`; the locales C and POSIX are English, whatever `LANGUAGE`
  /// names. `LANGUAGE` is a list of languages that precede the language of the locale. Without UTF-8 there are no
  /// translations, because they could not be displayed.
  static func preferred(_ variable: (String) -> String?) -> [String] {
    guard TerminalEnvironment.usesUTF8(variable),
      let locale = variable("LC_ALL") ?? variable("LC_MESSAGES") ?? variable("LANG"), !isNeutral(locale)
    else { return [] }
    let names = variable("LANGUAGE")?.split(separator: ":").map(String.init) ?? []
    // The messages are written in English, so that no language after it is preferred to it.
    return Array((names + [locale]).map(withoutCharacterSet).prefix { !isEnglish($0) })
  }

  /// Returns `sr_RS@latin` for `sr_RS.UTF-8@latin`.
  private static func withoutCharacterSet(_ name: String) -> String {
    guard let dot = name.firstIndex(of: ".") else { return name }
    return String(name[..<dot]) + (name[dot...].firstIndex(of: "@").map { String(name[$0...]) } ?? "")
  }

  private static func isEnglish(_ name: String) -> Bool {
    let language = name.prefix { $0 != "_" && $0 != "@" }
    return language == "en" || isNeutral(String(language))
  }

  /// Whether a locale has no language, so that its messages are English.
  private static func isNeutral(_ locale: String) -> Bool { locale == "C" || locale == "POSIX" }

  /// Returns the translations for the first of the languages that has any.
  private static func translations(for names: [String]) -> Translations? {
    guard !names.isEmpty, let folder else { return nil }
    for name in names.lazy.flatMap(variants) {
      let path = folder.appending(name).appending("LC_MESSAGES").appending("segue.mo")
      if let translations = Translations(path) { return translations }
    }
    return nil
  }

  /// Returns the names under which translations may be installed, such as `pt_BR` and `pt`. A name is not trusted to be
  /// a file name.
  private static func variants(_ name: String) -> [String] {
    guard !name.contains("/"), !name.hasPrefix(".") else { return [] }
    let modifier = name.firstIndex(of: "@").map { String(name[$0...]) } ?? ""
    let locale = name.prefix { $0 != "@" }
    let language = String(locale.prefix { $0 != "_" })
    var names = [name]
    for variant in [language + modifier, String(locale), language] where !names.contains(variant) {
      names.append(variant)
    }
    return names
  }

  /// The folder of translations, `../share/locale` as seen from the folder of the program.
  private static var folder: FilePath? {
    CurrentProcess.programFolder?.parent.appending("share").appending("locale")
  }
}
