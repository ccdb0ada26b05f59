public import SegueWire

/// The result of a request: as the daemon has sent it, and decoded.
public struct Answer<Value: JSONDecodable> {
  public let json: JSON

  public init(_ json: JSON) { self.json = json }

  public var value: Value { Value(json) }
}
