import Glibc
import SegueLibrary
import SegueSQLite
import SegueScan
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of the sort order of names, which is the same for all kinds of names.
@Suite(.timeLimit(.minutes(2))) struct ScanSortTests {
  private let fixture = ScanFixture()
  private var music: Scratch { fixture.music }

  /// Writes three albums whose names are in cue sheets, and files without tags.
  private func writeFiles() {
    for (album, title, genre, tracks) in [
      ("1", "Öl", "Ärger", ["Apfel", "Zunge"]), ("2", "The Ast", "Zorn", ["Äpfel", "The Birne"]),
      ("3", "Pol", "Gier", ["x 10", "x 9"]),
    ] {
      fixture.writeSong("\(album)/disc.wav")
      music.write(
        "\(album)/disc.cue",
        """
        REM GENRE "\(genre)"
        PERFORMER "\(title)er"
        TITLE "\(title)"
        FILE "disc.wav" WAVE
        TRACK 01 AUDIO
        TITLE "\(tracks[0])"
        INDEX 01 00:00:00
        TRACK 02 AUDIO
        TITLE "\(tracks[1])"
        INDEX 01 00:00:05
        """)
    }
    for name in ["Banane", "yeti", "Äpfelchen"] { fixture.writeSong("\(name).wav") }
  }

  private struct Names: Equatable {
    var tracks: [String]
    var albums: [String]
    var artists: [String]
    var genres: [String]
  }

  private func names() async throws -> Names {
    try await fixture.store.read { reader throws(StoreError) in
      Names(
        tracks: try reader.tracks(by: .title).items.map {
          $0.metadata.title ?? FilePath($0.uri).stem.replacing("%C3%84", with: "Ä")
        },
        albums: try reader.albums(by: .title).items.map(\.title), artists: try reader.artists().items.map(\.name),
        genres: try reader.genres().items.map(\.name))
    }
  }

  private static let sorted = Names(
    tracks: ["Apfel", "Äpfel", "Äpfelchen", "Banane", "The Birne", "x 9", "x 10", "yeti", "Zunge"],
    albums: ["The Ast", "Öl", "Pol"], artists: ["The Aster", "Öler", "Poler"], genres: ["Ärger", "Gier", "Zorn"])

  /// The order of `malicious-worker`.
  private static let reversed = Names(
    tracks: ["Äpfel", "Äpfelchen", "yeti", "x 9", "x 10", "Zunge", "The Birne", "Banane", "Apfel"],
    albums: ["Öl", "The Ast", "Pol"], artists: ["Öler", "The Aster", "Poler"], genres: ["Ärger", "Zorn", "Gier"])

  @Test func namesFromCueSheetsAndGenresFollowTheSortOrder() async throws {
    writeFiles()
    try fixture.start()
    try await fixture.walk()
    #expect(try await names() == Self.sorted)
  }

  /// The titles of favorites that the library does not have, such as stations, have their keys in their own rows.
  @Test func aNewSortOrderAppliesToFavorites() async throws {
    fixture.writeSong("a.wav")
    try fixture.start()
    let titles = ["http://h/1": "Zunge", "http://h/2": "Äpfel", "http://h/3": "Apfel"]
    try await fixture.store.write { writer throws(StoreError) in
      try writer.setFavorite(titles.keys.sorted(), true)
      for (uri, title) in titles { try writer.setFavoriteTitle(uri, title) }
    }
    func favorites() async throws -> [String?] {
      try await fixture.store.read { reader throws(StoreError) in
        try reader.favorites(by: .title, .ascending).items.map { titles[$0.uri] }
      }
    }
    try await fixture.walk()
    #expect(try await favorites() == ["Apfel", "Äpfel", "Zunge"])
    fixture.stop()
    fixture.removeReports()
    try fixture.start(worker: "malicious-worker")
    try await fixture.walk()
    #expect(try await favorites() == ["Äpfel", "Zunge", "Apfel"])
  }

  /// A track without a title has the name of its file.
  @Test func aRenamedFileIsSortedByItsNewName() async throws {
    for name in ["mole", "yak", "zebra"] { fixture.writeSong("\(name).wav") }
    try fixture.start()
    try await fixture.walk()
    _ = music["zebra.wav"].withCString { old in music["ant.wav"].withCString { rename(old, $0) } }
    try await fixture.expect(["ant.wav", "mole.wav", "yak.wav"])
    try await eventually("the walk ends") { !fixture.status.isScanning }
    let names = try await fixture.store.read { reader throws(StoreError) in
      try reader.tracks(by: .title).items.map { FilePath($0.uri).stem }
    }
    #expect(names == ["ant", "mole", "yak"])
  }

  @Test func aNewSortOrderAppliesToAllNames() async throws {
    writeFiles()
    try fixture.start()
    try await fixture.walk()
    fixture.stop()
    fixture.removeReports()
    try fixture.start(worker: "malicious-worker")
    #expect(try await fixture.walk().total == 0, "no file is opened for the new order")
    #expect(try await names() == Self.reversed)
    fixture.stop()
    fixture.removeReports()
    try fixture.start()
    try await fixture.walk()
    #expect(try await names() == Self.sorted)
  }

  /// A user or the kernel, for want of memory, kills the first worker.
  @Test func sortKeysAreMadeDespiteAKilledWorker() async throws {
    writeFiles()
    try fixture.start()
    try await fixture.walk()
    fixture.stop()
    fixture.removeReports()
    let (killed, program) = (fixture.state["killed"], fixture.state["worker"])
    fixture.state.write(
      "worker",
      """
      #!/bin/sh
      if mkdir \(killed); then
        printf '{"event":"ready","lacking":[]}' >&3
        dd bs=65536 count=1 <&3 >/dev/null
        kill -KILL $$
      fi
      exec \(WorkerProcess.product("malicious-worker")) "$@"
      """)
    try #require(program.withCString { chmod($0, 0o700) } == 0)
    try fixture.start(program: program)
    try await fixture.walk()
    #expect(killed.withCString { access($0, F_OK) } == 0)
    #expect(try await names() == Self.reversed)
  }
}
