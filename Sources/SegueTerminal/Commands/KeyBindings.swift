/// The keys of the commands. The first key of a command is the one that the last line shows.
struct KeyBindings: Equatable, Sendable {
  private var keys: [Command: [Key]]
  /// The commands whose keys are not the default ones, the first one with the highest precedence.
  private var changed: [Command] = []
  private var commands: [Key: [Command]] = [:]

  /// Creates bindings. A key may belong to several commands, of which a screen has at most one.
  init(_ keys: [Command: [Key]]) {
    self.keys = keys
    indexCommands()
  }

  /// Replaces the keys of a command. New ones take precedence over the default keys of other commands, but not over keys that
  /// were replaced before. Those that are also default keys of the command are as before.
  mutating func set(_ keys: [Key], for command: Command) {
    self.keys[command] = keys
    if !changed.contains(command) { changed.append(command) }
    indexCommands()
  }

  /// Restores the default keys of a command.
  mutating func reset(_ command: Command) {
    keys[command] = Self.standardKeys[command]
    changed.removeAll { $0 == command }
    indexCommands()
  }

  /// Returns whether a key is one of the default keys of a command.
  func isStandard(_ key: Key, of command: Command) -> Bool { Self.standardKeys[command]?.contains(key) ?? false }

  /// Returns whether the keys of a command are not the default ones.
  func isChanged(_ command: Command) -> Bool { changed.contains(command) }

  private mutating func indexCommands() {
    commands = [:]
    for command in changed {
      for key in keys[command] ?? [] where !isStandard(key, of: command) { commands[key, default: []].append(command) }
    }
    for command in Command.allCases {
      for key in keys[command] ?? [] where isStandard(key, of: command) { commands[key, default: []].append(command) }
    }
  }

  func keys(for command: Command) -> [Key] { keys[command] ?? [] }

  /// Returns the name of the first key of a command for a message, or that of the command if it has no key.
  func keyLabel(of command: Command) -> String { keys(for: command).first?.label ?? "“\(command.label)”" }

  /// Returns the command of a key among those of a screen. A key without one counts as the key at its position on a Latin
  /// keyboard.
  func command(for key: Key, among candidates: [Command]) -> Command? {
    if let command = commands[key]?.first(where: candidates.contains) { return command }
    guard let latin = KeyboardLayout.latinKey(for: key) else { return nil }
    return commands[latin]?.first(where: candidates.contains)
  }

  /// Returns the keys that perform a command on a screen with these commands.
  func keys(for command: Command, among candidates: [Command]) -> [Key] {
    keys(for: command).filter { self.command(for: $0, among: candidates) == command }
  }

  /// The default keys, which are those of ncmpcpp and rmpc where these agree.
  private static let standardKeys: [Command: [Key]] = [
    .help: [.character("?"), Key(code: .function(1))],
    .back: [.character("q"), Key(code: .escape), Key(code: .backspace)],
    .quit: [.character("q"), .control("c")],
    .suspend: [.control("z")],
    .redraw: [.control("l")],
    .showSettings: [.character("S")],
    .up: [Key(code: .up), .character("k"), .control("p")],
    .down: [Key(code: .down), .character("j"), .control("n")],
    .pageUp: [Key(code: .pageUp), .control("u"), .control("b")],
    .pageDown: [Key(code: .pageDown), .control("d"), .control("f")],
    .first: [Key(code: .home), .character("g")],
    .last: [Key(code: .end), .character("G")],
    .left: [Key(code: .left)],
    .right: [Key(code: .right)],
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
    .louder: [.character("+"), .character("=")],
    .quieter: [.character("-")],
    .mute: [.character("m")],
    .cycleRepeat: [.character("r")],
    .cycleShuffle: [.character("z")],
    .toggleConsume: [.character("R")],
    .slower: [.character("[")],
    .faster: [.character("]")],
    .resetSpeed: [.character("\\")],
    .add: [.character("a")],
    .addNext: [.character("A")],
    .toggleFavorite: [.character("*")],
    .rate: [.character("v")],
    .nextTab: [Key(code: .tab), Key(code: .right)],
    .previousTab: [Key(code: .tab, modifiers: .shift), Key(code: .left)],
    .reload: [Key(code: .function(5))],
    .showQueue: [.character("1")],
    .showPlayer: [.character("2"), Key(code: .tab)],
    .details: [.character("i")],
    .refresh: [.character("r"), Key(code: .function(5))],
    .toggleTiles: [.character("t")],
    .toggleGenre: [.character("e")],
    .openLink: [.character("w")],
    .change: [Key(code: .enter)],
    .addKey: [.character("a")],
    .reset: [.character("d"), Key(code: .delete)],
    .showLibrary: [.character("3")],
    .showFolders: [.character("4")],
    .showFavorites: [.character("7")],
    .showPlaylists: [.character("8")],
    .showHistory: [.character("0")],
    .showOutputs: [.character("O")],
    .playNow: [.character("y")],
    .cycleOrder: [.character("o")],
    .savePlaylist: [.character("w")],
    .addToPlaylist: [.character("W")],
    .rename: [.character("e")],
    .showSearch: [.character("5")],
    .showPopular: [.character("6")],
    .showPeople: [.character("P")],
    .showRadio: [.character("9")],
    .lyricsUp: [Key(code: .pageUp), Key(code: .up), .character("k")],
    .lyricsDown: [Key(code: .pageDown), Key(code: .down), .character("j")],
  ]

  static let standard = KeyBindings(standardKeys)
}
