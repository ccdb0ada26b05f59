import SegueState
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests that segue.conf(5) documents every key of the configuration with its values and its default.
@Suite struct SettingsManualTests {
  let page: ManualPage
  let folder: TemporaryFolder

  init() throws {
    page = try ManualPage("segue.conf.5")
    folder = try TemporaryFolder()
  }

  private func read(_ text: String) throws -> (configuration: Configuration, warnings: [String]) {
    let (configuration, messages) = Configuration.read(try folder.write("segue.conf", Array(text.utf8)))
    return (configuration, messages.map(\.description))
  }

  private func item(_ key: Setting) throws -> ManualItem {
    let items = page.items(in: "DESCRIPTION", "Section \(key.section.rawValue)")
    return try #require(items.first { $0.names("Cm").first == key.key }, "\(key.key) is not in the page")
  }

  @Test func exactlyTheKeysAreDocumented() throws {
    for key in Setting.all { _ = try item(key) }
    #expect(page.items(in: "DESCRIPTION").count == Setting.all.count)
  }

  @Test func everyDocumentedWordIsAccepted() throws {
    for key in Setting.all {
      let item = try item(key)
      for word in item.names("Cm").dropFirst() {
        #expect(try read("[\(key.section.rawValue)]\n\(key.key)=\(word)").warnings == [], "\(key.key)")
      }
      guard item.names("Ar").isEmpty else { continue }
      #expect(item.names("Cm").count > 2)
      #expect(try read("[\(key.section.rawValue)]\n\(key.key)=sometimes").warnings.count == 1)
    }
  }

  @Test func everyDocumentedRangeIsTheAcceptedOne() throws {
    for key in Setting.all {
      switch key.type {
      case .whole, .number: break
      case .flag, .choice, .name, .paths: continue
      }
      let range = try #require(
        try item(key).text.firstMatch(of: /from (-?\d+) to (\d+)/), "\(key.key): the page does not say “from … to …”")
      let (minimum, maximum) = (try #require(Int(range.1)), try #require(Int(range.2)))
      for (value, warnings) in [(minimum, 0), (maximum, 0), (minimum - 1, 1), (maximum + 1, 1)] {
        #expect(
          try read("[\(key.section.rawValue)]\n\(key.key)=\(value)").warnings.count == warnings,
          "\(key.key) \(value)")
      }
    }
  }

  @Test func everyDocumentedDefaultIsTheDefault() throws {
    for key in Setting.all {
      guard let value = try item(key).text.firstMatch(of: /Default: ([a-z0-9]+)/)?.1 else {
        switch key.type {
        // Without a value, they stand for what the page explains.
        case .name, .paths: continue
        case .flag, .choice, .whole, .number: throw Unexpected("\(key.key): the page does not say “Default: …”")
        }
      }
      #expect(try read("[\(key.section.rawValue)]\n\(key.key)=\(value)").configuration == Configuration(), "\(key.key)")
    }
  }

  @Test func exampleIsValid() throws {
    let example = try #require(page.displays.last)
    let (configuration, warnings) = try read(example)
    #expect(warnings == [])
    #expect(configuration.musicFolders.count == 2 && configuration.preamp == 3)
  }
}
