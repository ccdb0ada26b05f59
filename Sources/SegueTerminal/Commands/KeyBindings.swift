/// The keys of the commands. The first key of a command is the one that the last line shows.
struct KeyBindings {
  private let keys: [Command: [Key]]
  private let commands: [Key: [Command]]

  /// Creates bindings. A key may belong to several commands, of which a screen has at most one.
  init(_ keys: [Command: [Key]]) {
    self.keys = keys
    var commands: [Key: [Command]] = [:]
    for command in Command.allCases {
      for key in keys[command] ?? [] { commands[key, default: []].append(command) }
    }
    self.commands = commands
  }

  func keys(for command: Command) -> [Key] { keys[command] ?? [] }

  /// Returns the command of a key among those of a screen. A key without one counts as the key at its position on a Latin
  /// keyboard.
  func command(for key: Key, among candidates: [Command]) -> Command? {
    if let command = commands[key]?.first(where: candidates.contains) { return command }
    guard let latin = KeyboardLayout.latinKey(for: key) else { return nil }
    return commands[latin]?.first(where: candidates.contains)
  }

  /// The default keys, which are those of ncmpcpp and rmpc where these agree.
  static let standard = KeyBindings([
    .help: [.character("?"), Key(code: .function(1))],
    .back: [.character("q"), Key(code: .escape), Key(code: .backspace)],
    .quit: [.character("q"), .control("c")],
    .suspend: [.control("z")],
    .redraw: [.control("l")],
    .up: [Key(code: .up), .character("k"), .control("p")],
    .down: [Key(code: .down), .character("j"), .control("n")],
    .pageUp: [Key(code: .pageUp), .control("u"), .control("b")],
    .pageDown: [Key(code: .pageDown), .control("d"), .control("f")],
    .first: [Key(code: .home), .character("g")],
    .last: [Key(code: .end), .character("G")],
    .open: [Key(code: .enter)],
    .filter: [.character("/"), .control("s")],
    .showCurrent: [.character("o")],
    .select: [.character(" "), Key(code: .insert)],
    .cancel: [Key(code: .escape)],
    .moveUp: [.character("K"), Key(code: .up, modifiers: .alt), Key(code: .up, modifiers: .shift)],
    .moveDown: [.character("J"), Key(code: .down, modifiers: .alt), Key(code: .down, modifiers: .shift)],
    .remove: [.character("d"), Key(code: .delete)],
    .clear: [.character("c")],
    .undo: [.character("u")],
    .redo: [.character("U"), .control("r")],
    .toggle: [.character("p"), .character(" ")],
    .stop: [.character("s")],
    .next: [.character(">")],
    .previous: [.character("<")],
    .seekForward: [Key(code: .right), .character("f")],
    .seekBackward: [Key(code: .left), .character("b")],
    .louder: [.character("+"), .character("="), Key(code: .up)],
    .quieter: [.character("-"), Key(code: .down)],
    .mute: [.character("m")],
    .cycleRepeat: [.character("r")],
    .cycleShuffle: [.character("z")],
    .toggleConsume: [.character("R")],
    .showPlayer: [.character("2"), Key(code: .tab)],
    .lyricsUp: [Key(code: .pageUp), .character("k")],
    .lyricsDown: [Key(code: .pageDown), .character("j")],
  ])
}
