import Glibc
import SegueLibrary
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// In which order names are, and that it is one order for all.
@Suite(.timeLimit(.minutes(2))) struct ScanSortTests {
  private let stage = ScanFixture()
  private var music: Scratch { stage.music }

  /// Two albums whose tracks are named by cue sheets, and files that speak for themselves.
  private func fill() {
    for (album, title, genre, tracks) in [
      ("1", "Öl", "Ärger", ["Apfel", "Zunge"]), ("2", "The Ast", "Zorn", ["Äpfel", "The Birne"]),
      ("3", "Pol", "Gier", ["x 10", "x 9"]),
    ] {
      stage.song("\(album)/disc.wav")
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
    for name in ["Banane", "yeti", "Äpfelchen"] { stage.song("\(name).wav") }
  }

  private struct Order: Equatable {
    var tracks: [String]
    var albums: [String]
    var artists: [String]
    var genres: [String]
  }

  private func order() async throws -> Order {
    try await stage.store.read { reader throws(StoreError) in
      Order(
        tracks: try reader.tracks(by: .title).items.map {
          $0.metadata.title ?? FilePath($0.uri).stem.replacing("%C3%84", with: "Ä")
        },
        albums: try reader.albums(by: .title).items.map(\.title), artists: try reader.artists().items.map(\.name),
        genres: try reader.genres().items.map(\.name))
    }
  }

  private static let order = Order(
    tracks: ["Apfel", "Äpfel", "Äpfelchen", "Banane", "The Birne", "x 9", "x 10", "yeti", "Zunge"],
    albums: ["The Ast", "Öl", "Pol"], artists: ["The Aster", "Öler", "Poler"], genres: ["Ärger", "Gier", "Zorn"])

  /// As `malicious-worker` has them.
  private static let backwards = Order(
    tracks: ["Äpfel", "Äpfelchen", "yeti", "x 9", "x 10", "Zunge", "The Birne", "Banane", "Apfel"],
    albums: ["Öl", "The Ast", "Pol"], artists: ["Öler", "The Aster", "Poler"], genres: ["Ärger", "Zorn", "Gier"])

  @Test func cueSheetsAndGenresAreInTheOrderOfTheRest() async throws {
    fill()
    try stage.start()
    try await stage.walk()
    #expect(try await order() == Self.order)
  }

  /// Whatever has no title is called by its name, wherever the name comes from.
  @Test func whatIsRenamedIsSortedByItsNewName() async throws {
    for name in ["mole", "yak", "zebra"] { stage.song("\(name).wav") }
    try stage.start()
    try await stage.walk()
    _ = music["zebra.wav"].withCString { old in music["ant.wav"].withCString { rename(old, $0) } }
    try await stage.expect(["ant.wav", "mole.wav", "yak.wav"])
    try await eventually("the walk ends") { !stage.status.isScanning }
    let names = try await stage.store.read { reader throws(StoreError) in
      try reader.tracks(by: .title).items.map { FilePath($0.uri).stem }
    }
    #expect(names == ["ant", "mole", "yak"])
  }

  @Test func anotherOrderIsTheOrderOfAll() async throws {
    fill()
    try stage.start()
    try await stage.walk()
    stage.stop()
    stage.forgetReports()
    try stage.start(worker: "malicious-worker")
    #expect(try await stage.walk().total == 0, "no file is opened for it")
    #expect(try await order() == Self.backwards)
    stage.stop()
    stage.forgetReports()
    try stage.start()
    try await stage.walk()
    #expect(try await order() == Self.order)
  }

  /// Somebody kills what he takes for stuck, or the kernel is short of memory: another is asked.
  @Test func aWorkerThatIsKilledCostsNoOrder() async throws {
    fill()
    try stage.start()
    try await stage.walk()
    stage.stop()
    stage.forgetReports()
    let (killed, program) = (stage.state["killed"], stage.state["worker"])
    stage.state.write(
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
    try stage.start(program: program)
    try await stage.walk()
    #expect(killed.withCString { access($0, F_OK) } == 0)
    #expect(try await order() == Self.backwards)
  }
}
