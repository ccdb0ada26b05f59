import Glibc
import SegueSystem
import SegueTestKit
import SegueWire

/// A daemon with music whose names are awkward for shells and menus, and the programs with which recipes are run.
final class RecipeFixture {
  /// What a menu offers: a text that occurs in one line, and the URI that is played if this line is chosen.
  typealias Choice = (text: String, uri: String)

  private let daemon: DaemonProcess
  private let pulse: PulseServer
  private let catalog: CatalogServer
  private let client: SocketClient
  private let programs: TemporaryFolder
  /// The URIs of the tracks, in the order of `songs`.
  let uris: [String]

  private static let songs: [(file: String, title: String, artist: String, album: String)] = [
    ("- it's \"1\" $HOME", "quote ' and \" both", "O'Brien & \"Sons\"", "It's \"quoted\" $HOME `id` \\ !x"),
    ("2", "tab\tand  blanks ", "O'Brien & \"Sons\"", "It's \"quoted\" $HOME `id` \\ !x"),
    ("3", "--play", "--help", "-Leading dash"),
    ("4", "Война", "Кино", "Группа крови"),
    ("5", "{1} {{title}} %s 100%", "line\nfeed", "Braces"),
  ]

  /// Starts the daemon and waits until the music is scanned.
  init() throws {
    pulse = try PulseServer()
    catalog = try CatalogServer()
    programs = try TemporaryFolder()
    daemon = try DaemonProcess(pulse: pulse, running: false)
    try daemon.configure(catalog.configuration)
    let music = daemon.directory.appending("music")
    let flac = try SmallFile.read(Repository.fixture("a.flac"), upTo: 1 << 20)
    uris = try Self.songs.enumerated().map { index, song in
      let path = music.appending("\(song.file).flac")
      let tags = [
        ("TITLE", song.title), ("ARTIST", song.artist), ("ALBUM", song.album), ("TRACKNUMBER", "\(index + 1)"),
      ]
      try SmallFile.write(FLACTags.replace(flac, tags), to: path)
      return FileURI.encode(path)
    }
    try daemon.start()
    client = try daemon.connect()
    try segue("scan", "--watch")
    // The tracks are short. A test sees the one that was chosen, and not those after it.
    try segue("repeat", "one")
    try segue("playlist", "save", Self.playlist, uris[2])
  }

  private static let playlist = "O'odd \"q\" \\ тест"

  /// Returns what the output of a verb offers to a menu.
  func choices(of verb: String) -> [Choice] {
    switch verb {
    case "albums": [("quoted", uris[0]), ("Leading", uris[2]), ("Группа", uris[3])]
    case "tracks", "list": zip(["both", "tab and", "--play", "Война", "100%"], uris).map { ($0, $1) }
    case "playlist": [("odd", uris[2])]
    case "radio": [("Jazz", "radio:aaaaaaaa-0000-4000-8000-000000000001")]
    default: []
    }
  }

  /// Adds a program that recipes find before that of the system. In its script, `CHOICE` is the text of a choice.
  func addProgram(_ name: String, script: String) throws {
    let path = try programs.write(name, Array("#!/bin/sh\n\(script)\n".utf8))
    try checked("chmod") { path.withCString { chmod($0, 0o755) } }
  }

  /// Fills the queue with all tracks and stops playback.
  func reset() throws {
    try client.call("stop")
    try client.call("queue.clear")
    try client.call("queue.add", #"{"uris":[\#(uris.map { "\"\($0)\"" }.joined(separator: ","))]}"#)
  }

  /// The home of the commands.
  var home: FilePath { daemon.directory.appending("home") }

  /// The environment of the commands.
  func environment(choosing text: String = "") -> [String: String] {
    [
      "PATH": "\(programs.path):\(WorkerProcess.product("segue").parent):/usr/bin:/bin", "HOME": "\(home)",
      "XDG_RUNTIME_DIR": "\(home)", "SEGUE_SOCKET": "\(daemon.socket)", "LC_ALL": "C.UTF-8", "CHOICE": text,
    ]
  }

  /// Runs commands in the home and returns their exit status.
  @discardableResult
  func run(_ commands: String, choosing text: String = "") throws -> Int32? {
    try ChildProcess.run(["sh", "-c", "cd && \(commands)"], environment: environment(choosing: text)).code
  }

  @discardableResult
  func segue(_ arguments: String...) throws -> ClientProcess.Outcome {
    let outcome = try ClientProcess.run(arguments, environment: ["SEGUE_SOCKET": "\(daemon.socket)"])
    guard outcome.code == 0 else { throw Unexpected("segue \(arguments): \(outcome.errorText)") }
    return outcome
  }

  func status() throws -> Status { Status(try client.call("status")) }

  /// Returns the URIs in the queue.
  func queue() throws -> [String] {
    try client.call("list")["tracks"]?.elements?.compactMap { $0["uri"]?.string } ?? []
  }
}
