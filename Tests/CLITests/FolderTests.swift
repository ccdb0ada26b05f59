import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of the verb `folders`.
@Suite struct FolderTests {
  private static let contents = FolderContents(
    folders: [
      LibraryFolder(uri: "file:///music/Jazz", offline: false),
      LibraryFolder(uri: "file:///music/%D0%9A%D0%B8%D0%BD%D0%BE", offline: true),
    ], tracks: [RecordedLibraryResponses.track("So What", "Miles Davis")], total: 3)

  private static func script(musicFolders: [String]) -> StubDaemon.Script {
    { method, parameters in
      switch method {
      case "library.folder": [.result(RecordedResponses.json(contents))]
      case "library.status":
        [
          .result(
            RecordedResponses.json(
              RecordedLibraryResponses.status { status in
                status.folders = musicFolders.map { LibraryStatus.Folder(uri: $0, state: .online) }
              }))
        ]
      default: RecordedLibraryResponses.standard(method, parameters)
      }
    }
  }

  @Test func onlyMusicFolderIsListed() throws {
    let daemon = try StubDaemon(Self.script(musicFolders: ["file:///music"]))
    let outcome = try ClientProcess.run(["folders"], environment: daemon.environment)
    #expect(
      outcome.lines == [
        "file:///music/Jazz\tfolder\tJazz\t\t", "file:///music/%D0%9A%D0%B8%D0%BD%D0%BE\tfolder\tКино\t\t",
        "file:///music/So%20What.flac\ttrack\tSo What\tMiles Davis\t3:21",
      ])
    #expect(
      daemon.requests == ["library.status", #"library.folder {"uri":"file:///music"}"#])
  }

  @Test func severalMusicFoldersAreListedWithTheirPaths() throws {
    let daemon = try StubDaemon(Self.script(musicFolders: ["file:///music", "file:///mnt/more"]))
    let outcome = try ClientProcess.run(["folders"], environment: daemon.environment)
    #expect(outcome.lines == ["file:///music\tfolder\t/music\t\t", "file:///mnt/more\tfolder\t/mnt/more\t\t"])
    #expect(daemon.requests == ["library.status"])
  }

  @Test func foldersAreNumberedAndTheNextCommandOpensOne() throws {
    let folder = try TemporaryFolder()
    let daemon = try StubDaemon(Self.script(musicFolders: ["file:///music"]))
    let environment = ["SEGUE_SOCKET": "\(daemon.path)", "XDG_RUNTIME_DIR": "\(folder.path)", "NO_COLOR": "1"]
    let lines = try ClientProcess.run(["folders"], environment: environment, on: .terminal(columns: 40)).lines
    #expect(
      lines.map { String($0.reversed().drop { $0 == " " }.reversed()) } == [
        "/music", "    1  Jazz/", "    2  Кино/", "    3  So What  Miles Davis  3:21",
      ])
    for (words, request) in [
      (["folders", "2"], #"library.folder {"uri":"file:///music/%D0%9A%D0%B8%D0%BD%D0%BE"}"#),
      (["add", "1", "3"], #"queue.add {"uris":["file:///music/Jazz","file:///music/So%20What.flac"]}"#),
    ] {
      #expect(try ClientProcess.run(words, environment: environment).code == 0)
      #expect(daemon.requests.last == request)
    }
  }

  @Test func folderOutsideTheLibraryIsAnError() throws {
    let daemon = try StubDaemon { method, parameters in
      method == "library.folder"
        ? [.error(code: 3, kind: "not_found", message: "/usr: the library has no music")]
        : Self.script(musicFolders: ["file:///usr"])(method, parameters)
    }
    let outcome = try ClientProcess.run(["folders", "/usr"], environment: daemon.environment)
    #expect(outcome.code == 1 && outcome.errorText.contains("segue folders   lists the music folders"))
    let only = try ClientProcess.run(["folders"], environment: daemon.environment)
    #expect(only.code == 1 && only.errorText.contains("man segue.conf   says how to name music folders"))
  }
}
