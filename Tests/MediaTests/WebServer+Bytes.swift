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
