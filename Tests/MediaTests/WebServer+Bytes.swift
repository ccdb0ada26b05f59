import SegueTestKit

extension WebServer {
  /// Creates a server that responds to every request with the same bytes and closes the connection.
  convenience init(_ headers: [String], _ body: [UInt8]) throws {
    let head = (["HTTP/1.0 200 OK", "Content-Type: application/octet-stream"] + headers + ["", ""])
      .joined(separator: "\r\n")
    try self.init { _, client in
      _ = client.send(Array(head.utf8) + body)
      return false
    }
  }
}

extension WebServer {
  /// Creates a server that responds to every request with the same file, or with the part of it that is requested.
  /// - Parameter limit: The number of bytes after which the server disconnects in the middle of a response.
  /// - Parameter onSent: Called on the thread of the connection with the size of each part of the file that the client
  ///   has received or that waits for it.
  convenience init(
    serving file: [UInt8], disconnectingAfter limit: Int = .max, onSent: @escaping @Sendable (Int) -> Void = { _ in }
  ) throws {
    try self.init { request, client in
      var start = 0
      var head = "HTTP/1.1 200 OK\r\n"
      if let range = request.lowercased().split(separator: "\r\n").first(where: { $0.hasPrefix("range: bytes=") }) {
        start = Int(range.dropFirst("range: bytes=".count).prefix { $0 != "-" }) ?? 0
        head = "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes \(start)-\(file.count - 1)/\(file.count)\r\n"
      }
      guard start < file.count else {
        return client.send("HTTP/1.1 416 Range Not Satisfiable\r\nContent-Length: 0\r\n\r\n")
      }
      head += "Accept-Ranges: bytes\r\nContent-Length: \(file.count - start)\r\n\r\n"
      let body = file[start...].prefix(limit)
      guard client.send(head) else { return false }
      for offset in stride(from: body.startIndex, to: body.endIndex, by: 16_384) {
        let part = body[offset...].prefix(16_384)
        guard client.send(Array(part)) else { return false }
        onSent(part.count)
      }
      return start + body.count == file.count
    }
  }
}
