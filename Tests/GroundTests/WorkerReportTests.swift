import SegueLink
import SegueRing
import SegueSystem
import SegueWire
import Testing

/// What the daemon makes of reports that no honest worker sends.
struct WorkerReportTests {
  @Test(arguments: [
    ("-9223372036854775808", MediaTime.zero), ("9223372036854775807", .longest), ("5", .init(nanoseconds: 5)),
  ])
  func timesAreThoseATrackCanHave(_ given: String, _ expected: MediaTime) throws {
    let title = WorkerReport(
      try JSON(parsing: #"{"report":"title","generation":1,"title":"x","at":\#(given)}"#))
    #expect(title == .title(Generation(1), "x", at: expected))
    let ended = WorkerReport(try JSON(parsing: #"{"report":"ended","generation":1,"duration":\#(given)}"#))
    #expect(ended == .ended(Generation(1), duration: expected))
  }
}
