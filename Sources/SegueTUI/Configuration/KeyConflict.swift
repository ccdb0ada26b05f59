internal import SegueClientKit
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
  static var screens: [(title: String, commands: [Command])] {
    let mains = Command.screens.compactMap { command in command.mainScreen.map { (command.label, $0()) } }
    let details = DetailsScreen(CatalogItem(uri: "", kind: .song, title: "", provider: ""))
    let others: [(String, any Screen)] = [
      (ListMessages.title, ListScreen()), (PlayerMessages.title, PlayerScreen()),
      (VisualizerMessages.title, VisualizerScreen()), (tr("Details"), details), (KeysMessages.title, KeysScreen()),
    ]
    return (others + mains).map { ($0.0, $0.1.possibleCommands) }
  }

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
