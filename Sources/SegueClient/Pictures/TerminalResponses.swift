internal import SegueSystem

/// What a terminal said when it was asked (`GraphicsTerminal.ask`): escape sequences of ECMA-48, 5.4 and 5.6.
struct TerminalResponses {
  /// It said what it is: nothing follows.
  private(set) var isComplete = false
  private var takesKitty = false
  private var takesSixel = false
  private var name = ""
  private var cell: (width: Int, height: Int)?
  private var rows: Int?

  init(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while let escape = rest.firstIndex(of: 0x1B), escape + 1 < rest.endIndex {
      let kind = rest[escape + 1]
      rest = rest[(escape + 2)...]
      switch kind {
      case UInt8(ascii: "["):
        guard let end = rest.firstIndex(where: { (0x40...0x7E).contains($0) }) else { return }
        control(String(decoding: rest[..<end], as: UTF8.self), rest[end])
        rest = rest[(end + 1)...]
      case UInt8(ascii: "_"), UInt8(ascii: "P"):
        guard let end = rest.firstIndex(of: 0x1B) else { return }
        string(String(decoding: rest[..<end], as: UTF8.self))
        rest = rest[end...]
      default: break
      }
    }
  }

  private mutating func control(_ parameters: String, _ final: UInt8) {
    let numbers = parameters.split(separator: ";").map { Int($0) ?? 0 }
    switch final {
    case UInt8(ascii: "c"):
      isComplete = true
      takesSixel = numbers.dropFirst().contains(4)
    case UInt8(ascii: "t") where numbers.count == 3 && numbers[0] == 6 && numbers[1] > 0 && numbers[2] > 0:
      cell = (width: numbers[2].clamped(to: 2...200), height: numbers[1].clamped(to: 2...400))
    case UInt8(ascii: "t") where numbers.count == 3 && numbers[0] == 8 && numbers[1] > 0: rows = numbers[1]
    default: break
    }
  }

  private mutating func string(_ text: String) {
    if text.hasPrefix("Gi=31") { takesKitty = text.hasSuffix(";OK") }
    if text.hasPrefix(">|") { name = String(text.dropFirst(2)) }
  }

  /// nil if it shows no pictures.
  var terminal: GraphicsTerminal? {
    let way: GraphicsTerminal.Way
    if takesKitty {
      way = .kitty
    } else if ["iTerm2", "WezTerm"].contains(where: name.hasPrefix) {
      way = .inline
    } else if takesSixel {
      way = .sixel
    } else {
      return nil
    }
    var terminal = GraphicsTerminal(way: way)
    if let cell { terminal.cell = cell }
    terminal.rows = rows
    return terminal
  }
}
