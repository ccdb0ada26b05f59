import SegueLibrary
import SegueSystem
import SegueTestKit
import Testing

/// segue.conf(5) has every key of the configuration, with values that it takes and defaults that hold.
@Suite struct SettingsManualTests {
  let page: ManualPage
  let folder: TemporaryFolder

  init() throws {
    page = try ManualPage("segue.conf.5")
    folder = try TemporaryFolder()
  }

  private func read(_ text: String) throws -> (configuration: Configuration, complaints: [String]) {
    let (configuration, warnings) = Configuration.read(try folder.write("segue.conf", Array(text.utf8)))
    return (configuration, warnings.map(\.description))
  }

  private func item(_ key: Setting) throws -> ManualItem {
    let items = page.items(in: "DESCRIPTION", "Section \(key.section.rawValue)")
    return try #require(items.first { $0.names("Cm").first == key.key }, "\(key.key) is not in the page")
  }

  @Test func everyKeyIsThereAndNoOther() throws {
    for key in Setting.all { _ = try item(key) }
    #expect(page.items(in: "DESCRIPTION").count == Setting.all.count)
  }

  @Test func everyWordIsTaken() throws {
    for key in Setting.all {
      let item = try item(key)
      for word in item.names("Cm").dropFirst() {
        #expect(try read("[\(key.section.rawValue)]\n\(key.key)=\(word)").complaints == [], "\(key.key)")
      }
      guard item.names("Ar").isEmpty else { continue }
      #expect(item.names("Cm").count > 2)
      #expect(try read("[\(key.section.rawValue)]\n\(key.key)=sometimes").complaints.count == 1)
    }
  }

  @Test func everyRangeIsTheOneThatIsTaken() throws {
    var count = 0
    for key in Setting.all {
      guard let range = try item(key).text.firstMatch(of: /from (-?\d+) to (\d+)/) else { continue }
      count += 1
      let (least, most) = (try #require(Int(range.1)), try #require(Int(range.2)))
      for (value, complaints) in [(least, 0), (most, 0), (least - 1, 1), (most + 1, 1)] {
        #expect(
          try read("[\(key.section.rawValue)]\n\(key.key)=\(value)").complaints.count == complaints,
          "\(key.key) \(value)")
      }
    }
    #expect(count == 6)
  }

  @Test func everyDefaultHolds() throws {
    var count = 0
    for key in Setting.all {
      guard let value = try item(key).text.firstMatch(of: /Default: ([a-z0-9]+)/)?.1 else { continue }
      count += 1
      #expect(try read("[\(key.section.rawValue)]\n\(key.key)=\(value)").configuration == Configuration(), "\(key.key)")
    }
    #expect(count == 11)
  }

  @Test func theExampleIsSound() throws {
    let example = try #require(page.displays.last)
    let (configuration, complaints) = try read(example)
    #expect(complaints == [])
    #expect(configuration.musicFolders.count == 2 && configuration.preamp == 3)
  }
}
