import Glibc
import SegueSystem
import SegueTestKit

extension WebServer {
  enum Page: Sendable {
    /// A file that can be asked for in parts.
    case file([UInt8])
    /// A radio: a wave header and numbered frames without end, in real time after so many at once.
    case radio(burst: Int)
    /// A file of which so many bytes come, and the rest nearly a second later.
    case hesitant([UInt8], after: Int)
    /// Nothing but a status line with this code.
    case refusal(Int)
  }

  /// One of one page.
  convenience init(_ page: Page) throws { try self.init { request, client in page.answer(request, client) } }
}

extension WebServer.Page {
  /// False to hang up.
  fileprivate func answer(_ request: String, _ client: WebServer.Connection) -> Bool {
    switch self {
    case .refusal(let code):
      return client.send("HTTP/1.1 \(code) No\r\nContent-Length: 0\r\n\r\n")
    case .hesitant(let bytes, let first):
      let head = "HTTP/1.1 200 OK\r\nContent-Type: audio/wav\r\nContent-Length: \(bytes.count)\r\n\r\n"
      guard client.send(head), client.send(Array(bytes[..<first])) else { return false }
      // The delay is the fault.
      usleep(900_000)
      return client.send(Array(bytes[first...]))
    case .radio(let burst):
      // A length that says: not known.
      var header = AudioFile.wave([])
      for index in [4, 5, 6, 7, 40, 41, 42, 43] { header[index] = 0xFF }
      let head = "HTTP/1.1 200 OK\r\nContent-Type: audio/wav\r\nicy-name: Test\r\nConnection: close\r\n\r\n"
      guard client.send(head), client.send(header), client.send(Signal.pcm(0..<burst)) else { return false }
      var frame = burst
      let start = MonotonicTime.now
      while client.send(Signal.pcm(frame..<(frame + 4_410))) {
        frame += 4_410
        let ahead = start + SampleRate.cd.time(of: Frames(frame - burst)) - MonotonicTime.now
        // Real time is what a radio gives.
        usleep(UInt32(max(0, ahead.nanoseconds / 1_000)))
      }
      return false
    case .file(let bytes):
      var range = 0..<bytes.count
      var status = "200 OK"
      if let start = request.end(of: "bytes=") {
        let from = min(Int(request[start...].prefix { $0.isNumber }) ?? 0, bytes.count)
        range = from..<bytes.count
        status = "206 Partial Content\r\nContent-Range: bytes \(from)-\(bytes.count - 1)/\(bytes.count)"
      }
      let head = "HTTP/1.1 \(status)\r\nContent-Type: audio/wav\r\nAccept-Ranges: bytes\r\n"
      return client.send("\(head)Content-Length: \(range.count)\r\n\r\n") && client.send(Array(bytes[range]))
    }
  }
}

extension String {
  /// Behind where `text` stands first.
  fileprivate func end(of text: String) -> Index? {
    indices.first { self[$0...].hasPrefix(text) }.map { index($0, offsetBy: text.count) }
  }
}
