import SegueClientKit
import SegueSystem
import SegueWire
import Testing

@testable import SegueTUI

/// Tests that lists remember their orders and their layouts.
@Suite struct ListMemoryTests {
  /// Returns an interface with music and a configuration, on a terminal with pictures, and types keys.
  private static func interface(
    _ configuration: InterfaceConfiguration = InterfaceConfiguration(), _ keys: String = ""
  ) -> Interface {
    var interface = Interface(playing: 0, configuration: configuration)
    interface.library = FakeLibrary(albumCount: 4)
    interface.library.playCount = 3
    interface.send(.input(.graphics(GraphicsTerminal(graphicsProtocol: .halfBlocks))))
    interface.type(keys)
    return interface
  }

  /// Returns the configuration of the next start, after the changes that an interface has saved.
  private static func saved(by interface: Interface) -> InterfaceConfiguration {
    var bytes: [UInt8] = []
    for case .save(let change) in interface.requests {
      let (section, key, value) = change.entry
      bytes = INIFile.setting(key, in: section, to: value, of: bytes)
    }
    let (configuration, warnings) = InterfaceConfiguration.parse(bytes, FilePath("/ui.conf"))
    #expect(warnings == [])
    return configuration
  }

  private static func configuration(_ setting: ListSetting, _ word: String) -> InterfaceConfiguration {
    var configuration = InterfaceConfiguration()
    configuration.set(setting, to: word)
    return configuration
  }

  /// The keys that show lists, with the order of each after two presses of the key.
  private static let orders: [(keys: String, setting: ListSetting, word: String, label: String)] = [
    ("3", .albumOrder, "year", "by year"), ("333", .trackOrder, "album", "by album"),
    ("3333\r\r", .tagAlbumOrder, "year", "by year"), ("3333\r\r\t", .tagTrackOrder, "added", "newly added first"),
    ("7", .favoriteOrder, "rating", "best first"), ("7\t", .favoriteOrder, "rating", "best first"),
  ]

  @Test(arguments: orders.indices) func theOrderOfAListIsThereAfterTheNextStart(index: Int) {
    let (keys, setting, word, label) = Self.orders[index]
    let interface = Self.interface(InterfaceConfiguration(), keys + "oo")
    #expect(interface.requests.last == .save(.list(setting, to: word)) && interface.lines[0].contains(label))
    let next = Self.interface(Self.saved(by: interface), keys)
    #expect(next.screen == interface.screen)
    #expect(!Self.interface(InterfaceConfiguration(), keys).lines[0].contains(label))
  }

  @Test func theHistoryRemembersItsOrderToo() {
    let interface = Self.interface(InterfaceConfiguration(), "0o")
    #expect(Self.interface(Self.saved(by: interface), "0").lines[0].contains("most played first"))
  }

  @Test func eachListHasAnOrderOfItsOwn() {
    let interface = Self.interface(InterfaceConfiguration(), "3oo33o")
    #expect(interface.lines[0].contains("by artist"))
    #expect(
      interface.requests == [
        .save(.list(.albumOrder, to: "artist")), .save(.list(.albumOrder, to: "year")),
        .save(.list(.trackOrder, to: "artist")),
      ])
    var next = Self.interface(Self.saved(by: interface), "3")
    #expect(next.lines[0].contains("by year"))
    next.type("33")
    #expect(next.lines[0].contains("by artist"))
  }

  @Test func theKeyGoesThroughAllOrdersAndReturns() {
    for setting in ListSetting.allCases where setting.rawValue.hasSuffix("Order") {
      var interface = Self.interface()
      interface.type(Self.orders.first { $0.setting == setting }?.keys ?? "0")
      let before = interface.lines[0]
      let presses = setting.words.indices.dropFirst().map { setting.words[$0] } + [setting.words[0]]
      interface.type(String(repeating: "o", count: presses.count))
      #expect(interface.requests == presses.map { .save(.list(setting, to: $0)) })
      #expect(interface.lines[0] == before)
    }
  }

  @Test(arguments: [
    ("3", ListSetting.albumLayout), ("33\r", .artistLayout), ("3333\r\r", .tagAlbumLayout), ("7", .favoriteTrackLayout),
    ("7\t", .favoriteAlbumLayout), ("6", .popularLayout), ("P", .peopleLayout), ("9", .radioLayout),
    ("5song\t\r", .searchLayout),
  ])
  func theLayoutOfAListIsThereAfterTheNextStart(keys: String, setting: ListSetting) {
    let interface = Self.interface(InterfaceConfiguration(), keys + "t")
    #expect(interface.requests == [.save(.list(setting, to: setting.words[1]))])
    #expect(Self.interface(Self.saved(by: interface), keys).screen == interface.screen)
    #expect(Self.interface(InterfaceConfiguration(), keys).screen != interface.screen)
  }

  @Test func anotherOrderKeepsTheLayout() {
    let interface = Self.interface(InterfaceConfiguration(), "3to")
    #expect(interface.lines[1].contains("Title") && interface.lines[0].contains("by artist"))
  }

  @Test func withoutPicturesTheLayoutIsATableAndStaysRemembered() {
    var interface = Self.interface(InterfaceConfiguration(), "3")
    interface.send(.input(.graphics(nil)))
    interface.type("t")
    #expect(interface.lines[1].contains("Title") && interface.requests == [])
    interface.send(.input(.graphics(GraphicsTerminal(graphicsProtocol: .halfBlocks))))
    #expect(!interface.lines[1].contains("Title"))
  }

  @Test func anOrderThatCannotBeSavedAppliesAndIsReported() {
    var interface = Self.interface(InterfaceConfiguration(), "3o")
    interface.send(.saved(SystemError("open", "ui.conf", code: 30)))
    #expect(interface.lines[0].contains("by artist"))
    #expect(interface.screen.contains("! The setting applies now but is not saved"))
    interface.type("13")
    #expect(interface.lines[0].contains("by artist"))
  }

  /// A list does not change under the focus because another interface with the same file has changed its order.
  @Test func aListTakesTheOrderOfAnotherInterfaceWhenItIsShownAgain() {
    var interface = Self.interface(InterfaceConfiguration(), "3j ")
    let before = interface.screen
    interface.send(.configurationChanged(Self.configuration(.albumOrder, "year"), []))
    #expect(interface.screen == before)
    interface.type("q3")
    #expect(interface.lines[0].contains("by year"))
    // The key goes on from what the list shows.
    interface.type("o")
    #expect(interface.requests == [.save(.list(.albumOrder, to: "added"))])
  }

  @Test func aListThatIsLeftAndShownAgainKeepsItsFocus() {
    var interface = Self.interface(InterfaceConfiguration(), "3tojj")
    let before = interface.focusedRow
    interface.type("13")
    #expect(interface.focusedRow == before)
    interface.type("iq")
    #expect(interface.focusedRow == before)
  }
}
