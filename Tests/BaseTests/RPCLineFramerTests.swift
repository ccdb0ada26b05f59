import SegueWire
import Testing

@Suite struct RPCLineFramerTests {
  /// Appends `pieces` to a framer and returns the lines.
  private func lines(of pieces: [[UInt8]], ending: Bool = true) -> [String] {
    var framer = LineFramer()
    var lines: [String] = []
    for piece in pieces {
      piece.withUnsafeBytes { framer.append($0) }
      while let line = framer.next({ String(decoding: $0, as: UTF8.self) }) { lines.append(line) }
    }
    if ending { framer.end() }
    while let line = framer.next({ String(decoding: $0, as: UTF8.self) }) { lines.append(line) }
    return lines
  }

  @Test(arguments: [1, 2, 3, 7, 1_000])
  func lines_areIndependentOfReadSizes(size: Int) {
    let text = Array("one\ntwo\r\n\n\r\nfive \rstill\nlast".utf8)
    let pieces = stride(from: 0, to: text.count, by: size).map { Array(text[$0..<min($0 + size, text.count)]) }
    #expect(lines(of: pieces) == ["one", "two", "", "", "five \rstill", "last"])
  }

  @Test func incompleteLine_isNotReturned() {
    #expect(lines(of: [Array("one\ntw".utf8)], ending: false) == ["one"])
  }

  @Test func emptyRest_isNotALine() {
    #expect(lines(of: []) == [])
    #expect(lines(of: [Array("one\n".utf8)]) == ["one"])
  }

  @Test func line_isLimitedToMaximumLength() {
    var framer = LineFramer()
    let longest = [UInt8](repeating: UInt8(ascii: "x"), count: LineFramer.maximumLineLength)
    (longest + Array("\n".utf8)).withUnsafeBytes { framer.append($0) }
    #expect(framer.next { $0.count } == LineFramer.maximumLineLength)
    #expect(!framer.isOverrun)
    (longest + Array("x\nafter\n".utf8)).withUnsafeBytes { framer.append($0) }
    #expect(framer.next { $0.count } == nil)
    #expect(framer.isOverrun)
    #expect(framer.next { $0.count } == nil, "the rest is not returned as a line")
  }

  /// The limit does not include the end of the line, of which the CR may be read before the LF.
  @Test func longestLine_mayEndInCRLFThatIsReadInTwoPieces() {
    var framer = LineFramer()
    let longest = [UInt8](repeating: UInt8(ascii: "x"), count: LineFramer.maximumLineLength)
    (longest + Array("\r".utf8)).withUnsafeBytes { framer.append($0) }
    #expect(framer.next { $0.count } == nil)
    #expect(!framer.isOverrun)
    Array("\nafter\n".utf8).withUnsafeBytes { framer.append($0) }
    #expect(framer.next { $0.count } == LineFramer.maximumLineLength)
    #expect(framer.next { $0.count } == 5)
    // A CR within the line counts.
    (longest + Array("\r".utf8)).withUnsafeBytes { framer.append($0) }
    #expect(framer.next { $0.count } == nil)
    Array("x".utf8).withUnsafeBytes { framer.append($0) }
    #expect(framer.next { $0.count } == nil)
    #expect(framer.isOverrun)
  }

  @Test func unterminatedLine_overrunsBeforeItsEnd() {
    var framer = LineFramer()
    [UInt8](repeating: 0, count: LineFramer.maximumLineLength + 1).withUnsafeBytes { framer.append($0) }
    #expect(framer.next { $0.count } == nil)
    #expect(framer.isOverrun)
  }
}
