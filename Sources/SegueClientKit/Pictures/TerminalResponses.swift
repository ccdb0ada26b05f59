internal import SegueSystem

/// The parsed responses of a terminal to the requests of `GraphicsQuery`: escape sequences of ECMA-48, sections 5.4 and
/// 5.6.
struct TerminalResponses {
  /// Whether the last response, the device attributes, is present.
  private(set) var isComplete = false
  private var supportsKitty = false
  private var supportsSixel = false
  private var name = ""
  private(set) var cellSize: (width: Int, height: Int)?
  private var rows: Int?

  init(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while let escape = rest.firstIndex(of: 0x1B), escape + 1 < rest.endIndex {
      let kind = rest[escape + 1]
      rest = rest[(escape + 2)...]
      switch kind {
      case UInt8(ascii: "["):
        guard let end = rest.firstIndex(where: { (0x40...0x7E).contains($0) }) else { return }
        parseControlSequence(String(decoding: rest[..<end], as: UTF8.self), rest[end])
        rest = rest[(end + 1)...]
      case UInt8(ascii: "_"), UInt8(ascii: "P"):
        guard let end = rest.firstIndex(of: 0x1B) else { return }
        parseString(String(decoding: rest[..<end], as: UTF8.self))
        rest = rest[end...]
      default: break
      }
    }
  }

  /// Parses the parameters and the final byte of a control sequence.
  private mutating func parseControlSequence(_ parameters: String, _ final: UInt8) {
    let numbers = parameters.split(separator: ";").map { Int($0) ?? 0 }
    switch final {
    case UInt8(ascii: "c"):
      isComplete = true
      supportsSixel = numbers.dropFirst().contains(4)
    case UInt8(ascii: "t") where numbers.count == 3 && numbers[0] == 6 && numbers[1] > 0 && numbers[2] > 0:
      cellSize = (width: numbers[2], height: numbers[1])
    case UInt8(ascii: "t") where numbers.count == 3 && numbers[0] == 8 && numbers[1] > 0: rows = numbers[1]
    default: break
    }
  }

  /// Parses the payload of a device control string or an application program command.
  private mutating func parseString(_ text: String) {
    if text.hasPrefix("Gi=31") { supportsKitty = text.hasSuffix(";OK") }
    if text.hasPrefix(">|") { name = String(text.dropFirst(2)) }
  }

  /// The beginnings of the names of multiplexers that take the text of an application program command for a title.
  private static let multiplexers = ["tmux", "screen"]

  /// Whether the terminal may be asked for the kitty graphics protocol: it has stated its name.
  var mayKnowKittyGraphics: Bool {
    !name.isEmpty && !Self.multiplexers.contains { name.lowercased().hasPrefix($0) }
  }

  /// Whether the terminal has stated the name of tmux.
  var isTmux: Bool { name.hasPrefix("tmux ") }

  /// The terminal, or nil if it displays no pictures.
  var terminal: GraphicsTerminal? {
    let graphicsProtocol: GraphicsTerminal.GraphicsProtocol
    if supportsKitty {
      graphicsProtocol = .kitty
    } else if ["iTerm2", "WezTerm"].contains(where: name.hasPrefix) {
      graphicsProtocol = .inline
    } else if supportsSixel {
      graphicsProtocol = .sixel
    } else {
      return nil
    }
    var terminal = GraphicsTerminal(graphicsProtocol: graphicsProtocol)
    if let cellSize { terminal.setCellSize(width: cellSize.width, height: cellSize.height) }
    terminal.rows = rows
    return terminal
  }
}
