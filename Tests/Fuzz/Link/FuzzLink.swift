import SegueSystem
import SegueWire

@testable import SegueLink

/// A packet of a worker that a file has taken over; and, since they are written alike, the daemon's orders.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzLink(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let packet = LinkPacket(bytes: Array(UnsafeRawBufferPointer(start: bytes, count: count)))
  if let report = WorkerEvent(packet) {
    check(report)
    precondition(WorkerEvent(written(report)) == report, "a report that is read otherwise once written")
  }
  if let json = packet.json, let order = WorkerCommand(json) {
    precondition(
      written(order).json.flatMap(WorkerCommand.init) == order, "an order that is read otherwise once written")
  }
  return 0
}

/// What every track of a queue may keep of it.
private func check(_ report: WorkerEvent) {
  switch report {
  case .opened(_, let info), .probed(_, let info):
    precondition(info.metadata == info.metadata.bounded, "more text than is kept")
    if let duration = info.duration { precondition((.zero ... .maximum).contains(duration), "no duration") }
  case .failed(_, let failure), .failedProbe(_, let failure), .incomplete(_, let failure):
    precondition(failure.message.utf8.count <= Metadata.maximumTextSize, "a long reason")
  case .title(_, let title, let time):
    precondition(title.utf8.count <= Metadata.maximumTextSize, "a long title")
    precondition((.zero ... .maximum).contains(time), "no time")
  case .faded(_, let time, _):
    precondition((.zero ... .maximum).contains(time), "no time")
  case .ended(_, let duration):
    precondition((.zero ... .maximum).contains(duration), "no duration")
  case .scanned(_, let results):
    precondition(results.count <= WorkerCommand.maximumScanFiles, "more files than asked for")
    for result in results { check(result) }
  case .lyrics(_, let text):
    precondition((text?.utf8.count ?? 0) <= WorkerEvent.maximumLyricsSize, "a long song")
  case .cover(_, let cover):
    precondition((0...CoverInfo.maximumSize).contains(cover?.size ?? 0), "a large picture")
  case .collated(_, let keys, _):
    precondition(keys.allSatisfy { $0.count <= SortKeys.maximumKeySize }, "a long key")
  case .measured(_, let gain):
    precondition((-64...64).contains(gain.trackGain ?? 0), "no gain")
  case .transcoded(_, let size):
    precondition(size >= 0, "no size")
  case .ready:
    break
  }
}

private func check(_ result: ScanResult) {
  guard case .facts(let facts) = result else { return }
  precondition(facts.info.metadata == facts.info.metadata.bounded, "more text than is kept")
  precondition(facts.details == facts.details.bounded, "more text than is kept")
  precondition(facts.chapters == Chapter.bounded(facts.chapters), "more chapters than are kept")
}

private func written(_ message: some LinkMessage) -> LinkPacket {
  var packet = JSONWriter()
  message.write(into: &packet)
  // What is no UTF-8 takes three times as much once it was mended.
  let isScanned = if case .scanned = message as? WorkerEvent { true } else { false }
  precondition(isScanned || packet.count <= LinkSocket.maximumPacketSize, "a message that fits no packet")
  return LinkPacket(bytes: packet.bytes)
}
