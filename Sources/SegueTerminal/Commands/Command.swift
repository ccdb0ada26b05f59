/// An action of the user. The raw value is its stable name.
enum Command: String, CaseIterable, Sendable {
  // Every screen.
  case help
  // Esc ends a filter or a selection before it leads back.
  case cancel
  case back
  case quit
  case suspend
  case redraw
  case showSettings = "settings"

  // Lists.
  case up
  case down
  case pageUp = "page-up"
  case pageDown = "page-down"
  case first
  case last
  case open
  case filter
  case select

  // The queue.
  case showCurrent = "show-current"
  case moveUp = "move-up"
  case moveDown = "move-down"
  case remove
  case clear
  case undo
  case redo

  // Items of the library and other lists.
  case add
  case addNext = "add-next"
  case playNow = "play-now"
  case toggleFavorite = "favorite"
  case nextTab = "next-tab"
  case previousTab = "previous-tab"
  case reload
  case cycleOrder = "order"
  case savePlaylist = "save-playlist"

  // Playback.
  case toggle
  case stop
  case next
  case previous
  case seekForward = "seek-forward"
  case seekBackward = "seek-backward"
  case louder
  case quieter
  case mute
  case cycleRepeat = "repeat"
  case cycleShuffle = "shuffle"
  case toggleConsume = "consume"

  // Screens.
  case showQueue = "queue"
  case showPlayer = "player"
  case showLibrary = "library"
  case showFolders = "folders"
  case showFavorites = "favorites"
  case showPlaylists = "playlists"
  case showHistory = "history"
  case showOutputs = "outputs"

  // Settings.
  case change
  case addKey = "add-key"
  case reset

  // The player.
  case lyricsUp = "lyrics-up"
  case lyricsDown = "lyrics-down"

  /// The name in the last line: one or two words.
  var label: String {
    switch self {
    case .help: "Help"
    case .back: "Back"
    case .quit: "Quit"
    case .suspend: "Suspend"
    case .redraw: "Redraw"
    case .showSettings: "Settings"
    case .up: "Up"
    case .down: "Down"
    case .pageUp: "Page up"
    case .pageDown: "Page down"
    case .first: "First"
    case .last: "Last"
    case .open: "Open"
    case .filter: "Filter"
    case .showCurrent: "Current"
    case .select: "Select"
    case .cancel: "Cancel"
    case .moveUp: "Move up"
    case .moveDown: "Move down"
    case .remove: "Remove"
    case .clear: "Clear"
    case .undo: "Undo"
    case .redo: "Redo"
    case .toggle: "Play/pause"
    case .stop: "Stop"
    case .next: "Next"
    case .previous: "Previous"
    case .seekForward: "Forward"
    case .seekBackward: "Rewind"
    case .louder: "Louder"
    case .quieter: "Quieter"
    case .mute: "Mute"
    case .cycleRepeat: "Repeat"
    case .cycleShuffle: "Shuffle"
    case .toggleConsume: "Consume"
    case .add: "Add"
    case .addNext: "Add next"
    case .playNow: "Play"
    case .toggleFavorite: "Favourite"
    case .nextTab: "Next tab"
    case .previousTab: "Previous tab"
    case .reload: "Reload"
    case .cycleOrder: "Order"
    case .savePlaylist: "Save queue"
    case .showQueue: "Queue"
    case .showPlayer: "Player"
    case .change: "Change"
    case .addKey: "Add key"
    case .reset: "Reset"
    case .showLibrary: "Library"
    case .showFolders: "Folders"
    case .showFavorites: "Favourites"
    case .showPlaylists: "Playlists"
    case .showHistory: "History"
    case .showOutputs: "Outputs"
    case .lyricsUp: "Lyrics up"
    case .lyricsDown: "Lyrics down"
    }
  }

  /// The description in the help: a whole sentence.
  var summary: String {
    switch self {
    case .help: "Shows all keys."
    case .back: "Returns to the screen before."
    case .quit: "Quits. The music plays on."
    case .suspend: "Returns to the shell until the command fg."
    case .redraw: "Draws the screen again."
    case .showSettings: "Shows the settings."
    case .up: "Moves the focus up."
    case .down: "Moves the focus down."
    case .pageUp: "Moves the focus up by a page."
    case .pageDown: "Moves the focus down by a page."
    case .first: "Moves the focus to the first row."
    case .last: "Moves the focus to the last row."
    case .open: "Opens what is focused: plays a track, shows an album or a folder."
    case .filter: "Shows only the rows whose title, artist or album contains what you type."
    case .showCurrent: "Moves the focus to the current track."
    case .select: "Selects the row, or removes it from the selection."
    case .cancel: "Ends the filter, or deselects everything."
    case .moveUp: "Moves the selected tracks, or the focused one, up."
    case .moveDown: "Moves the selected tracks, or the focused one, down."
    case .remove: "Removes the selected tracks, or the focused one, from the queue, or deletes a playlist."
    case .clear: "Removes all tracks from the queue, after a second press."
    case .undo: "Undoes the last change of the queue, whoever made it."
    case .redo: "Redoes the change of the queue that was undone last."
    case .toggle: "Pauses or resumes playback."
    case .stop: "Stops playback."
    case .next: "Skips to the next track or chapter."
    case .previous: "Returns to the start of the track, or to the previous track or chapter."
    case .seekForward: "Skips five seconds."
    case .seekBackward: "Returns five seconds."
    case .louder: "Raises the volume by five percent."
    case .quieter: "Lowers the volume by five percent."
    case .mute: "Mutes or unmutes the output."
    case .cycleRepeat: "Changes what is repeated: nothing, the track or the queue."
    case .cycleShuffle: "Changes what is shuffled: nothing, tracks or albums."
    case .toggleConsume: "Changes whether tracks leave the queue after playing."
    case .add: "Adds the selected rows, or the focused one, to the end of the queue."
    case .addNext: "Adds the selected rows, or the focused one, after the current track."
    case .playNow: "Adds the selected rows, or the focused one, after the current track and plays them."
    case .toggleFavorite: "Adds to the favourites, or removes from them."
    case .nextTab: "Shows the next tab."
    case .previousTab: "Shows the previous tab."
    case .reload: "Reads the list again."
    case .cycleOrder: "Changes the order of the favourites: by title, date or rating."
    case .savePlaylist: "Saves the queue as a playlist."
    case .showQueue: "Shows the queue."
    case .showPlayer: "Shows the player."
    case .change: "Changes the setting, or the key of the command."
    case .addKey: "Adds a key to those of the command."
    case .reset: "Restores the default, or the value in segue.conf."
    case .showLibrary: "Shows the library: albums, artists and tracks."
    case .showFolders: "Shows the music folders."
    case .showFavorites: "Shows the favourites."
    case .showPlaylists: "Shows the playlists."
    case .showHistory: "Shows the tracks that were played, newest first."
    case .showOutputs: "Shows the outputs, of which Enter selects one."
    case .lyricsUp: "Scrolls the lyrics up."
    case .lyricsDown: "Scrolls the lyrics down."
    }
  }

  /// Whether the command can be performed on a terminal that is too small for screens.
  var needsNoScreen: Bool {
    switch self {
    case .quit, .suspend, .redraw, .back: true
    default: Self.playback.contains(self)
    }
  }

  /// Returns the main screen that the command shows; nil for any other command.
  var mainScreen: (() -> any Screen)? {
    switch self {
    case .showLibrary: { LibraryScreen() }
    case .showFolders: { FoldersScreen() }
    case .showFavorites: { FavoritesScreen() }
    case .showPlaylists: { PlaylistsScreen() }
    case .showHistory: { HistoryScreen() }
    case .showOutputs: { OutputsScreen() }
    case .showSettings: { SettingsScreen() }
    default: nil
    }
  }

  /// The commands that show a screen.
  static let screens: [Command] = [
    .showQueue, .showPlayer, .showLibrary, .showFolders, .showFavorites, .showPlaylists, .showHistory, .showOutputs,
    .showSettings,
  ]
  /// The commands of every screen that has keys for commands.
  static let everywhere: [Command] = screens + [.help, .redraw, .suspend, .quit]
  /// The commands of every screen with a list.
  static let navigation: [Command] = [.up, .down, .pageUp, .pageDown, .first, .last]
  /// The commands of playback, which every screen has.
  static let playback: [Command] = [
    .toggle, .stop, .next, .previous, .seekForward, .seekBackward, .louder, .quieter, .mute, .cycleRepeat,
    .cycleShuffle,
    .toggleConsume,
  ]
}
