internal import Glibc
public import SegueSystem

/// A writer that appends JSON (RFC 8259) to one buffer, without a tree of values: encoding a `Status` takes about a
/// microsecond.
///
/// The writer adds commas by itself, depending on the previous byte. The caller balances brackets.
public struct JSONWriter: ~Copyable, @unchecked Sendable {
  // Proof: only this value, which cannot be copied, accesses the memory.
  private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  /// The number of bytes written.
  public private(set) var count = 0

  public init() {}

  deinit { free(memory.baseAddress) }

  public var isEmpty: Bool { count == 0 }

  /// A copy of the bytes written.
  public var bytes: [UInt8] { Array(memory[..<count]) }

  /// Calls `body` with the bytes written.
  public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    body(UnsafeRawBufferPointer(rebasing: memory[..<count]))
  }

  public mutating func reserve(_ count: Int) { makeRoom(max(0, count - self.count)) }

  /// Empties the buffer and keeps its memory.
  public mutating func removeAll() { count = 0 }

  public mutating func beginObject() { open(UInt8(ascii: "{")) }
  public mutating func endObject() { append(UInt8(ascii: "}")) }
  public mutating func beginArray() { open(UInt8(ascii: "[")) }
  public mutating func endArray() { append(UInt8(ascii: "]")) }

  /// Writes the name of a member, which must not need escaping.
  public mutating func key(_ name: StaticString) {
    separate(roomFor: name.utf8CodeUnitCount + 3)
    put(UInt8(ascii: "\""))
    put(name)
    put(UInt8(ascii: "\""))
    put(UInt8(ascii: ":"))
  }

  /// Writes the name of a member that is not known at compile time.
  public mutating func key(named name: String) {
    string(name)
    append(UInt8(ascii: ":"))
  }

  public mutating func string(_ text: String) {
    var text = text
    text.withUTF8 { utf8 in
      separate(roomFor: utf8.count + 2)
      put(UInt8(ascii: "\""))
      if Self.needsEscaping(utf8) { appendEscaped(utf8) } else { put(UnsafeRawBufferPointer(utf8)) }
      append(UInt8(ascii: "\""))
    }
  }

  public mutating func integer(_ value: Int64) {
    separate(roomFor: Self.maximumDigits)
    putDecimal(value)
  }

  // This function is inlinable because a generic call from another module would look up type metadata at run time.
  @inlinable public mutating func integer(_ value: some BinaryInteger) { integer(Int64(value)) }

  public mutating func bool(_ value: Bool) { literal(value ? "true" : "false") }

  public mutating func null() { literal("null") }

  /// Writes a time in seconds, exact to the nanosecond and without trailing zeros: `2.5`, `180`, `-0.000000001`.
  public mutating func seconds(_ time: MediaTime) {
    separate(roomFor: 2 * Self.maximumDigits)
    if time.nanoseconds < 0 { put(UInt8(ascii: "-")) }
    let (whole, rest) = time.nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
    putDecimal(Int64(whole))
    guard rest > 0 else { return }
    put(UInt8(ascii: "."))
    var divisor: UInt64 = 100_000_000
    var remaining = rest
    while remaining > 0 {
      put(UInt8(ascii: "0") + UInt8(remaining / divisor))
      remaining %= divisor
      divisor /= 10
    }
  }

  /// Writes a number. Infinities and NaN, which JSON cannot represent, are written as null.
  public mutating func double(_ value: Double) {
    guard value.isFinite else { return null() }
    if let whole = Int64(exactly: value) { integer(whole) } else { raw("\(value)".utf8) }
  }

  /// Writes encoded JSON, which must be valid.
  public mutating func raw(_ json: some Collection<UInt8>) {
    separate(roomFor: json.count)
    for byte in json { put(byte) }
  }

  /// Writes encoded JSON, which must be valid.
  public mutating func raw(_ json: UnsafeRawBufferPointer) {
    separate(roomFor: json.count)
    put(json)
  }

  /// Ends the line.
  public mutating func endLine() { append(UInt8(ascii: "\n")) }

  /// Appends encoded JSON that continues a value, without a comma before it.
  public mutating func continuation(_ json: UnsafeRawBufferPointer) {
    makeRoom(json.count)
    put(json)
  }

  /// Writes a comma. It is needed between values if `removeAll` was called after the first of them.
  public mutating func comma() { append(UInt8(ascii: ",")) }

  /// Writes the array `name` with as many of `values` as fit into `room` bytes, but at least the first one, and
  /// subtracts their size from `room`.
  public mutating func member(
    _ name: StaticString, _ values: some Sequence<some JSONEncodable>, within room: inout Int
  ) {
    member(name, values, within: &room) { $0.encode(into: &$1) }
  }

  public mutating func member(_ name: StaticString, _ values: some Sequence<String>, within room: inout Int) {
    member(name, values, within: &room) { $1.string($0) }
  }

  private mutating func member<Value>(
    _ name: StaticString, _ values: some Sequence<Value>, within room: inout Int,
    write: (Value, inout JSONWriter) -> Void
  ) {
    key(name)
    beginArray()
    let start = count
    for value in values {
      let end = count
      write(value, &self)
      guard end == start || count - start <= room else {
        count = end
        break
      }
    }
    room -= count - start
    endArray()
  }

  /// Writes a parsed value.
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

  // MARK: Bytes. Functions named `append` reserve memory; functions named `put` require that it is reserved.

  /// The maximum number of digits of an `Int64`, with its sign.
  private static let maximumDigits = 20
  private static let hexDigits: StaticString = "0123456789abcdef"

  private mutating func makeRoom(_ more: Int) {
    guard count + more > memory.count else { return }
    let size = max(256, (count + more) * 2)
    // realloc moves large blocks without copying them.
    guard let larger = realloc(memory.baseAddress, size) else { fatalError("no memory for \(size) bytes of JSON") }
    memory = UnsafeMutableRawBufferPointer(start: larger, count: size)
  }

  /// Writes a comma, unless the previous byte is a bracket, a colon, a comma or the end of a line, and reserves memory
  /// for the next `more` bytes.
  private mutating func separate(roomFor more: Int) {
    makeRoom(more + 1)
    guard count > 0 else { return }
    switch memory[count - 1] {
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"), UInt8(ascii: ","), UInt8(ascii: "\n"): break
    default: put(UInt8(ascii: ","))
    }
  }

  private mutating func open(_ bracket: UInt8) {
    separate(roomFor: 1)
    put(bracket)
  }

  private mutating func literal(_ word: StaticString) {
    separate(roomFor: word.utf8CodeUnitCount)
    put(word)
  }

  private mutating func append(_ byte: UInt8) {
    makeRoom(1)
    put(byte)
  }

  private mutating func put(_ byte: UInt8) {
    memory[count] = byte
    count += 1
  }

  private mutating func put(_ text: StaticString) {
    put(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  private mutating func put(_ text: UnsafeRawBufferPointer) {
    guard let source = text.baseAddress, let target = memory.baseAddress else { return }
    memcpy(target + count, source, text.count)
    count += text.count
  }

  private mutating func putDecimal(_ value: Int64) {
    if value < 0 { put(UInt8(ascii: "-")) }
    let start = count
    var rest = value.magnitude
    repeat {
      put(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    memory[start..<count].reverse()
  }

  private static func needsEscaping(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  /// Returns whether any byte needs escaping. The function examines every byte, so that the compiler can vectorize it.
  private static func needsEscaping(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    text.reduce(0) { $0 | (needsEscaping($1) ? 1 : 0) as UInt8 } != 0
  }

  private mutating func appendEscaped(_ text: UnsafeBufferPointer<UInt8>) {
    // A control character takes six bytes; every other byte takes at most two.
    makeRoom(text.count * 6 + 1)
    for byte in text {
      guard Self.needsEscaping(byte) else {
        put(byte)
        continue
      }
      put(UInt8(ascii: "\\"))
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): put(byte)
      case 0x0A: put(UInt8(ascii: "n"))
      case 0x0D: put(UInt8(ascii: "r"))
      case 0x09: put(UInt8(ascii: "t"))
      default:
        put("u00")
        put(Self.hexDigits.utf8Start[Int(byte >> 4)])
        put(Self.hexDigits.utf8Start[Int(byte & 15)])
      }
    }
  }
}

extension JSONWriter {
  /// Writes the member `name` with `value`, or with null if `value` is nil.
  public mutating func member(_ name: StaticString, _ value: String?) {
    key(name)
    if let value { string(value) } else { null() }
  }

  @inlinable public mutating func member(_ name: StaticString, _ value: (some BinaryInteger)?) {
    key(name)
    if let value { integer(value) } else { null() }
  }

  public mutating func member(_ name: StaticString, _ value: Double?) {
    key(name)
    if let value { double(value) } else { null() }
  }

  public mutating func member(_ name: StaticString, _ value: Bool) {
    key(name)
    bool(value)
  }

  public mutating func member(_ name: StaticString, _ value: MediaTime?) {
    key(name)
    if let value { seconds(value) } else { null() }
  }

  /// Writes the member `name` with the time of CLOCK_MONOTONIC in seconds.
  public mutating func member(_ name: StaticString, _ time: MonotonicTime) {
    member(name, MediaTime(nanoseconds: time.nanoseconds))
  }

  /// Writes the member `name` with the time in seconds since 1970.
  public mutating func member(_ name: StaticString, _ time: UnixTime?) {
    member(name, time.map { MediaTime(nanoseconds: $0.nanoseconds) })
  }

  public mutating func member(_ name: StaticString, _ values: [String]?) {
    key(name)
    guard let values else { return null() }
    beginArray()
    for value in values { string(value) }
    endArray()
  }

  @inlinable public mutating func member(_ name: StaticString, _ values: some Sequence<some BinaryInteger>) {
    key(name)
    beginArray()
    for value in values { integer(value) }
    endArray()
  }

  public mutating func member(_ name: StaticString, _ value: (some JSONEncodable)?) {
    key(name)
    if let value { value.encode(into: &self) } else { null() }
  }

  public mutating func member(_ name: StaticString, _ values: [some JSONEncodable]?) {
    key(name)
    guard let values else { return null() }
    beginArray()
    for value in values { value.encode(into: &self) }
    endArray()
  }
}

/// A value that can be encoded as JSON.
public protocol JSONEncodable: Sendable {
  func encode(into json: inout JSONWriter)
}

/// A value that can be decoded from JSON. A member that is missing or of another kind is treated as unknown and is not
/// an error, because client and daemon may have different versions.
public protocol JSONDecodable: Sendable {
  init(_ json: JSON?)
}
