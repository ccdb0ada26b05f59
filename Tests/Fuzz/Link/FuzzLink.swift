import SegueSystem
import SegueWire

@testable import SegueWorkerProtocol

/// Reads the input as a message of a malicious worker or fetch process, and as a command of the daemon: all have one
/// format.
func fuzzLink(_ input: UnsafeRawBufferPointer) {
  let packet = LinkPacket(bytes: Array(input))
  if let event = WorkerEvent(packet) {
    check(event)
    precondition(WorkerEvent(written(event)) == event, "an event changes when it is encoded and decoded")
  }
  if let json = packet.json, let command = WorkerCommand(json) {
    precondition(
      written(command).json.flatMap(WorkerCommand.init) == command, "a command changes when it is encoded and decoded")
  }
  if let json = packet.json, let command = FetchCommand(json) {
    precondition(
      written(command).json.flatMap(FetchCommand.init) == command, "a command changes when it is encoded and decoded")
  }
  if let request = FetchRequest(packet) {
    if case .open(_, let url, let offset) = request {
      precondition(url.utf8.count <= FetchRequest.maximumURLSize && offset >= 0, "an invalid request")
    }
    precondition(FetchRequest(written(request)) == request, "a request changes when it is encoded and decoded")
  }
  if let response = FetchResponse(packet) {
    check(response)
    precondition(FetchResponse(written(response)) == response, "a response changes when it is encoded and decoded")
  }
}

/// Checks that the values of an event are within their limits.
private func check(_ event: WorkerEvent) {
  switch event {
  case .decoding(_, .opened(let info)), .response(_, .probed(let info)):
    precondition(info.metadata == info.metadata.bounded, "a text is too long")
    if let duration = info.duration { precondition((.zero ... .maximum).contains(duration), "an invalid duration") }
  case .decoding(_, .failed(let failure)), .decoding(_, .incomplete(let failure)), .response(_, .failed(let failure)):
    precondition(failure.message.utf8.count <= Metadata.maximumTextSize, "a message is too long")
  case .decoding(_, .title(let title, let time)):
    precondition((title?.utf8.count ?? 0) <= Metadata.maximumTextSize, "a title is too long")
    precondition((.zero ... .maximum).contains(time), "an invalid time")
  case .decoding(_, .faded(let time, _)), .decoding(_, .cutOff(_, let time)):
    precondition((.zero ... .maximum).contains(time), "an invalid time")
  case .decoding(_, .ended(let duration)):
    precondition((.zero ... .maximum).contains(duration), "an invalid duration")
  case .response(_, .scanned(let results)):
    precondition(results.count <= WorkerRequest.maximumScanFiles, "too many results")
    for result in results { check(result) }
  case .response(_, .lyrics(let text)):
    precondition((text?.utf8.count ?? 0) <= WorkerResponse.maximumLyricsSize, "lyrics are too long")
  case .response(_, .cover(let cover)):
    precondition((0...CoverInfo.maximumSize).contains(cover?.size ?? 0), "a picture is too large")
  case .response(_, .collated(let keys, _)):
    precondition(keys.allSatisfy { $0.count <= SortKeys.maximumKeySize }, "a key is too long")
  case .response(_, .measured(let gain)):
    precondition((-64...64).contains(gain.trackGain ?? 0), "an invalid gain")
  case .response(_, .transcoded(let size)):
    precondition(size >= 0, "an invalid size")
  case .decoding(_, .sourceNeeded), .decoding(_, .decoded), .decoding(_, .interrupted), .decoding(_, .resumed), .ready,
    .idle, .pong:
    break
  }
}

/// Checks that the values of a response of the fetch process are within their limits.
private func check(_ response: FetchResponse) {
  switch response {
  case .opened(_, let resource):
    precondition((resource.size ?? 0) >= 0, "an invalid size")
    precondition((resource.stationName?.count ?? 0) <= FetchedResource.maximumNameSize, "a name is too long")
  case .failed(_, let failure):
    precondition(failure.message.utf8.count <= Metadata.maximumTextSize, "a message is too long")
  case .metadata, .interrupted, .resumed, .ended:
    break
  }
}

private func check(_ result: ScanResult) {
  guard case .facts(let facts) = result else { return }
  precondition(facts.info.metadata == facts.info.metadata.bounded, "a text is too long")
  precondition(facts.details == facts.details.bounded, "a text is too long")
  precondition(facts.chapters == Chapter.bounded(facts.chapters), "too many chapters")
}

private func written(_ message: some LinkMessage) -> LinkPacket {
  var packet = JSONWriter()
  message.write(into: &packet)
  // Invalid UTF-8 takes three times as much memory after it is replaced.
  let isScanned = if case .response(_, .scanned) = message as? WorkerEvent { true } else { false }
  precondition(isScanned || packet.count <= LinkSocket.maximumPacketSize, "a message does not fit into a packet")
  return LinkPacket(bytes: packet.bytes)
}
