internal import CSystemd
internal import Glibc
internal import SegueSystem

/// A message of sd-bus that is being written or read. Only the loop thread uses it.
struct BusMessage: ~Copyable {
  /// The message, which is valid as long as this value exists.
  let raw: OpaquePointer

  /// Keeps a received message.
  init(keeping raw: OpaquePointer) { self.raw = sd_bus_message_ref(raw) }

  /// Creates a message with `make`, one of the functions `sd_bus_message_new_…`, whose name is `call`.
  init(_ call: String, _ make: (UnsafeMutablePointer<OpaquePointer?>) -> Int32) throws(SystemError) {
    var raw: OpaquePointer?
    try sdChecked(call) { make(&raw) }
    guard let raw else { throw SystemError(call, code: ENOMEM) }
    self.raw = raw
  }

  deinit { sd_bus_message_unref(raw) }

  // MARK: Writing

  borrowing func append(_ value: BusValue) throws(SystemError) {
    switch value {
    case .byte(let value): try appendBasic("y", value)
    case .boolean(let value): try appendBasic("b", value ? Int32(1) : 0)
    case .uint32(let value): try appendBasic("u", value)
    case .int32(let value): try appendBasic("i", value)
    case .int64(let value): try appendBasic("x", value)
    case .double(let value): try appendBasic("d", value)
    case .string(let value): try append("s", value.forBus)
    case .path(let value): try append("o", value)
    case .strings(let values):
      try within("a", "s") { message throws(SystemError) in
        for value in values { try message.append("s", value.forBus) }
      }
    case .paths(let values):
      try within("a", "o") { message throws(SystemError) in
        for value in values { try message.append("o", value) }
      }
    case .dictionary(let entries): try append(entries)
    case .dictionaries(let values):
      try within("a", "a{sv}") { message throws(SystemError) in
        for entries in values { try message.append(entries) }
      }
    case .variant(let value):
      try within("v", value.signature) { message throws(SystemError) in try message.append(value) }
    case .descriptor: preconditionFailure("this process sends no descriptors")
    }
  }

  private borrowing func append(_ entries: [BusValue.Entry]) throws(SystemError) {
    try within("a", "{sv}") { message throws(SystemError) in
      for entry in entries {
        try message.within("e", "sv") { message throws(SystemError) in
          try message.append("s", entry.key)
          try message.append(.variant(entry.value))
        }
      }
    }
  }

  /// Appends a number. sd-bus takes the address of a number, but takes a string directly.
  private borrowing func appendBasic(_ type: Unicode.Scalar, _ value: some BitwiseCopyable) throws(SystemError) {
    let raw = raw
    try sdChecked("sd_bus_message_append_basic") {
      withUnsafeBytes(of: value) { sd_bus_message_append_basic(raw, type.code, $0.baseAddress) }
    }
  }

  private borrowing func append(_ type: Unicode.Scalar, _ text: String) throws(SystemError) {
    let raw = raw
    try sdChecked("sd_bus_message_append_basic") {
      text.withCString { sd_bus_message_append_basic(raw, type.code, $0) }
    }
  }

  private borrowing func within(
    _ type: Unicode.Scalar, _ contents: String, _ body: (borrowing BusMessage) throws(SystemError) -> Void
  ) throws(SystemError) {
    let raw = raw
    try sdChecked("sd_bus_message_open_container") { sd_bus_message_open_container(raw, type.code, contents) }
    try body(self)
    try sdChecked("sd_bus_message_close_container") { sd_bus_message_close_container(raw) }
  }

  // MARK: Reading

  // The limits of a message that is copied. D-Bus allows 128 MiB, which no well-behaved client needs.
  private static let maximumTextSize = 1 << 20
  private static let maximumTextCount = 10_000

  /// Returns the values if they have exactly the types in `signature` and do not exceed the limits; otherwise nil. The
  /// types are those of `BusValue` except bytes and dictionaries; variants contain values of basic types.
  borrowing func values(_ signature: String) -> [BusValue]? {
    guard sd_bus_message_has_signature(raw, signature) > 0 else { return nil }
    var types = signature.unicodeScalars[...]
    var values: [BusValue] = []
    while let type = types.popFirst() {
      let value = type == "a" ? array(of: types.popFirst()) : value(type)
      guard let value else { return nil }
      values.append(value)
    }
    return values
  }

  private borrowing func value(_ type: Unicode.Scalar) -> BusValue? {
    switch type {
    case "b": number(type, Int32(0)).map { .boolean($0 != 0) }
    case "u": number(type, UInt32(0)).map { .uint32($0) }
    case "i": number(type, Int32(0)).map { .int32($0) }
    case "x": number(type, Int64(0)).map { .int64($0) }
    case "d": number(type, Double(0)).map { .double($0) }
    case "s": text(type).map { .string($0) }
    case "o": text(type).map { .path($0) }
    case "v": variant()
    case "h": descriptor()
    default: nil
    }
  }

  private borrowing func number<Number: BitwiseCopyable>(_ type: Unicode.Scalar, _ zero: Number) -> Number? {
    var number = zero
    let raw = raw
    let result = withUnsafeMutableBytes(of: &number) { sd_bus_message_read_basic(raw, type.code, $0.baseAddress) }
    return result > 0 ? number : nil
  }

  private borrowing func text(_ type: Unicode.Scalar) -> String? {
    var text: UnsafePointer<CChar>?
    guard sd_bus_message_read_basic(raw, type.code, &text) > 0, let text,
      strnlen(text, Self.maximumTextSize + 1) <= Self.maximumTextSize
    else { return nil }
    return String(cString: text)
  }

  private borrowing func array(of type: Unicode.Scalar?) -> BusValue? {
    guard let type, type == "o" || type == "s",
      sd_bus_message_enter_container(raw, Unicode.Scalar("a").code, String(type)) >= 0
    else { return nil }
    var texts: [String] = []
    while texts.count < Self.maximumTextCount, let text = text(type) { texts.append(text) }
    // sd-bus does not exit an array that was not read to its end.
    guard sd_bus_message_exit_container(raw) >= 0 else { return nil }
    return type == "o" ? .paths(texts) : .strings(texts)
  }

  /// Returns a copy of a descriptor. The message closes the original.
  private borrowing func descriptor() -> BusValue? {
    guard case let own? = number("h", Int32(-1)), own >= 0,
      case let copy = fcntl(own, F_DUPFD_CLOEXEC, 3), copy >= 0
    else { return nil }
    return .descriptor(BusDescriptor(Descriptor(owning: copy)))
  }

  private borrowing func variant() -> BusValue? {
    var contents: UnsafePointer<CChar>?
    guard sd_bus_message_peek_type(raw, nil, &contents) > 0, let contents,
      let type = String(cString: contents).unicodeScalars.first, contents[1] == 0, type != "v",
      sd_bus_message_enter_container(raw, Unicode.Scalar("v").code, contents) > 0
    else { return nil }
    guard let value = value(type), sd_bus_message_exit_container(raw) >= 0 else { return nil }
    return .variant(value)
  }
}

extension Unicode.Scalar {
  fileprivate var code: CChar { CChar(truncatingIfNeeded: value) }
}
