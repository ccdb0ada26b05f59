public import SegueWire

/// The result of a request: as the daemon has sent it, and decoded.
public struct Response<Value: JSONDecodable> {
  public let json: JSON

  public init(_ json: JSON) { self.json = json }

  /// The decoded result. Each access decodes it again.
  public var value: Value { Value(json) }
}
