internal import SegueClientKit

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

  /// Replaces the keys of a command. New ones take precedence over the default keys of other commands, but not over
  /// keys that were replaced before. Those that are also default keys of the command are as before.
  mutating func set(_ keys: [Key], for command: Command) {
    self.keys[command] = keys
    if !changed.contains(command) { changed.append(command) }
    indexCommands()
  }

  /// Restores the default keys of a command.
  mutating func reset(_ command: Command) {
    keys[command] = command.standardKeys
    changed.removeAll { $0 == command }
    indexCommands()
  }

  /// Returns whether a key is one of the default keys of a command.
  func isStandard(_ key: Key, of command: Command) -> Bool { command.standardKeys.contains(key) }

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

  /// Returns the name of a command for a message, with its first key: “Save queue” (w). The name stands alone if the
  /// command has no key.
  func named(_ command: Command) -> String {
    // TRANSLATORS: a command
    let name = tr("“%1$s”", command.label)
    return name.withKey(messageKey(of: command))
  }

  /// Returns the name of the first key of a command that the user has not given to another one; nil if there is none.
  func messageKey(of command: Command) -> String? {
    keys(for: command).first { key in
      // Commands of different screens have the same default keys.
      commands[key]?.first.map { $0 == command || isStandard(key, of: $0) } ?? false
    }?.label
  }

  /// Returns the command of a key among those of a screen. A key without one counts as the key at its position on a
  /// Latin keyboard.
  func command(for key: Key, among candidates: [Command]) -> Command? {
    if let command = commands[key]?.first(where: candidates.contains) { return command }
    guard let latin = KeyboardLayout.latinKey(for: key) else { return nil }
    return commands[latin]?.first(where: candidates.contains)
  }

  /// Returns the keys that perform a command on a screen with these commands.
  func keys(for command: Command, among candidates: [Command]) -> [Key] {
    keys(for: command).filter { self.command(for: $0, among: candidates) == command }
  }

  static let standard = KeyBindings(
    Dictionary(uniqueKeysWithValues: Command.allCases.map { ($0, $0.standardKeys) }))
}

extension String {
  /// Returns the text with a key behind it, if there is one.
  func withKey(_ key: String?) -> String { key.map { "\(self) (\($0))" } ?? self }
}

extension SharedState {
  /// Returns the name of a command for a message, with the user's key.
  func named(_ command: Command) -> String { configuration.bindings.named(command) }
}
