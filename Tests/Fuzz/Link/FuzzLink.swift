import SegueSystem
import SegueWire

@testable import SegueLink

/// A packet of a worker that a file has taken over; and, since they are written alike, the daemon's orders.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzLink(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  guard let json = try? JSON(parsing: UnsafeRawBufferPointer(start: bytes, count: count)) else { return 0 }
  if let report = WorkerReport(json) {
    check(report)
    precondition(WorkerReport(written(report)) == report, "a report that is read otherwise once written")
  }
  if let order = WorkerOrder(json) {
    precondition(WorkerOrder(written(order)) == order, "an order that is read otherwise once written")
  }
  return 0
}

/// What every track of a queue may keep of it.
private func check(_ report: WorkerReport) {
  switch report {
  case .opened(_, let info), .probed(_, let info):
    precondition(info.metadata == info.metadata.bounded, "more text than is kept")
    if let duration = info.duration { precondition((.zero ... .longest).contains(duration), "no duration") }
  case .failed(_, let failure), .failedProbe(_, let failure):
    precondition(failure.message.utf8.count <= Metadata.longestText, "a long reason")
  case .title(_, let title, let time):
    precondition(title.utf8.count <= Metadata.longestText, "a long title")
    precondition((.zero ... .longest).contains(time), "no time")
  case .ended(_, let duration):
    precondition((.zero ... .longest).contains(duration), "no duration")
  case .ready:
    break
  }
}

private func written(_ message: some JSONEncodable) -> JSON {
  var json = JSONWriter()
  message.encode(into: &json)
  precondition(json.count <= LinkSocket.largestPacket, "a message that fits no packet")
  guard let read = try? JSON(parsing: json.bytes) else { preconditionFailure("a message that is none") }
  return read
}
