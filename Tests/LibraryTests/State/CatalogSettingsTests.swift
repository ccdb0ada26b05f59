import SegueCatalogProviders
import SegueState
import SegueSystem
import SegueWire
import Testing

/// Tests of the section `[Catalog]`.
@Suite struct CatalogSettingsTests {
  private let scratch = Scratch()

  @Test(arguments: [
    ("Country=germany", "country"), ("Country=d1", "country"), ("Language=english", "language"),
    ("ITunesURL=itunes.apple.com", "URL"), ("ITunesURL=ftp://itunes.apple.com", "URL"),
    ("TmdbURL=https://user:secret@host/", "URL"), ("RadioBrowserURL=https://host/?query", "URL"),
  ]) func invalidValue_isRefusedWithTheReason(line: String, reason: String) throws {
    let (configuration, warnings) = Configuration.read(scratch.write("segue.conf", "[Catalog]\n\(line)\n"))
    #expect(configuration == Configuration())
    #expect(warnings.count == 1)
    #expect(warnings.first?.message.contains(reason) == true, "\(warnings)")
  }

  @Test func everyBaseURLOfAProvider_isASetting() {
    let settings = CatalogProviders().all.flatMap(\.baseURLs)
    #expect(settings.count >= 5)
    for setting in settings {
      let file = scratch.write("segue.conf", "[Catalog]\n\(setting.key)=http://127.0.0.1:8080/path\n")
      let (configuration, warnings) = Configuration.read(file)
      #expect(warnings.isEmpty)
      for other in settings {
        let expected = other == setting ? "http://127.0.0.1:8080/path" : other.standard.text
        #expect(configuration.catalogs[other].text == expected, "\(other.key) with \(setting.key)")
      }
    }
  }

  @Test func url_hasNoSlashAtTheEndAndADefault() throws {
    let file = scratch.write("segue.conf", "[Catalog]\nITunesURL=http://127.0.0.1:8080/path/\nTmdbURL=\n")
    let (configuration, warnings) = Configuration.read(file)
    #expect(warnings.isEmpty)
    #expect(configuration.catalogs[ITunesProvider.apiURL].text == "http://127.0.0.1:8080/path")
    #expect(configuration.catalogs[TMDbProvider.apiURL] == TMDbProvider.apiURL.standard)
    let setting = try Setting.named("catalog.iTunesURL")
    #expect(setting.defaultValue.text == "https://itunes.apple.com")
    #expect(throws: Failure.self) { try setting.requestedValue(of: "nowhere") }
  }
}
