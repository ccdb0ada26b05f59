internal import Glibc
internal import SegueSystem

extension WebServer {
  public enum Page: Sendable {
    /// A file that supports range requests.
    case file([UInt8])
    /// A radio stream: a WAVE header and endless numbered frames, in real time after an initial burst.
    case radio(burst: Int)
    /// A file without range requests, whose remainder after the first bytes arrives when an event has happened.
    case hesitant([UInt8], after: Int, until: TestEvent)
    /// A response with this status code and no body.
    case error(Int)
  }

  /// Creates a server with one page.
  public convenience init(_ page: Page) throws { try self.init { request, client in page.respond(request, client) } }
}

extension WebServer.Page {
  /// Returns false to close the connection.
  fileprivate func respond(_ request: String, _ client: WebServer.Connection) -> Bool {
    switch self {
    case .error(let code):
      return client.send("HTTP/1.1 \(code) No\r\nContent-Length: 0\r\n\r\n")
    case .hesitant(let bytes, let first, let event):
      let head = "HTTP/1.1 200 OK\r\nContent-Type: audio/wav\r\nContent-Length: \(bytes.count)\r\n\r\n"
      guard client.send(head), client.send(Array(bytes[..<first])) else { return false }
      event.wait()
      return client.send(Array(bytes[first...]))
    case .radio(let burst):
      // This length means unknown.
      var header = AudioFile.wave([])
      for index in [4, 5, 6, 7, 40, 41, 42, 43] { header[index] = 0xFF }
      let head = "HTTP/1.1 200 OK\r\nContent-Type: audio/wav\r\nicy-name: Test\r\nConnection: close\r\n\r\n"
      guard client.send(head), client.send(header), client.send(Signal.pcm(0..<burst)) else { return false }
      var frame = burst
      let start = MonotonicTime.now
      while client.send(Signal.pcm(frame..<(frame + 4_410))) {
        frame += 4_410
        let ahead = start + SampleRate.cd.time(of: Frames(frame - burst)) - MonotonicTime.now
        // A radio stream arrives in real time.
        if client.waitForEnd(within: ahead) { break }
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
  /// Returns the index after the first occurrence of `text`.
  fileprivate func end(of text: String) -> Index? {
    indices.first { self[$0...].hasPrefix(text) }.map { index($0, offsetBy: text.count) }
  }
}
