import SegueTestKit
import SegueWire
import SegueWorkerProtocol

/// A part of a failure that a test expects: its kind and a part of its message.
struct ExpectedFailure: Sendable {
  let kind: Failure.Kind
  let text: String

  init(_ kind: Failure.Kind, _ text: String) {
    self.kind = kind
    self.text = text
  }

  func matches(_ failure: Failure?) -> Bool { failure?.kind == kind && failure?.message.contains(text) == true }
}

extension FetchConnection {
  /// Returns the whole response of a new fetch process to a request for the stream at `url`.
  static func response(to url: String, at offset: Int64 = 0) throws -> Response {
    try response(to: url, at: offset, by: WorkerProcess(.fetch, ring: false))
  }

  /// Returns the whole response of `fetcher` to a request for the stream at `url`.
  static func response(
    to url: String, at offset: Int64 = 0, by fetcher: WorkerProcess, upTo maximum: Int = .max
  ) throws -> Response {
    try FetchConnection(to: fetcher, for: url).response(to: url, at: offset, upTo: maximum)
  }
}

extension WorkerProcess {
  /// Whether the process has never used more than 64 MiB. Sanitizers need a multiple, so with them there is no limit.
  var isWithinItsMemory: Bool {
    get throws { try Sanitizer.isOn || peakMemory < 64 << 20 }
  }
}

extension WebServer {
  /// Creates a server that sends the same text in response to every request, and closes the connection.
  convenience init(sending text: String) throws {
    try self.init { _, client in
      _ = client.send(text)
      return false
    }
  }
}

/// Returns the path in the head of a request.
func path(of request: String) -> String { request.split(separator: " ").dropFirst().first.map(String.init) ?? "" }

/// Returns the first byte that the head of a request asks for; nil if it has no range.
func start(of request: String) -> Int? {
  guard let match = request.firstMatch(of: /Range: bytes=(\d+)-/) else { return nil }
  return Int(match.1)
}

/// Returns `count` bytes, of which no short sequence occurs twice.
func numberedBytes(_ count: Int) -> [UInt8] {
  (0..<(count + 3) / 4).flatMap { number in withUnsafeBytes(of: UInt32(number).bigEndian) { Array($0) } }.dropLast(
    (4 - count % 4) % 4)
}
