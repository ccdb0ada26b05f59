import SegueSystem
import SegueWorkerProtocol

@testable import SegueFetch

/// Reads the input as the response of a server: the fields of its head, and its body with ICY metadata.
func fuzzResponses(_ input: UnsafeRawBufferPointer) {
  let end = zip(input, input.dropFirst()).enumerated().first { $1.0 == 0x0A && $1.1 == 0x0A }?.offset
  let (fields, body) = (input.prefix(end ?? input.count), input.dropFirst(end.map { $0 + 2 } ?? input.count))
  let head = HTTPHead(status: 206, url: "http://h/", scope: .public, firstScope: .public, fields: parsed(fields))
  check(head)
  if let interval = head["icy-metaint"].flatMap({ Int($0) }), let splitter = ICYSplitter(interval: interval) {
    check(splitter, Array(body))
  }
}

/// Returns the fields of a head, each on a line.
private func parsed(_ bytes: some BidirectionalCollection<UInt8>) -> HeaderFields {
  var fields = HeaderFields()
  for line in bytes.split(separator: 0x0A) { Array(line).withUnsafeBytes { fields.add(line: $0) } }
  return fields
}

private func check(_ head: HTTPHead) {
  precondition((head.contentLength ?? 0) >= 0, "an invalid length")
  if let range = head.contentRange {
    precondition(range.start >= 0 && range.size.map { $0 > range.start } ?? true, "an invalid range")
  }
  if let type = head.mediaType { precondition(!type.contains { $0 == ";" || $0 == " " }, "an invalid media type") }
  _ = head.isStation
  _ = head["date"].flatMap(UnixTime.init(httpDate:))
}

/// Checks that the parts of a body do not depend on how it arrives.
private func check(_ splitter: ICYSplitter, _ body: [UInt8]) {
  let whole = parts(of: body, splitter, piece: body.count)
  for piece in [1, 7] {
    let pieces = parts(of: body, splitter, piece: piece)
    precondition(pieces.audio == whole.audio && pieces.metadata == whole.metadata, "the parts depend on the pieces")
  }
  precondition(whole.audio.count <= body.count, "more audio than bytes")
  precondition(whole.metadata.allSatisfy { $0.count <= 255 * 16 && !$0.contains(0) }, "invalid metadata")
}

private func parts(
  of body: [UInt8], _ splitter: ICYSplitter, piece: Int
) -> (audio: [UInt8], metadata: [[UInt8]]) {
  var splitter = splitter
  var audio: [UInt8] = []
  var metadata: [[UInt8]] = []
  for start in stride(from: 0, to: body.count, by: max(piece, 1)) {
    let bytes = Array(body[start..<min(start + piece, body.count)])
    for part in bytes.withUnsafeBytes({ splitter.split($0) }) {
      switch part {
      case .audio(let range): audio += bytes[range]
      case .metadata(let text): metadata.append(text)
      }
    }
  }
  return (audio, metadata)
}
