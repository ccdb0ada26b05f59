import SegueSystem
import SegueTestKit
import Testing

@testable import SegueFrontend

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

/// Tests of messages with placeholders. They change the language of the process.
@Suite(.serialized) struct MessageTests {
  init() throws {
    try BuiltTranslations.compile("ru")
    Language.select(nil)
  }

  @Test func placeholders_areReplacedByArgumentsInAnyOrder() {
    #expect(tr("%2$s by %1$s", "Кино", "Группа крови") == "Группа крови by Кино")
    #expect(tr("Volume %1$d%%", 80) == "Volume 80%")
    #expect(trn("%1$d track of %2$s", "%1$d tracks of %2$s", 1, "Кино") == "1 track of Кино")
    #expect(trn("%1$d track of %2$s", "%1$d tracks of %2$s", 0, "Кино") == "0 tracks of Кино")
  }

  @Test func placeholders_withoutAnArgumentStayAsTheyAre() {
    #expect(tr("%1$s %2$s %0$s", "a") == "a %2$s %0$s")
    #expect(tr("100% %s %x %1$ %1s %1$q %111$s %", "a") == "100% %s %x %1$ %1s %1$q %111$s %")
    #expect(tr("no placeholder", "a") == "no placeholder")
    #expect(tr("100%% %1$s") == "100%% %1$s")
  }

  @Test func arguments_areNotInterpretedAndBounded() {
    #expect(tr("%1$s", "%1$s %%") == "%1$s %%")
    #expect(tr("title: %1$s", "a\u{1B}[2J\u{202E}b\nc") == "title: a^[[2J<U+202E>b^Jc")
    #expect(tr("%1$s", String(repeating: "я", count: 1 << 20)).utf8.count < 10_000)
  }

  @Test func languageWithoutTranslations_isEnglish() {
    Language.select("ru")
    Language.select("tlh")
    #expect(tr("Queue") == "Queue")
    Language.select("../ru")
    #expect(tr("Queue") == "Queue")
  }
}
