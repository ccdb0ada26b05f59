import Testing

@testable import SegueClientKit

/// Tests of the query of a terminal for its capabilities to display pictures.
@Suite struct GraphicsQueryTests {
  /// Returns the first step after responses with a name and device attributes.
  private func step(name: String?, _ attributes: String, _ query: inout GraphicsQuery) -> GraphicsQuery.Step {
    if let name { query.collect("\u{1B}P>|\(name)\u{1B}\\".utf8) }
    query.collect("\u{1B}[6;18;9t".utf8)
    return query.receive("\u{1B}[?\(attributes)c".utf8)
  }

  @Test func theFirstRequestsHaveNoApplicationProgramCommand() {
    #expect(!GraphicsQuery.requests.contains("\u{1B}_"))
  }

  @Test(arguments: ["tmux 3.3a", "tmux next-3.6"]) func tmuxIsRecognizedAndNotAskedForKittyGraphics(name: String) {
    var query = GraphicsQuery()
    #expect(step(name: name, "1;2", &query) == .tmux(nil))
    guard case .tmux(let terminal?) = step(name: name, "62;4", &query) else {
      Issue.record("sixels are not recognized")
      return
    }
    #expect(terminal.graphicsProtocol == .sixel)
  }

  @Test(arguments: [nil, "screen 5.0.0", "Screen"])
  func aTerminalWithoutANameAndAMultiplexerAreNotAskedForKittyGraphics(name: String?) {
    var query = GraphicsQuery()
    #expect(step(name: name, "1;2", &query) == .result(nil))
    guard case .result(let terminal?) = step(name: name, "62;4", &query) else {
      Issue.record("sixels are not recognized")
      return
    }
    #expect(terminal.graphicsProtocol == .sixel && terminal.cellSize == (width: 9, height: 18))
  }

  @Test(arguments: ["kitty(0.40)", "ghostty 1.1", "Konsole 22.12", "WezTerm 20240203"])
  func aTerminalWithANameIsAskedForKittyGraphicsOnce(name: String) {
    for (answer, knows) in [("\u{1B}_Gi=31;OK\u{1B}\\", true), ("\u{1B}_Gi=31;EINVAL\u{1B}\\", false), ("", false)] {
      var query = GraphicsQuery()
      guard case .request(let request) = step(name: name, "62", &query) else {
        Issue.record("there is no second request")
        return
      }
      #expect(request.hasPrefix("\u{1B}_G") && request.hasSuffix("\u{1B}[c"))
      query.collect(answer.utf8)
      guard case .result(let terminal) = query.receive("\u{1B}[?62c".utf8) else {
        Issue.record("the query does not end")
        return
      }
      #expect((terminal?.graphicsProtocol == .kitty) == knows)
    }
  }

  /// A terminal that sends no end is no reason to keep everything.
  @Test func responsesBeyondTheLimitAreDropped() {
    var query = GraphicsQuery()
    for _ in 0..<10_000 { query.collect("\u{1B}[6;18;9t".utf8) }
    #expect(step(name: "kitty(0.40)", "62", &query) == .result(nil))
  }
}
