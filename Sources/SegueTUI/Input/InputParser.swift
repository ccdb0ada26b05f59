internal import SegueClientKit
internal import SegueSystem

/// A parser of the bytes that a terminal sends: keys as xterm and the terminals after it encode them, mouse reports,
/// bracketed paste, focus reports, and responses to queries, which may come at any time. Unknown sequences are dropped.
///
/// It parses what curses(3) does not know: with curses, the unknown part of a sequence would arrive as typed letters.
struct InputParser {
  /// The time after which an escape character that nothing follows is the Escape key.
  private static let escapeTimeout = MediaTime.milliseconds(30)
  /// The time without bytes after which any other incomplete sequence, or a paste, ends. A slow connection may divide
  /// it.
  private static let sequenceTimeout = MediaTime.seconds(1)
  /// The maximum length of a sequence. A longer one is dropped.
  private static let maximumSequence = 4_096
  /// The maximum length of a pasted text.
  private static let maximumPaste = 65_536

  /// A sequence that was dropped before its end. The rest of it is not text.
  private enum DroppedSequence {
    /// A sequence that ends with a final byte.
    case control
    /// A sequence that ends with ST or BEL.
    case string
  }

  private var pending: [UInt8] = []
  /// The sequence whose rest is dropped; nil if there is none.
  private var dropped: DroppedSequence?
  /// The bytes that were pasted so far; nil if no paste is being received.
  private var paste: [UInt8]?
  /// The query for pictures, whose responses may arrive at any time. The device attributes come last.
  private var graphicsQuery = GraphicsQuery()
  /// The requests for which responses have called since `takeRequests`.
  private var requests = ""

  /// The time without further bytes after which `endSequence` has to be called; nil if no sequence is incomplete.
  var timeout: MediaTime? {
    if pending.isEmpty, paste == nil, dropped == nil { return nil }
    return pending == [0x1B] && paste == nil && dropped == nil ? Self.escapeTimeout : Self.sequenceTimeout
  }

  /// Parses bytes and returns the events that are complete.
  mutating func parse(_ bytes: some Sequence<UInt8>) -> [InputEvent] {
    pending += bytes
    var events: [InputEvent] = []
    while !pending.isEmpty {
      if paste != nil {
        guard let event = continuePaste() else { break }
        events.append(event)
        continue
      }
      if let dropped {
        guard dropRest(of: dropped) else { break }
        continue
      }
      guard let (length, event) = next(pending[...]) else { break }
      pending.removeFirst(length)
      if let event { events.append(event) }
    }
    return events
  }

  /// Returns the requests for which the responses of the terminal have called since the last time. They must be sent to
  /// it.
  mutating func takeRequests() -> String {
    defer { requests = "" }
    return requests
  }

  /// Ends an incomplete sequence: a single escape character is the Escape key, a paste is complete, and anything else
  /// is dropped, with the rest of it if that still arrives.
  mutating func endSequence() -> [InputEvent] {
    defer { pending = [] }
    if let text = paste {
      paste = nil
      return [.paste(Self.pastedText(text + pending))]
    }
    let wasDropping = dropped != nil
    dropped = nil
    if pending == [0x1B] { return [.key(Key(code: .escape))] }
    if !wasDropping, pending.count > 1, pending[0] == 0x1B { dropped = Self.kind(ofSequence: pending[1]) }
    return []
  }

  /// Returns the kind of a sequence that begins with an escape character and a byte; nil if another character has
  /// followed.
  private static func kind(ofSequence byte: UInt8) -> DroppedSequence? {
    switch byte {
    case UInt8(ascii: "["), UInt8(ascii: "O"): .control
    case UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "]"), UInt8(ascii: "^"), UInt8(ascii: "X"): .string
    default: nil
    }
  }

  /// Drops pending bytes of a sequence. Returns whether its end was among them. Escape and control characters such as
  /// Ctrl-C end it, too, and are not dropped.
  private mutating func dropRest(of sequence: DroppedSequence) -> Bool {
    let end = pending.firstIndex { byte in
      switch sequence {
      case .control: 0x40...0x7E ~= byte || byte < 0x20
      case .string: byte < 0x20
      }
    }
    guard let end else {
      pending = []
      return false
    }
    pending.removeFirst(end)
    if pending == [0x1B], sequence == .string { return false }
    if pending.starts(with: [0x1B, UInt8(ascii: "\\")]) {
      pending.removeFirst(2)
    } else if pending[0] == 0x07 || pending[0] >= 0x40 {
      pending.removeFirst()
    }
    dropped = nil
    return true
  }

  // MARK: Sequences

  /// Returns the number of bytes of the next sequence with its event. Returns nil if it is incomplete.
  private mutating func next(_ bytes: ArraySlice<UInt8>) -> (length: Int, event: InputEvent?)? {
    guard let first = bytes.first else { return nil }
    guard first == 0x1B else { return character(bytes) }
    guard bytes.count > 1 else { return nil }
    switch bytes[bytes.startIndex + 1] {
    case UInt8(ascii: "["): return controlSequence(bytes)
    case UInt8(ascii: "O"):
      guard bytes.count > 2 else { return nil }
      return (3, Self.key(final: bytes[bytes.startIndex + 2], modifiers: []).map { .key($0) })
    case UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "]"), UInt8(ascii: "^"), UInt8(ascii: "X"):
      return controlString(bytes)
    case 0x1B: return (1, .key(Key(code: .escape)))
    default:
      guard let (length, event) = character(bytes.dropFirst()) else { return nil }
      guard case .key(var key)? = event else { return (1 + length, nil) }
      key.modifiers.insert(.alt)
      return (1 + length, .key(key))
    }
  }

  /// Parses a control sequence (ECMA-48, 5.4).
  private mutating func controlSequence(_ bytes: ArraySlice<UInt8>) -> (length: Int, event: InputEvent?)? {
    let body = bytes.dropFirst(2)
    // The Linux console sends CSI [ A to E for the first function keys.
    if body.first == UInt8(ascii: "[") {
      guard body.count > 1 else { return nil }
      let number = Int(body[body.startIndex + 1]) - Int(UInt8(ascii: "A")) + 1
      return (4, 1...5 ~= number ? .key(Key(code: .function(number))) : nil)
    }
    // The bytes of the former reports are not a part of the sequence.
    if body.first == UInt8(ascii: "M") {
      guard body.count > 3 else { return nil }
      return (6, Self.formerMouse(Array(body.dropFirst().prefix(3))))
    }
    guard let end = body.firstIndex(where: { 0x40...0x7E ~= $0 || $0 < 0x20 }) else {
      guard body.count > Self.maximumSequence else { return nil }
      dropped = .control
      return (bytes.count, nil)
    }
    let length = end - bytes.startIndex + 1
    // A control character interrupts a sequence.
    guard bytes[end] >= 0x40 else { return (length - 1, nil) }
    let parameters = body[..<end]
    switch (parameters.first, bytes[end]) {
    case (UInt8(ascii: "<"), UInt8(ascii: "M")), (UInt8(ascii: "<"), UInt8(ascii: "m")):
      return (length, Self.mouse(parameters.dropFirst(), isRelease: bytes[end] == UInt8(ascii: "m")))
    case (nil, UInt8(ascii: "I")): return (length, .focus(isGained: true))
    case (nil, UInt8(ascii: "O")): return (length, .focus(isGained: false))
    case (UInt8(ascii: "?"), UInt8(ascii: "c")):
      return (length, receiveAttributes(bytes[..<(end + 1)]))
    case (UInt8(ascii: "?"), UInt8(ascii: "n")):
      return (
        length, TerminalBackground.brightness(report: Self.numbers(parameters.dropFirst())).map { .background($0) }
      )
    case (_, UInt8(ascii: "t")):
      let response = bytes[..<(end + 1)]
      graphicsQuery.collect(response)
      return (length, GraphicsQuery.cellSize(response).map { .cellSize(width: $0.width, height: $0.height) })
    case (_, UInt8(ascii: "~")):
      let numbers = Self.numbers(parameters)
      if numbers.first == 200 { paste = [] }
      return (length, Self.key(number: numbers.first ?? 0, modifiers: Self.modifiers(numbers)).map { .key($0) })
    default:
      guard parameters.first.map({ 0x30...0x3B ~= $0 }) ?? true else { return (length, nil) }
      return (length, Self.key(final: bytes[end], modifiers: Self.modifiers(Self.numbers(parameters))).map { .key($0) })
    }
  }

  /// Handles the device attributes, after which the query for pictures continues or has its result.
  private mutating func receiveAttributes(_ response: ArraySlice<UInt8>) -> InputEvent? {
    switch graphicsQuery.receive(response) {
    case .request(let more):
      requests += more
      return nil
    case .result(let terminal): return .graphics(terminal)
    case .tmux(let terminal): return .tmux(terminal)
    }
  }

  /// Skips a control string (ECMA-48, 5.6), which ends with ST or, as xterm also does, with BEL. Responses are kept.
  private mutating func controlString(_ bytes: ArraySlice<UInt8>) -> (length: Int, event: InputEvent?)? {
    let body = bytes.dropFirst(2)
    guard let end = body.firstIndex(where: { $0 == 0x1B || $0 == 0x07 }) else {
      guard body.count > Self.maximumSequence else { return nil }
      dropped = .string
      return (bytes.count, nil)
    }
    let isCommand = bytes[bytes.startIndex + 1] == UInt8(ascii: "]")
    let event =
      isCommand ? TerminalBackground.brightness(response: body[..<end]).map { InputEvent.background($0) } : nil
    if bytes[end] == 0x07 { return (end - bytes.startIndex + 1, event) }
    guard end + 1 < bytes.endIndex else { return nil }
    guard bytes[end + 1] == UInt8(ascii: "\\") else { return (end - bytes.startIndex, nil) }
    if !isCommand { graphicsQuery.collect(bytes[..<(end + 2)]) }
    return (end + 2 - bytes.startIndex, event)
  }

  // MARK: Keys

  /// Parses one character in UTF-8 or a control character.
  private func character(_ bytes: ArraySlice<UInt8>) -> (length: Int, event: InputEvent?)? {
    guard let first = bytes.first else { return nil }
    switch first {
    case 0x00: return (1, .key(.control(" ")))
    case 0x09: return (1, .key(Key(code: .tab)))
    case 0x0A, 0x0D: return (1, .key(Key(code: .enter)))
    case 0x08, 0x7F: return (1, .key(Key(code: .backspace)))
    case 0x1B: return (1, .key(Key(code: .escape)))
    case 0x01..<0x1B: return (1, .key(.control(Character(Unicode.Scalar(first + 0x60)))))
    case 0x1C..<0x20: return (1, .key(.control(Character(Unicode.Scalar(first + 0x40)))))
    case 0x20..<0x7F: return (1, .key(.character(Character(Unicode.Scalar(first)))))
    default: break
    }
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1
    guard bytes.count >= length else { return nil }
    let text = String(decoding: bytes.prefix(length), as: UTF8.self)
    guard text.unicodeScalars.count == 1, let scalar = text.unicodeScalars.first, scalar != "\u{FFFD}",
      !scalar.isControl
    else { return (text.unicodeScalars.count == 1 && length > 1 ? length : 1, nil) }
    return (length, .key(.character(Character(scalar))))
  }

  /// Returns the key of a sequence CSI … `final` or SS3 `final`.
  private static func key(final: UInt8, modifiers: Key.Modifiers) -> Key? {
    let code: Key.Code
    switch final {
    case UInt8(ascii: "A"): code = .up
    case UInt8(ascii: "B"): code = .down
    case UInt8(ascii: "C"): code = .right
    case UInt8(ascii: "D"): code = .left
    case UInt8(ascii: "H"): code = .home
    case UInt8(ascii: "F"): code = .end
    case UInt8(ascii: "M"): code = .enter
    case UInt8(ascii: "P")...UInt8(ascii: "S"): code = .function(Int(final - UInt8(ascii: "P")) + 1)
    case UInt8(ascii: "Z"): return Key(code: .tab, modifiers: .shift)
    default: return nil
    }
    return Key(code: code, modifiers: modifiers)
  }

  /// Returns the key of a sequence CSI `number` ~.
  private static func key(number: Int, modifiers: Key.Modifiers) -> Key? {
    let code: Key.Code
    switch number {
    case 1, 7: code = .home
    case 2: code = .insert
    case 3: code = .delete
    case 4, 8: code = .end
    case 5: code = .pageUp
    case 6: code = .pageDown
    case 11...15: code = .function(number - 10)
    case 17...21: code = .function(number - 11)
    case 23, 24: code = .function(number - 12)
    default: return nil
    }
    return Key(code: code, modifiers: modifiers)
  }

  private static func numbers(_ parameters: ArraySlice<UInt8>) -> [Int] {
    parameters.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map {
      Int(String(decoding: $0, as: UTF8.self)) ?? 0
    }
  }

  /// Returns the modifiers of the second parameter, as xterm encodes them: one more than their sum.
  private static func modifiers(_ numbers: [Int]) -> Key.Modifiers {
    guard numbers.count > 1, 2...16 ~= numbers[1] else { return [] }
    return Key.Modifiers(rawValue: UInt8(numbers[1] - 1) & 7)
  }

  // MARK: Mouse and paste

  /// Parses the parameters of an SGR mouse report: the button, and the column and row from 1.
  private static func mouse(_ parameters: ArraySlice<UInt8>, isRelease: Bool) -> InputEvent? {
    let numbers = numbers(parameters)
    guard numbers.count == 3, numbers[1] > 0, numbers[2] > 0 else { return nil }
    return mouse(
      button: numbers[0], Position(row: numbers[2] - 1, column: numbers[1] - 1), isRelease: isRelease)
  }

  /// Parses the three bytes of a report of terminals that do not know the SGR form, such as older ones: the button, the
  /// column and the row, each increased by 32. The button 3 is the release of any button.
  private static func formerMouse(_ bytes: [UInt8]) -> InputEvent? {
    let numbers = bytes.map { Int($0) - 32 }
    guard numbers[0] >= 0, numbers[1] > 0, numbers[2] > 0 else { return nil }
    let isRelease = numbers[0] & ~28 == 3
    return mouse(
      button: isRelease ? 0 : numbers[0], Position(row: numbers[2] - 1, column: numbers[1] - 1), isRelease: isRelease)
  }

  private static func mouse(button: Int, _ position: Position, isRelease: Bool) -> InputEvent? {
    // The bits of modifiers are ignored.
    switch button & ~28 {
    case 0: return .mouse(MouseEvent(action: isRelease ? .release : .press, position: position))
    case 32: return .mouse(MouseEvent(action: .drag, position: position))
    case 64: return .mouse(MouseEvent(action: .wheelUp, position: position))
    case 65: return .mouse(MouseEvent(action: .wheelDown, position: position))
    default: return nil
    }
  }

  /// Moves bytes to the paste, and returns its text when its end has arrived.
  private mutating func continuePaste() -> InputEvent? {
    let end = Array("\u{1B}[201~".utf8)
    guard var text = paste else { return nil }
    if let found = pending.firstRange(of: end) {
      text += pending[..<found.lowerBound]
      pending.removeSubrange(..<found.upperBound)
      paste = nil
      return .paste(Self.pastedText(text))
    }
    // The last bytes may be the beginning of the end.
    let complete = max(0, pending.count - end.count + 1)
    text += pending[..<complete].prefix(max(0, Self.maximumPaste - text.count))
    pending.removeFirst(complete)
    paste = text
    return nil
  }

  /// Returns the text with spaces in place of line breaks and tabs, and without other control characters.
  private static func pastedText(_ bytes: [UInt8]) -> String {
    let text = String(decoding: bytes.prefix(maximumPaste), as: UTF8.self)
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == "\n" || scalar == "\r" || scalar == "\t" {
        result.append(" ")
      } else if !scalar.isControl {
        result.append(scalar)
      }
    }
    return String(result)
  }
}
