/// A text, or other bytes, as an argument of a parameterised test. The output of the tests contains every argument; of
/// this one, which may have megabytes, it contains only the beginning.
public struct LongArgument: Sendable, CustomStringConvertible {
  public let bytes: [UInt8]

  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  public init(_ text: String) { self.init(Array(text.utf8)) }

  public var text: String { String(decoding: bytes, as: UTF8.self) }

  public var description: String {
    let limit = 200
    let beginning = String(reflecting: String(decoding: bytes.prefix(limit), as: UTF8.self))
    return bytes.count > limit ? "\(beginning)… (\(bytes.count) bytes)" : beginning
  }
}
