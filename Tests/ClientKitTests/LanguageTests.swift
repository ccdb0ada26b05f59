import SegueSystem
import SegueTestKit
import SegueWire
import Testing

@testable import SegueClientKit

/// Tests of the choice of the language by the environment.
@Suite struct LanguageTests {
  @Test(
    arguments: [
      (["LANG": "ru_RU.UTF-8"], ["ru_RU"]),
      (["LANG": "de_DE.UTF-8", "LC_MESSAGES": "ru_RU.utf8"], ["ru_RU"]),
      (["LANG": "de_DE.UTF-8", "LC_ALL": "ru_RU.UTF-8", "LC_MESSAGES": "C"], ["ru_RU"]),
      (["LANG": "sr_RS.UTF-8@latin"], ["sr_RS@latin"]),
      // LANGUAGE precedes the locale, up to the language in which the messages are written.
      (["LANG": "de_DE.UTF-8", "LANGUAGE": "uk:ru"], ["uk", "ru", "de_DE"]),
      (["LANG": "de_DE.UTF-8", "LANGUAGE": "uk:en_GB:ru"], ["uk"]),
      (["LANG": "en_US.UTF-8", "LANGUAGE": "ru"], ["ru"]),
      (["LANG": "C.UTF-8", "LANGUAGE": "ru"], ["ru"]),
      (["LANG": "en_US.UTF-8"], []),
      (["LANG": "C.UTF-8"], []),
      // The locales C and POSIX are English, even if LANGUAGE names another language.
      (["LANG": "ru_RU.UTF-8", "LC_ALL": "C", "LANGUAGE": "ru"], []),
      (["LANG": "POSIX", "LANGUAGE": "ru"], []),
      (["LANGUAGE": "ru"], []),
      ([:], []),
      // A terminal without UTF-8 cannot display translations.
      (["LANG": "ru_RU.KOI8-R"], []),
      (["LANG": "ru_RU.UTF-8", "LC_CTYPE": "C"], []),
    ] as [([String: String], [String])])
  func languages_followTheEnvironment(_ environment: [String: String], _ expected: [String]) {
    #expect(Language.preferred { environment[$0] } == expected)
  }
}
