public import SegueSystem

/// A response to a request.
public struct HTTPResponse {
  /// The content after the header.
  public enum Body {
    case bytes([UInt8])
    /// A text in the program, which is not copied.
    case constant(StaticString)
    /// A file, with its size in bytes.
    case file(SharedDescriptor, size: UInt64)
    /// Events, until the stream or the connection ends.
    case events(EventStream)
  }

  public var status: Int
  public var headers: [(name: String, value: String)]
  public var body: Body

  public init(_ status: Int, headers: [(name: String, value: String)] = [], body: Body = .bytes([])) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}
