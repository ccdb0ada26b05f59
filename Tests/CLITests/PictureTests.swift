import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of covers on terminals with and without support for pictures.
@Suite struct PictureTests {
  /// A PNG of 8 × 8 pixels.
  private static let png = Repository.fixture("Tags/front.png").description

  private static let kitty = TerminalAnswers.kitty
  private static let iTerm = TerminalAnswers(
    "\u{1B}P>|iTerm2 3.4\u{1B}\\\u{1B}[8;24;80t\u{1B}[?62;4;22c", kitty: "\u{1B}[?62;4;22c")
  private static let sixel = TerminalAnswers("\u{1B}[6;20;10t\u{1B}[?62;4c")
  private static let plain = TerminalAnswers(
    "\u{1B}P>|Other 1.0\u{1B}\\\u{1B}[?1;2c", kitty: "\u{1B}_Gi=31;EINVAL\u{1B}\\\u{1B}[?1;2c")

  private static let status: String = {
    var track = RecordedResponses.track(2, "So What")
    track.metadata.art = "file:///x.png"
    return RecordedResponses.json(RecordedResponses.status(track: track))
  }()

  private func daemon() throws -> StubDaemon {
    try StubDaemon { method, _ in
      switch method {
      case "art":
        [.result(#"{"path":"\#(Self.png)","uri":"file:///x.png","width":128,"height":64}"#)]
      case "status":
        [.result(Self.status)]
      default: [.error(code: -32601, kind: "method_not_found", message: method)]
      }
    }
  }

  private func run(
    _ arguments: [String], _ stub: StubDaemon, answering answers: TerminalAnswers?, _ more: [String: String] = [:]
  ) throws -> ClientProcess.Outcome {
    let process = try ClientProcess(
      arguments, environment: ["SEGUE_SOCKET": stub.path.description, "TERM": "xterm"].merging(more) { $1 },
      on: .terminal(columns: 80))
    try answers?.type(to: process)
    return try process.finish()
  }

  @Test func kittyReceivesThePictureInChunks() throws {
    let stub = try daemon()
    let outcome = try run(["art"], stub, answering: Self.kitty)
    #expect(outcome.code == 0, "\(outcome.errorText)")
    // 128 × 64 pixels occupy 13 × 4 cells of 10 × 20 pixels.
    #expect(outcome.text.contains("\u{1B}_Ga=T,f=100,q=2,C=1,c=13,r=4,m=0;iVBORw0KGgo"))
    #expect(!outcome.text.contains(Self.png))
    #expect(stub.requests == [#"art {"format":"png"}"#])
  }

  @Test func iTermReceivesTheFile() throws {
    let outcome = try run(["art"], try daemon(), answering: Self.iTerm)
    #expect(outcome.text.contains("\u{1B}]1337;File=inline=1;"))
    #expect(outcome.text.contains(":iVBORw0KGgo"))
  }

  @Test func sixelsAreDrawnWithoutAnotherProgram() throws {
    let folder = try TemporaryFolder()
    let outcome = try run(["art"], try pixelDaemon(folder), answering: Self.sixel, ["PATH": folder.path.description])
    // 2 × 2 pixels occupy a cell of 10 × 20 pixels: ten red rows, of which four are in the second band.
    #expect(
      outcome.text.contains(
        "\u{1B}P0;1;0q\"1;1;10;20#0;2;0;0;100#1;2;100;0;0#1!10~-#0!10o$#1!10N-#0!10~-#0!10B\u{1B}\\"))
    #expect(outcome.text.hasSuffix("\u{1B}8\n"))
    let other = try run(["art"], try daemon(), answering: Self.sixel)
    #expect(other.text.hasSuffix(Self.png + "\n"), "a file that is not one of pixels is not drawn")
  }

  /// Answers `art` with a file of two red and two blue pixels above each other.
  private func pixelDaemon(_ folder: TemporaryFolder) throws -> StubDaemon {
    let pixels: [UInt8] = [255, 0, 0, 255, 0, 0, 0, 0, 255, 0, 0, 255]
    let file = try folder.write("cover.ppm", Array("P6\n2 2\n255\n".utf8) + pixels)
    return try StubDaemon { method, _ in
      switch method {
      case "art": [.result(#"{"path":"\#(file)","uri":"file:///cover.ppm","width":2,"height":2}"#)]
      case "status": [.result(Self.status)]
      default: [.error(code: -32601, kind: "method_not_found", message: method)]
      }
    }
  }

  @Test(arguments: [("truecolor", "38;2;255;0;0;48;2;0;0;255"), ("", "38;5;196;48;5;21")])
  func otherTerminalsShowHalfBlocks(colors: String, expected: String) throws {
    let folder = try TemporaryFolder()
    for answer in [Self.plain, TerminalAnswers("")] {
      let stub = try pixelDaemon(folder)
      let outcome = try run(["status"], stub, answering: answer, ["COLORTERM": colors])
      #expect(outcome.code == 0, "\(outcome.errorText)")
      #expect(stub.requests.last == #"art {"uri":"file:///music/2.flac","size":"small","format":"ppm"}"#)
      // The picture is a square of 14 columns and 7 lines, the first three and a half of which are red.
      #expect(outcome.text.contains("\u{1B}[\(expected)m" + String(repeating: "▀", count: 14)))
    }
  }

  @Test func anUnreadableFileOfPixelsIsShownAsItsPath() throws {
    let outcome = try run(["art"], try daemon(), answering: Self.plain)
    #expect(outcome.text.hasSuffix(Self.png + "\n") && !outcome.text.contains("▀"))
  }

  @Test func terminalWithoutGraphicsGetsThePath() throws {
    for (answer, more) in [(Self.plain, ["LANG": "C"]), (nil, ["NO_COLOR": "1"]), (nil, ["TERM": "dumb"])]
      as [(TerminalAnswers?, [String: String])]
    {
      let stub = try daemon()
      let outcome = try run(["art", "--size", "small"], stub, answering: answer, more)
      #expect(outcome.text.hasSuffix(Self.png + "\n"))
      #expect(!outcome.text.contains("iVBOR"))
      #expect(stub.requests == [#"art {"size":"small"}"#])
    }
    #expect(try run(["art", "--no-pictures"], try daemon(), answering: nil).text == Self.png + "\n")
  }

  /// The query ends after its timeout if the terminal does not respond, completely or at all.
  @Test func queryOfAnUnresponsiveTerminalTimesOut() throws {
    for answers in [
      TerminalAnswers(""), TerminalAnswers("\u{1B}P>|kit"),
      TerminalAnswers("\u{1B}P>|kitty(0.40)\u{1B}\\\u{1B}[?62;c", kitty: "\u{1B}_Gi=31;OK"),
    ] {
      let outcome = try run(["art"], try daemon(), answering: answers)
      #expect(outcome.text.hasSuffix(Self.png + "\n"))
    }
  }

  /// GNU Screen and tmux take the text of an application program command for a title. The first one states no name.
  @Test(arguments: [("tmux 3.3a", "\u{1B}[?1;2c"), ("screen 5.0.0", "\u{1B}[?1;2c"), (nil, "\u{1B}[?62;4c")])
  func onlyATerminalThatStatesItsNameReceivesApplicationProgramCommands(name: String?, attributes: String) throws {
    let folder = try TemporaryFolder()
    let stub = try pixelDaemon(folder)
    let process = try ClientProcess(
      ["status"], environment: ["SEGUE_SOCKET": stub.path.description, "TERM": "xterm-kitty"],
      on: .terminal(columns: 80))
    let requests = try #require(try process.read(upTo: "\u{1B}[c"))
    try process.type((name.map { "\u{1B}P>|\($0)\u{1B}\\" } ?? "") + attributes)
    let text = try process.finish().text
    #expect(!requests.contains("\u{1B}_") && !text.contains("\u{1B}_"))
    #expect(text.contains("stopped") || text.contains("playing"), "\(text)")
  }

  @Test func statusShowsTheCoverBesideTheText() throws {
    let stub = try daemon()
    let outcome = try run(["status"], stub, answering: Self.kitty)
    #expect(outcome.code == 0, "\(outcome.errorText)")
    // The picture may occupy 26 of 80 columns and 7 lines. With an aspect ratio of two to one, it occupies both.
    #expect(outcome.text.contains("c=26,r=7,"))
    let lines = outcome.text.split(separator: "\n").filter { $0.hasPrefix("\u{1B}[28C") }
    #expect(lines.count >= 4)
    #expect(stub.requests.count == 3)
    let alone = try run(["status", "--no-pictures"], try daemon(), answering: nil)
    #expect(!alone.text.contains("\u{1B}[28C"))
    #expect(!alone.text.contains("\u{1B}[c"))
  }

  @Test func artInAPipePrintsThePath() throws {
    let stub = try daemon()
    let outcome = try ClientProcess.run(
      ["art", "segue:album/12", "--size=full"], environment: ["SEGUE_SOCKET": stub.path.description])
    #expect(outcome.text == Self.png + "\n")
    #expect(stub.requests == [#"art {"uri":"segue:album/12","size":"full"}"#])
    let json = try ClientProcess.run(["art", "--json"], environment: ["SEGUE_SOCKET": stub.path.description])
    #expect(json.lines.count == 1)
    #expect(json.text.hasPrefix("{"))
    let wrong = try ClientProcess.run(["art", "--size", "huge"], environment: ["SEGUE_SOCKET": stub.path.description])
    #expect(wrong.code == 2)
    #expect(try ClientProcess.run(["list", "--size", "full"]).code == 2)
  }
}
