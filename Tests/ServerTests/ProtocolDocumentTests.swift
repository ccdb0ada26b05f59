import SeguePlayer
import SegueSystem
import SegueWire
import Testing

@testable import SegueServer

/// The declaration of the protocol states limits that the code has, too.
@Suite struct ProtocolDocumentTests {
  private let document: JSON

  init() throws { document = try JSON(parsing: ProtocolDocument.text(version: "")) }

  private func method(_ name: String) throws -> JSON {
    try #require(document["methods"]?.elements?.first { $0["name"]?.string == name })
  }

  private func schema(_ parameter: String, of name: String) throws -> JSON {
    try #require(try method(name)["params"]?.elements?.first { $0["name"]?.string == parameter }?["schema"])
  }

  @Test func limitsOfQueue_areInSummaries() throws {
    let (added, undone) = (try method("queue.add")["summary"]?.string, try method("queue.undo")["summary"]?.string)
    #expect(added?.contains("at most \(PlayQueue.capacity) entries") == true)
    #expect(undone?.contains("The last \(QueueHistory.maximumSteps) changes") == true)
  }

  @Test func rangesOfNumbers_areThoseOfTypes() throws {
    for (method, parameter, range) in [
      ("speed", "factor", PlaybackSpeed.slowest.factor...PlaybackSpeed.fastest.factor), ("gain", "preamp", Gain.range),
      ("sleep", "seconds", 0...MediaTime.maximum.seconds),
    ] {
      let schema = try schema(parameter, of: method)
      #expect(schema["minimum"]?.double == range.lowerBound, "\(method)")
      #expect(schema["maximum"]?.double == range.upperBound, "\(method)")
    }
  }

  @Test func version_isThatOfProgram() throws {
    let document = try JSON(parsing: ProtocolDocument.text(version: "1.2.3"))
    #expect(document["info"]?["version"]?.string == "1.2.3")
  }

  @Test func document_hasNoLineFeed() { #expect(!ProtocolDocument.text(version: "1").contains("\n")) }
}
