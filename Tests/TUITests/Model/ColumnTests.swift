import SegueClientKit
import SegueSystem
import SegueWire
import Testing

@testable import SegueTUI

/// Tests of the columns of the tables of tracks.
@Suite struct ColumnTests {
  private static func configuration(_ lists: String) -> InterfaceConfiguration {
    let (configuration, warnings) = InterfaceConfiguration.parse(
      Array("[Lists]\n\(lists)\n".utf8), FilePath("/ui.conf"))
    #expect(warnings == [])
    return configuration
  }

  /// Returns an interface whose tracks have all tags.
  private static func interface(
    _ lists: String = "", columns: Int = 80, _ change: (inout InterfaceConfiguration) -> Void = { _ in }
  ) -> Interface {
    var tracks = Interface.queue(3)
    for index in tracks.indices {
      (tracks[index].metadata.year, tracks[index].metadata.genre) = (1990 + index, ["Genre", "Other"])
      (tracks[index].metadata.composer, tracks[index].metadata.track) = ("Composer \(index)", 7)
    }
    var configuration = configuration(lists)
    change(&configuration)
    var interface = Interface(tracks, columns: columns, configuration: configuration)
    interface.library = FakeLibrary(albumCount: 4)
    for index in interface.library.tracks.indices {
      interface.library.tracks[index].rating = 8
      interface.library.tracks[index].metadata.genre = ["Genre"]
      interface.library.tracks[index].metadata.year = 1960 + index
    }
    return interface
  }

  /// Returns the headings of the columns.
  private static func headings(_ interface: Interface) -> [String] {
    interface.lines[1].split(separator: " ").map(String.init)
  }

  /// Returns the number of columns from the start of a heading to that of another one, without the gap.
  private static func width(_ heading: String, before next: String, _ interface: Interface) throws -> Int {
    let line = interface.lines[1]
    let start = try #require(line.firstRange(of: heading)).lowerBound
    let end = try #require(line.firstRange(of: next)).lowerBound
    return line.distance(from: start, to: end) - 2
  }

  @Test(arguments: [2, 99, 12_345]) func theQueueHasTheAlbumsAt80Columns(length: Int) throws {
    let interface = Interface(Interface.queue(length))
    #expect(Self.headings(interface) == ["#", "Title", "Artist", "Album", "Time"])
    #expect(try Self.width("Title", before: "Artist", interface) >= (length < 100 ? 29 : 26))
    #expect(try Self.width("Artist", before: "Album", interface) >= (length < 100 ? 18 : 17))
  }

  @Test(arguments: [
    (200, ["#", "Title", "Artist", "Album", "Time"]), (75, ["#", "Title", "Artist", "Album", "Time"]),
    (74, ["#", "Title", "Artist", "Time"]), (45, ["#", "Title", "Artist", "Time"]), (44, ["#", "Title", "Time"]),
    (40, ["#", "Title", "Time"]),
  ])
  func columnsWithoutRoomAreLeftOut(columns: Int, headings: [String]) {
    var configuration = InterfaceConfiguration()
    configuration.showsAlbumHeadings = false
    let interface = Interface(
      columns: columns, appearance: Appearance(isUnicode: true, isColored: true, decoration: .none),
      configuration: configuration)
    #expect(Self.headings(interface) == headings)
  }

  @Test func theTracksOfTheLibraryKeepTheAlbumsBesideTheStars() throws {
    var interface = Self.interface()
    interface.type("333")
    #expect(Self.headings(interface) == ["Title", "Artist", "Album", "Rating", "Time"])
    #expect(try Self.width("Title", before: "Artist", interface) >= 26)
    var unrated = Interface.items("333")
    #expect(try Self.width("Title", before: "Artist", unrated) >= 30)
    unrated.type("8\r")
    #expect(Self.headings(unrated) == ["Title", "Artist", "Album", "Time"])
  }

  @Test func theColumnsOfTheQueueAreThoseOfTheConfiguration() {
    let interface = Self.interface("QueueColumns=year title composer number")
    #expect(Self.headings(interface) == ["Year", "Title", "Composer", "#"])
    #expect(interface.lines[2].contains(/1990  Track 1 +Composer 0 +1$/.ignoresCase()))
    var narrow = Self.interface("QueueColumns=title time", columns: 40)
    #expect(Self.headings(narrow) == ["Title", "Time"])
    narrow.type("3")
    #expect(Self.headings(narrow) != ["Title", "Time"])
  }

  @Test func theQueueHasStarsOnceATrackInItIsRated() {
    var interface = Self.interface(columns: 100)
    #expect(Self.headings(interface) == ["#", "Title", "Artist", "Album", "Time"])
    interface.rate(1, 7)
    #expect(Self.headings(interface) == ["#", "Title", "Artist", "Album", "Rating", "Time"])
    #expect(interface.screen.contains(/Track 2 .*★★★½☆ +3:20/))
    var hidden = Self.interface("QueueColumns=title rating") { $0.showsRatings = false }
    hidden.rate(1, 7)
    #expect(Self.headings(hidden) == ["Title"])
  }

  @Test func aFilterReadsWhichColumnsTheWholeQueueFills() {
    var tracks = Interface.queue(250)
    tracks[200].rating = 7
    var interface = Interface(tracks, columns: 100)
    #expect(Self.headings(interface) == ["#", "Title", "Artist", "Album", "Time"])
    interface.type("/Track 201")
    #expect(Self.headings(interface) == ["#", "Title", "Artist", "Album", "Rating", "Time"])
    #expect(interface.screen.contains("★★★½☆"))
  }

  @Test func theColumnsOfTracksAreThoseOfTheConfiguration() {
    var interface = Self.interface("TrackColumns=rating number title genre")
    interface.type("333")
    #expect(Self.headings(interface) == ["Rating", "#", "Title", "Genre"])
    #expect(interface.lines[2].contains(/★★★★☆ +1  Blue Train, part 1 +Genre/))
    interface.type("1")
    #expect(Self.headings(interface) == ["#", "Title", "Artist", "Album", "Time"])
  }

  @Test func withoutRatingsTheirColumnIsLeftOut() {
    var interface = Self.interface("TrackColumns=title rating time") { $0.showsRatings = false }
    interface.type("333")
    #expect(Self.headings(interface) == ["Title", "Time"])
  }

  /// The least important columns have no room first, and the last one among equal ones.
  @Test(arguments: [
    (140, ["Composer", "#", "Genre", "Year", "Album", "Artist", "Title", "Time"]),
    (81, ["#", "Year", "Album", "Artist", "Title", "Time"]), (60, ["#", "Year", "Artist", "Title", "Time"]),
    (40, ["#", "Title", "Time"]),
  ])
  func columnsAreLeftOutByTheirImportance(columns: Int, headings: [String]) {
    let interface = Self.interface("QueueColumns=composer number genre year album artist title time", columns: columns)
    #expect(Self.headings(interface) == headings)
  }

  @Test func whatTheHeadingOfTheAlbumSaysIsNotRepeated() {
    var tracks = Interface.queue(3)
    for index in tracks.indices {
      (tracks[index].metadata.artist, tracks[index].metadata.year) = ("Artist 0", index == 2 ? 1999 : 1990)
    }
    let interface = Interface(tracks, configuration: Self.configuration("QueueColumns=title album year"))
    #expect(interface.lines[2].contains("Album 0 · Artist 0 · 1990"))
    #expect(!interface.lines[3].contains("Album 0") && !interface.lines[3].contains("1990"))
    #expect(interface.lines[5].contains("1999"))
  }
}
