import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

@testable import SegueTUI

/// Stories of a user at the screens of the real interface, with the real daemon and a library of tagged files.
@Suite struct StoryTests {
  private let server: PulseServer
  private let daemon: DaemonProcess
  private let client: SocketClient

  /// Starts a daemon whose library has two albums of one artist and another album.
  init() throws {
    server = try PulseServer()
    daemon = try DaemonProcess(pulse: server, running: false)
    let flac = try SmallFile.read(Repository.fixture("long.flac"), upTo: 4 << 20)
    for (folder, album, artist, year, titles) in [
      ("Kino/Blood", "Группа крови", "Кино", "1988", ["Группа крови", "Закрой за мной дверь"]),
      ("Kino/Star", "Звезда по имени Солнце", "Кино", "1989", ["Пачка сигарет"]),
      ("Debut", "Debut", "Björk", "1993", ["Human Behaviour", "Violently Happy"]),
    ] {
      let path = daemon.directory.appending("music/\(folder)")
      for path in [path.parent, path] { path.withCString { _ = mkdir($0, 0o700) } }
      for (index, title) in titles.enumerated() {
        let tags = [
          ("TITLE", title), ("ALBUM", album), ("ARTIST", artist), ("DATE", year), ("TRACKNUMBER", "\(index + 1)"),
        ]
        try SmallFile.write(FLACTags.replace(flac, tags), to: path.appending("\(index + 1).flac"))
      }
    }
    try daemon.start()
    client = try daemon.connect()
    try waitUntil("the library is scanned and the queue is filled") {
      let library = LibraryStatus(try client.call("library.status"))
      return try !library.scanning && library.tracks == 5 && client.call("status")["length"]?.int == 5
    }
    try client.call("queue.clear")
  }

  /// Whether a cover stands above the start of a title.
  private func showsCover(above title: String, _ lines: [String]) -> Bool {
    zip(lines, lines.dropFirst()).contains { above, line in
      guard let range = line.firstRange(of: title) else { return false }
      let column = line.distance(from: line.startIndex, to: range.lowerBound)
      return above.dropFirst(column).hasPrefix("▀▀▀▀")
    }
  }

  /// tmux displays no pictures, so that they consist of half blocks.
  @Test func albumsHaveCoversOfHalfBlocks() throws {
    let cover = try SmallFile.read(Repository.fixture("Tags/front.png"), upTo: 1 << 20)
    try SmallFile.write(cover, to: daemon.directory.appending("music/Debut/cover.png"))
    let interface = try interface()
    interface.keys("3")
    try interface.waitFor("a cover beside the title") { lines in
      showsCover(above: "Debut", lines)
    }
    interface.keys("t")
    try interface.waitFor("no cover") { lines in
      lines.contains { $0.contains("Debut") } && !lines.contains { $0.contains("▀") }
    }
    interface.keys("t")
    try interface.waitFor("the cover again") { showsCover(above: "Debut", $0) }
  }

  @Test func allCoversAppearWithoutAKey() throws {
    let cover = try SmallFile.read(Repository.fixture("Tags/front.png"), upTo: 1 << 20)
    for folder in ["Debut", "Kino/Blood", "Kino/Star"] {
      try SmallFile.write(cover, to: daemon.directory.appending("music/\(folder)/cover.png"))
    }
    let interface = try interface()
    interface.keys("3")
    try interface.waitFor("three covers") { lines in
      ["Debut", "Группа", "Звезда"].allSatisfy { showsCover(above: $0, lines) }
    }
  }

  /// The cover in the middle is known from a search, so that it appears before those at its sides.
  @Test func aCoverStaysWholeWhenOthersAppearBesideIt() throws {
    let cover = try SmallFile.read(Repository.fixture("Tags/front.png"), upTo: 1 << 20)
    for folder in ["Debut", "Kino/Blood", "Kino/Star"] {
      try SmallFile.write(cover, to: daemon.directory.appending("music/\(folder)/cover.png"))
    }
    let interface = try interface()
    interface.keys("5", "крови", "Enter")
    try interface.waitFor("a cover") { lines in lines.contains { $0.contains("▀▀▀▀") } }
    interface.keys("3")
    try interface.waitFor("three whole covers") { lines in
      ["Debut", "Группа", "Звезда"].allSatisfy { showsCover(above: $0, lines) }
        && Set(lines.map { line in line.count { $0 == "▀" } }).count == 2
    }
  }

  /// Terminals can scroll parts of the screen, which would move a cover of half blocks with the text beside it.
  @Test func theCoverStaysWholeWhileTheLyricsBesideItMove() throws {
    let cover = try SmallFile.read(Repository.fixture("Tags/front.png"), upTo: 1 << 20)
    let folder = daemon.directory.appending("music/Debut")
    try SmallFile.write(cover, to: folder.appending("cover.png"))
    let long = String(repeating: " and more", count: 6)
    let lines = (0..<20).map { "[00:0\($0 / 10).\($0 % 10)]line \($0)\($0 % 3 == 1 ? long : "")\n" }
    try SmallFile.write(Array(lines.joined().utf8), to: folder.appending("1.lrc"))
    let interface = try interface()
    try client.call("queue.add", #"{"uris":["\#(FileURI.encode(folder.appending("1.flac")))"]}"#)
    try client.call("play")
    try client.call("pause")
    try interface.waitFor("⏸ Human Behaviour")
    interface.keys("2")
    try interface.waitFor("the cover") { lines in lines.contains { $0.contains("▀▀▀▀▀▀▀▀") } }
    for line in [4, 8, 12, 16] {
      try client.call("seek", #"{"position":\#(Double(line) / 10 + 0.05)}"#)
      let lines = try interface.waitFor("> line \(line)")
      #expect(
        lines[2..<18].allSatisfy { $0.hasPrefix("   ▀▀▀▀▀▀▀▀") }, "line \(line):\n\(lines.joined(separator: "\n"))")
    }
  }

  private func interface() throws -> InterfaceProcess {
    let interface = try InterfaceProcess(daemon.socket)
    try interface.waitFor("The queue is empty.")
    return interface
  }

  private func status() throws -> Status { Status(try client.call("status")) }

  @Test func anAlbumOfTheLibraryIsFoundAddedAndPlayed() throws {
    let interface = try interface()
    interface.keys("3")
    try interface.waitFor("3 albums")
    interface.keys("/", "звезда")
    try interface.waitFor("1 of 3")
    interface.keys("Enter", "Enter")
    try interface.waitFor("Кино · 1989 · 1 track")
    interface.keys("q", "Escape")
    try interface.waitFor("3 albums")
    interface.keys("g", "a")
    try interface.waitFor("2 tracks are added to the queue.")
    #expect(try status().length == 2)
    // The artist's page lists both albums.
    interface.keys("3")
    try interface.waitFor("2 artists")
    interface.keys("G", "Enter")
    try interface.waitFor("2 albums · 3 tracks")
    interface.keys("Enter")
    try interface.waitFor("Закрой за мной дверь")
    interface.keys("j", "Enter")
    try interface.waitFor("The queue is replaced by 2 tracks.")
    try waitUntil("the track plays") { try status().track?.metadata.title == "Закрой за мной дверь" }
    interface.keys("*")
    try interface.waitFor("One item is added to the favorites.")
    try interface.waitFor("♥")
    #expect(try status().length == 2 && status().index == 1)
    interface.keys("u", "1")
    try interface.waitFor("the queue with the added tracks") { lines in
      lines[0].hasPrefix(" Queue  2 tracks") && lines.contains { $0.contains("Violently Happy") }
    }
  }

  @Test func aFolderIsPlayedAndTheQueueIsSavedAsAPlaylist() throws {
    let interface = try interface()
    interface.keys("4")
    try interface.waitFor("Kino/")
    interface.keys("G", "Enter")
    try interface.waitFor("Star/")
    interface.keys("y")
    try interface.waitFor("The first of 2 tracks plays now.")
    try waitUntil("the first track of the folder plays") {
      try status().track?.metadata.title == "Группа крови"
    }
    interface.keys("8")
    try interface.waitFor("There are no playlists.")
    interface.keys("w", "вечер", "Enter")
    try interface.waitFor("The queue is saved as the playlist “вечер”.")
    try interface.waitFor("1 playlist")
    interface.keys("Enter")
    try interface.waitFor("Закрой за мной дверь")
    interface.keys("q", "d")
    try interface.waitFor("Press the key again to delete the playlist “вечер”.")
    interface.keys("d")
    try interface.waitFor("There are no playlists.")
  }

  @Test func favoritesAppearInTheirOrdersAndAreRemoved() throws {
    let interface = try interface()
    interface.keys("3")
    try interface.waitFor("3 albums")
    try interface.waitFor("Debut")
    interface.keys("*")
    try interface.waitFor("One item is added to the favorites.")
    interface.keys("7")
    try interface.waitFor("There are no favorites of this kind.")
    interface.keys("Tab")
    try interface.waitFor("1 album ")
    interface.keys("o")
    try interface.waitFor("newest first")
    try interface.waitFor("Debut")
    interface.keys("*")
    try interface.waitFor("There are no favorites of this kind.")
  }

  @Test func theOutputIsChangedAndTheHistoryIsEmptyAtFirst() throws {
    let interface = try interface()
    interface.keys("O")
    try interface.waitFor("the output in use") { $0.contains { $0.hasPrefix(" ▶ ") } }
    interface.keys("Enter")
    try interface.waitFor("The output is changed.")
    interface.keys("0")
    try interface.waitFor("Nothing was played yet.")
  }
}
