internal import SegueWire

/// A conflict between the keys of two commands of one screen.
enum KeyConflict: Equatable {
  /// The key belongs to another command of the screen, whose keys were replaced before.
  case taken(Key, by: Command, screen: String)
  /// Another command of the screen has lost the key, which was its last one.
  case lost(Key, by: Command, screen: String)
}

extension KeyBindings {
  /// The screens with the commands among which a key must be unambiguous, by their titles.
  static let screens: [(title: String, commands: [Command])] = [
    (ListMessages.title, ListScreen().commands), (PlayerMessages.title, PlayerScreen().commands),
    (CatalogMessages.search, SearchScreen.all.commands), (CatalogMessages.popular, ChartScreen.popular.commands),
    (CatalogMessages.people, ChartScreen.people.commands), (CatalogMessages.radio, SearchScreen.radio.commands),
    (DetailsMessages.title, DetailsScreen(Item(uri: "", kind: .song, title: "", provider: "")).commands),
    (SettingsMessages.title, SettingsScreen().commands), (KeysMessages.title, KeysScreen().commands),
  ]

  /// Returns the conflicts of the new keys of a command with those of others, at most one for every other command.
  func conflicts(of command: Command) -> [KeyConflict] {
    var conflicts: [KeyConflict] = []
    var named: Set<Command> = []
    for (title, commands) in Self.screens where commands.contains(command) {
      for key in keys(for: command) where !isStandard(key, of: command) {
        if let other = self.command(for: key, among: commands), other != command {
          if named.insert(other).inserted { conflicts.append(.taken(key, by: other, screen: title)) }
          continue
        }
        for other in commands where other != command && keys(for: other).contains(key) {
          guard keys(for: other, among: commands).isEmpty, named.insert(other).inserted else { continue }
          conflicts.append(.lost(key, by: other, screen: title))
        }
      }
    }
    return conflicts
  }
}
