import SegueState
import SegueSystem
import SegueTestKit
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
    var count = 0
    for key in Setting.all {
      guard let range = try item(key).text.firstMatch(of: /from (-?\d+) to (\d+)/) else { continue }
      count += 1
      let (minimum, maximum) = (try #require(Int(range.1)), try #require(Int(range.2)))
      for (value, warnings) in [(minimum, 0), (maximum, 0), (minimum - 1, 1), (maximum + 1, 1)] {
        #expect(
          try read("[\(key.section.rawValue)]\n\(key.key)=\(value)").warnings.count == warnings,
          "\(key.key) \(value)")
      }
    }
    #expect(count == 6)
  }

  @Test func everyDocumentedDefaultIsTheDefault() throws {
    var count = 0
    for key in Setting.all {
      guard let value = try item(key).text.firstMatch(of: /Default: ([a-z0-9]+)/)?.1 else { continue }
      count += 1
      #expect(try read("[\(key.section.rawValue)]\n\(key.key)=\(value)").configuration == Configuration(), "\(key.key)")
    }
    #expect(count == 12)
  }

  @Test func exampleIsValid() throws {
    let example = try #require(page.displays.last)
    let (configuration, warnings) = try read(example)
    #expect(warnings == [])
    #expect(configuration.musicFolders.count == 2 && configuration.preamp == 3)
  }
}
