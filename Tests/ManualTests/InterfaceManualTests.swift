import SegueSystem
import SegueTestKit
import Testing

@testable import SegueTUI

/// Tests that segue-ui(1) documents the options and the configuration of the terminal interface.
@Suite struct InterfaceManualTests {
  private let page: ManualPage

  init() throws { page = try ManualPage("segue-ui.1") }

  @Test func everyOptionIsDocumented() throws {
    let (code, help) = try ChildProcess.run(
      [WorkerProcess.product("segue-ui").description, "--help"], environment: ["PATH": "/usr/bin:/bin"])
    #expect(code == 0)
    let options = help.split(separator: "\n").filter { $0.hasPrefix("  -") }.flatMap { row in
      row.split(separator: " ").prefix { $0.hasPrefix("-") }.map { String($0.filter { $0 != "," }) }
    }
    #expect(options.count > 5)
    #expect(Set(page.items(in: "DESCRIPTION").flatMap { $0.names("Fl") }).isSuperset(of: options))
  }

  @Test func everySettingIsDocumentedWithItsValues() throws {
    let settings = InterfaceSetting.allCases.map { ($0.section, $0.key, $0.words) }
    let lists = ListSetting.allCases.map { (InterfaceConfiguration.listSection, $0.rawValue, $0.words) }
    for (section, key, words) in settings + lists {
      let item = try #require(page.items(in: "CONFIGURATION", section).first { $0.names("Ic") == [key] }, "\(key)")
      #expect(item.names("Cm").filter { $0 != "|" } == words)
    }
  }

  @Test func everyColumnIsDocumented() throws {
    for setting in ColumnSetting.allCases {
      let items = page.items(in: "CONFIGURATION", InterfaceConfiguration.listSection)
      let item = try #require(items.first { $0.names("Ic") == [setting.rawValue] }, "\(setting)")
      #expect(Set(item.words("Cm")) == Set(ColumnSetting.possible.map(\.rawValue)))
    }
  }

  @Test func everyCommandIsDocumentedInOrder() {
    let names = page.items(in: "CONFIGURATION", InterfaceConfiguration.keySection).flatMap { $0.names("Ic") }
    #expect(names == Command.allCases.map(\.rawValue))
  }
}
