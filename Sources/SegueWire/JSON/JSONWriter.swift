public import SegueSystem

/// Writes JSON (RFC 8259) by appending to one buffer, without a tree between: a `Status` costs about a microsecond.
///
/// Commas write themselves: the byte before says whether one is due. The caller balances braces.
public struct JSONWriter: Sendable {
  public private(set) var bytes: [UInt8] = []

  public init() {}

  public mutating func reserve(_ count: Int) { bytes.reserveCapacity(count) }

  /// Empties the buffer and keeps its memory.
  public mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  public mutating func beginObject() { open(UInt8(ascii: "{")) }
  public mutating func endObject() { bytes.append(UInt8(ascii: "}")) }
  public mutating func beginArray() { open(UInt8(ascii: "[")) }
  public mutating func endArray() { bytes.append(UInt8(ascii: "]")) }

  /// A member's name, which needs no escaping.
  public mutating func key(_ name: StaticString) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    name.withUTF8Buffer { bytes.append(contentsOf: $0) }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
  }

  /// A member's name that is known only when it is written.
  public mutating func key(named name: String) {
    string(name)
    bytes.append(UInt8(ascii: ":"))
  }

  public mutating func string(_ text: String) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { appendEscaped($0) }
    bytes.append(UInt8(ascii: "\""))
  }

  public mutating func integer(_ value: some BinaryInteger) {
    separate()
    appendDecimal(Int64(value))
  }

  public mutating func bool(_ value: Bool) {
    separate()
    bytes.append(contentsOf: value ? Self.trueBytes : Self.falseBytes)
  }

  public mutating func null() {
    separate()
    bytes.append(contentsOf: Self.nullBytes)
  }

  /// Seconds, exact to the nanosecond and without trailing zeros: `2.5`, `180`, `-0.000000001`.
  public mutating func seconds(_ time: MediaTime) { decimal(nanos: time.nanoseconds) }

  /// A finite number; JSON knows no other, so infinities and NaN are written as null.
  public mutating func double(_ value: Double) {
    guard value.isFinite else { return null() }
    separate()
    if let whole = Int64(exactly: value) { appendDecimal(whole) } else { bytes.append(contentsOf: "\(value)".utf8) }
  }

  /// JSON that was written before, or digits the caller vouches for.
  public mutating func raw(_ json: some Collection<UInt8>) {
    separate()
    bytes.append(contentsOf: json)
  }

  /// Ends a line.
  public mutating func endLine() { bytes.append(UInt8(ascii: "\n")) }

  /// A comma between values that a `removeAll` may have parted.
  public mutating func comma() { bytes.append(UInt8(ascii: ",")) }

  /// Writes again what was read, so that an id comes back as it was sent.
  public mutating func value(_ value: JSON) {
    switch value.kind {
    case .null: null()
    case .bool: bool(value.bool ?? false)
    case .integer: integer(value.integer ?? 0)
    case .real: raw("\(value.double ?? 0)".utf8)
    case .string: string(value.string ?? "")
    case .array:
      beginArray()
      for element in value.elements ?? [] { self.value(element) }
      endArray()
    case .object:
      beginObject()
      for name in value.names {
        key(named: name)
        if let member = value[name] { self.value(member) } else { null() }
      }
      endObject()
    }
  }

  // MARK: The bytes

  private static let trueBytes = Array("true".utf8)
  private static let falseBytes = Array("false".utf8)
  private static let nullBytes = Array("null".utf8)
  private static let hexDigits = Array("0123456789abcdef".utf8)

  private mutating func open(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
  }

  /// A comma, unless a bracket, a colon, a comma or a line's start stands before.
  private mutating func separate() {
    switch bytes.last {
    case nil, UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"), UInt8(ascii: ","), UInt8(ascii: "\n"): break
    default: bytes.append(UInt8(ascii: ","))
    }
  }

  private mutating func decimal(nanos: Int64) {
    separate()
    if nanos < 0 { bytes.append(UInt8(ascii: "-")) }
    let (whole, rest) = nanos.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
    appendDecimal(Int64(whole))
    guard rest > 0 else { return }
    bytes.append(UInt8(ascii: "."))
    var divisor: UInt64 = 100_000_000
    var left = rest
    while left > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(left / divisor))
      left %= divisor
      divisor /= 10
    }
  }

  private mutating func appendDecimal(_ value: Int64) {
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    let start = bytes.count
    var rest = value.magnitude
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    bytes[start...].reverse()
  }

  private mutating func appendEscaped(_ text: UnsafeBufferPointer<UInt8>) {
    var clean = 0
    for (index, byte) in text.enumerated() where byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    {
      bytes.append(contentsOf: text[clean..<index])
      clean = index + 1
      bytes.append(UInt8(ascii: "\\"))
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
      case 0x0A: bytes.append(UInt8(ascii: "n"))
      case 0x0D: bytes.append(UInt8(ascii: "r"))
      case 0x09: bytes.append(UInt8(ascii: "t"))
      default:
        bytes.append(contentsOf: "u00".utf8)
        bytes.append(Self.hexDigits[Int(byte >> 4)])
        bytes.append(Self.hexDigits[Int(byte & 15)])
      }
    }
    bytes.append(contentsOf: text[clean...])
  }
}

extension JSONWriter {
  /// `name` and its value, null when there is none.
  public mutating func member(_ name: StaticString, _ value: String?) {
    key(name)
    if let value { string(value) } else { null() }
  }

  public mutating func member(_ name: StaticString, _ value: (some BinaryInteger)?) {
    key(name)
    if let value { integer(value) } else { null() }
  }

  public mutating func member(_ name: StaticString, _ value: Bool) {
    key(name)
    bool(value)
  }

  public mutating func member(_ name: StaticString, _ value: MediaTime?) {
    key(name)
    if let value { seconds(value) } else { null() }
  }

  public mutating func member(_ name: StaticString, _ values: [String]) {
    key(name)
    beginArray()
    for value in values { string(value) }
    endArray()
  }

  public mutating func member(_ name: StaticString, _ value: (some JSONEncodable)?) {
    key(name)
    if let value { value.encode(into: &self) } else { null() }
  }

  public mutating func member(_ name: StaticString, _ values: [some JSONEncodable]) {
    key(name)
    beginArray()
    for value in values { value.encode(into: &self) }
    endArray()
  }
}

/// What has a shape in the protocol.
public protocol JSONEncodable: Sendable {
  func encode(into json: inout JSONWriter)
}

/// What can be read back. A member that is missing or of another kind is unknown, not an error: a client outlives its daemon.
public protocol JSONDecodable: Sendable {
  init(_ json: JSON)
}
