internal import SegueClientKit

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
  // Tiles beside each other.
  case left
  case right
  case open
  case filter
  case select

  // The queue.
  case showCurrent = "show-current"
  case moveUp = "move-up"
  case moveDown = "move-down"
  case remove
  case clear

  // Changes of the queue, on every screen.
  case undo
  case redo
  case shuffleNow = "shuffle-now"
  case arrange

  // Items of the library and other lists.
  case add
  case addNext = "add-next"
  case playNow = "play-now"
  case replaceQueue = "replace-queue"
  case toggleFavorite = "favorite"
  case rate
  case nextTab = "next-tab"
  case previousTab = "previous-tab"
  case reload
  case cycleOrder = "order"
  case savePlaylist = "save-playlist"
  case saveSearch = "save-search"
  case addToPlaylist = "add-to-playlist"
  case rename

  // Playback.
  case toggle
  case stop
  case next
  case previous
  case seekForward = "seek-forward"
  case seekBackward = "seek-backward"
  case seekForwardHalfMinute = "seek-forward-30"
  case seekBackwardHalfMinute = "seek-backward-30"
  case seekForwardMinute = "seek-forward-60"
  case seekBackwardMinute = "seek-backward-60"
  case seekForwardPart = "seek-forward-part"
  case seekBackwardPart = "seek-backward-part"
  case seekTo = "seek-to"
  case louder
  case quieter
  case mute
  case cycleRepeat = "repeat"
  case cycleShuffle = "shuffle"
  case toggleConsume = "consume"
  case slower
  case faster
  case resetSpeed = "reset-speed"
  case stopAfterTrack = "stop-after-track"
  case sleepTimer = "sleep"

  // Screens.
  case showQueue = "queue"
  case showPlayer = "player"
  case showLibrary = "library"
  case showFolders = "folders"
  case showFavorites = "favorites"
  case showPlaylists = "playlists"
  case showHistory = "history"
  case showOutputs = "outputs"
  case showSearch = "search"
  case showPopular = "popular"
  case showPeople = "people"
  case showRadio = "radio"
  case showVisualizer = "visualizer"

  // Items of online catalogues.
  case details
  case refresh
  case toggleTiles = "tiles"
  case toggleGenre = "genre"
  case openLink = "open-link"

  // Settings.
  case change
  case addKey = "add-key"
  case reset

  // The player.
  case showChapters = "chapters"
  case lyricsUp = "lyrics-up"
  case lyricsDown = "lyrics-down"

  /// The name in the last line: one or two words.
  var label: String {
    switch self {
    case .help: tr("Help")
    case .back: tr("Back")
    case .quit: tr("Quit")
    case .suspend: tr("Suspend")
    case .redraw: tr("Redraw")
    case .showSettings: tr("Settings")
    case .up: tr("Up")
    case .down: tr("Down")
    case .pageUp: tr("Page up")
    case .pageDown: tr("Page down")
    case .first: tr("First")
    case .last: tr("Last")
    case .left: tr("Left")
    case .right: tr("Right")
    case .open: tr("Open")
    case .filter: tr("Filter")
    case .showCurrent: tr("Current")
    case .select: tr("Select")
    case .cancel: tr("Cancel")
    case .moveUp: tr("Move up")
    case .moveDown: tr("Move down")
    case .remove: tr("Remove")
    case .clear: tr("Clear")
    case .undo: tr("Undo")
    case .redo: tr("Redo")
    case .shuffleNow: tr("Shuffle now")
    case .arrange: tr("Arrange")
    case .toggle: tr("Play/pause")
    case .stop: tr("Stop")
    case .next: tr("Next")
    case .previous: tr("Previous")
    case .seekForward: tr("Forward")
    case .seekBackward: tr("Rewind")
    case .seekForwardHalfMinute: tr("Forward 30 s")
    case .seekBackwardHalfMinute: tr("Rewind 30 s")
    case .seekForwardMinute: tr("Forward 1 min")
    case .seekBackwardMinute: tr("Rewind 1 min")
    case .seekForwardPart: tr("Forward a tenth")
    case .seekBackwardPart: tr("Rewind a tenth")
    case .seekTo: tr("Go to time")
    case .stopAfterTrack: tr("Stop after")
    case .sleepTimer: tr("Sleep timer")
    case .louder: tr("Louder")
    case .quieter: tr("Quieter")
    case .mute: tr("Mute")
    case .cycleRepeat: tr("Repeat")
    case .cycleShuffle: tr("Shuffle")
    case .toggleConsume: tr("Consume")
    case .slower: tr("Slower")
    case .faster: tr("Faster")
    case .resetSpeed: tr("Normal speed")
    case .add: tr("Add")
    case .addNext: tr("Add next")
    case .playNow: tr("Play")
    case .replaceQueue: tr("Play only this")
    case .toggleFavorite: tr("Favorite")
    case .rate: tr("Rate")
    case .nextTab: tr("Next tab")
    case .previousTab: tr("Previous tab")
    case .reload: tr("Reload")
    case .cycleOrder: tr("Order")
    case .savePlaylist: tr("Save queue")
    case .saveSearch: tr("Save search")
    case .addToPlaylist: tr("To playlist")
    case .rename: tr("Rename")
    case .showQueue: tr("Queue")
    case .showPlayer: tr("Player")
    case .details: tr("Details")
    case .refresh: tr("Refresh")
    case .toggleTiles: tr("Tiles")
    case .toggleGenre: tr("Genre")
    case .openLink: tr("Home page")
    case .change: tr("Change")
    case .addKey: tr("Add key")
    case .reset: tr("Reset")
    case .showLibrary: tr("Library")
    case .showFolders: tr("Folders")
    case .showFavorites: tr("Favorites")
    case .showPlaylists: tr("Playlists")
    case .showHistory: tr("History")
    case .showOutputs: tr("Outputs")
    case .showSearch: tr("Search")
    case .showPopular: tr("Popular")
    case .showPeople: tr("People")
    case .showRadio: tr("Radio")
    case .showVisualizer: tr("Visualizer")
    case .showChapters: tr("Chapters")
    case .lyricsUp: tr("Lyrics up")
    case .lyricsDown: tr("Lyrics down")
    }
  }

  /// The description in the help: a whole sentence.
  var summary: String {
    switch self {
    case .help: tr("Shows all keys.")
    case .back: tr("Returns to the screen before.")
    case .quit: tr("Quits. The music plays on.")
    case .suspend: tr("Returns to the shell until the command fg.")
    case .redraw: tr("Draws the screen again.")
    case .showSettings: tr("Shows the settings: theme, language, keys, crossfade, loudness and more.")
    case .up: tr("Moves the focus up.")
    case .down: tr("Moves the focus down.")
    case .pageUp: tr("Moves the focus up by a page.")
    case .pageDown: tr("Moves the focus down by a page.")
    case .first: tr("Moves the focus to the first row.")
    case .last: tr("Moves the focus to the last row.")
    case .left: tr("Moves the focus to the tile on the left.")
    case .right: tr("Moves the focus to the tile on the right.")
    case .open: tr("Opens what is focused: plays a track, shows an album or a folder.")
    case .filter: tr("Shows only the rows whose title, artist or album contains what you type.")
    case .showCurrent: tr("Moves the focus to the current track.")
    case .select: tr("Selects the row, or removes it from the selection.")
    case .cancel: tr("Ends the filter, or deselects everything.")
    case .moveUp: tr("Moves the selected tracks, or the focused one, up.")
    case .moveDown: tr("Moves the selected tracks, or the focused one, down.")
    case .remove: tr("Removes the selected rows, or the focused one, from the list, or deletes a playlist.")
    case .clear: tr("Removes all tracks from the queue, after a second press.")
    case .undo: tr("Undoes the last change of the queue, whoever made it.")
    case .redo: tr("Redoes the change of the queue that was undone last.")
    case .shuffleNow: tr("Puts the queue in random order, the current track first. Undo restores the order.")
    case .toggle: tr("Pauses or resumes playback.")
    case .stop: tr("Stops playback.")
    case .next: tr("Skips to the next track or chapter.")
    case .previous: tr("Returns to the start of the track, or to the previous track or chapter.")
    case .seekForward: tr("Skips five seconds.")
    case .seekBackward: tr("Returns five seconds.")
    case .seekForwardHalfMinute: tr("Skips 30 seconds.")
    case .seekBackwardHalfMinute: tr("Returns 30 seconds.")
    case .seekForwardMinute: tr("Skips a minute.")
    case .seekBackwardMinute: tr("Returns a minute.")
    case .seekForwardPart: tr("Skips a tenth of the track.")
    case .seekBackwardPart: tr("Returns a tenth of the track.")
    case .seekTo: tr("Goes to a time that is typed, such as 12:30.")
    case .stopAfterTrack: tr("Stops playback after this track. A second press cancels that.")
    case .sleepTimer: tr("Sets the sleep timer: minutes, or the end of the track, the album or the queue.")
    case .louder: tr("Raises the volume by five percent.")
    case .quieter: tr("Lowers the volume by five percent.")
    case .mute: tr("Mutes or unmutes the output.")
    case .cycleRepeat: tr("Changes what is repeated: nothing, the track or the queue.")
    case .cycleShuffle: tr("Changes what is played in random order: nothing, tracks or albums.")
    case .toggleConsume: tr("Changes whether tracks leave the queue after playing.")
    case .slower: tr("Lowers the playback speed by 0.1, at the same pitch.")
    case .faster: tr("Raises the playback speed by 0.1, at the same pitch.")
    case .resetSpeed: tr("Restores the original playback speed.")
    case .add: tr("Adds the selected rows, or the focused one, to the end of the queue.")
    case .addNext: tr("Adds the selected rows, or the focused one, after the current track.")
    case .playNow: tr("Plays the selected rows, or the focused one, which are added after the current track.")
    case .replaceQueue: tr("Replaces the queue by the selected rows, or the focused one, and plays that.")
    case .toggleFavorite: tr("Adds to the favorites, or removes from them.")
    case .rate: tr("Rates the track from 0 to 10.")
    case .nextTab: tr("Shows the next tab.")
    case .previousTab: tr("Shows the previous tab.")
    case .reload: tr("Reads the list again.")
    case .cycleOrder: tr("Shows the list in the next order, such as by title, date or rating.")
    case .savePlaylist: tr("Saves the queue as a playlist.")
    case .saveSearch: tr("Saves the tracks that the search has found in the library as a playlist.")
    case .addToPlaylist: tr("Adds the selected rows, or the focused one, to a playlist.")
    case .rename: tr("Renames the playlist.")
    case .showQueue: tr("Shows the queue.")
    case .showPlayer: tr("Shows the player with cover, lyrics and progress.")
    case .details: tr("Shows the details of the item.")
    case .refresh: tr("Asks the service again.")
    case .toggleTiles: tr("Changes between tiles and a table.")
    case .toggleGenre: tr("Changes between the genre in the settings and all genres.")
    case .openLink: tr("Opens the home page in the browser.")
    case .change: tr("Changes the setting, or the key of the command.")
    case .addKey: tr("Adds a key to those of the command.")
    case .reset: tr("Restores the default, or the value in segue.conf.")
    case .showLibrary: tr("Shows the library: albums, artists and tracks.")
    case .showFolders: tr("Shows the music folders.")
    case .showFavorites: tr("Shows the favorites.")
    case .showPlaylists: tr("Shows the playlists.")
    case .showHistory: tr("Shows the tracks that were played, newest first.")
    case .showOutputs: tr("Shows the outputs: the devices that can play, of which Enter selects one.")
    case .showSearch: tr("Searches the library and online catalogues.")
    case .showPopular: tr("Shows what is popular in online catalogues.")
    case .showPeople: tr("Shows popular people.")
    case .showRadio: tr("Shows radio stations and searches for them.")
    case .arrange: tr("Sorts the queue, removes duplicates or all but the selected tracks, or adds random ones.")
    case .showVisualizer: tr("Shows the spectrum and the level of the sound, or leaves that.")
    case .showChapters: tr("Shows the chapters of the track.")
    case .lyricsUp: tr("Scrolls the lyrics up.")
    case .lyricsDown: tr("Scrolls the lyrics down.")
    }
  }

  /// The default keys, which are those of ncmpcpp and rmpc where these agree. The last line shows the first one.
  var standardKeys: [Key] {
    switch self {
    case .help: [.character("?"), Key(code: .function(1))]
    case .cancel: [Key(code: .escape)]
    case .back: [.character("q"), Key(code: .escape), Key(code: .backspace)]
    case .quit: [.character("q"), .control("c")]
    case .suspend: [.control("z")]
    case .redraw: [.control("l")]
    case .showSettings: [.character("S")]
    case .up: [Key(code: .up), .character("k"), .control("p")]
    case .down: [Key(code: .down), .character("j"), .control("n")]
    case .pageUp: [Key(code: .pageUp), .control("u"), .control("b")]
    case .pageDown: [Key(code: .pageDown), .control("d"), .control("f")]
    case .first: [Key(code: .home), .character("g")]
    case .last: [Key(code: .end), .character("G")]
    case .left: [Key(code: .left)]
    case .right: [Key(code: .right)]
    case .open: [Key(code: .enter)]
    case .filter: [.character("/"), .control("s")]
    case .select: [.character(" "), Key(code: .insert)]
    case .showCurrent: [.character("o")]
    case .moveUp: [.character("K"), Key(code: .up, modifiers: .alt), Key(code: .up, modifiers: .shift)]
    case .moveDown: [.character("J"), Key(code: .down, modifiers: .alt), Key(code: .down, modifiers: .shift)]
    case .remove: [.character("d"), Key(code: .delete)]
    case .clear: [.character("c")]
    case .undo: [.character("u")]
    case .redo: [.character("U"), .control("r")]
    case .shuffleNow: [.character("Z")]
    case .arrange: [.character("E")]
    case .add: [.character("a")]
    case .addNext: [.character("A")]
    case .playNow: [.character("y")]
    case .replaceQueue: [.character("Y")]
    case .toggleFavorite: [.character("*")]
    case .rate: [.character("v")]
    case .nextTab: [Key(code: .tab), Key(code: .right)]
    case .previousTab: [Key(code: .tab, modifiers: .shift), Key(code: .left)]
    case .reload: [Key(code: .function(5))]
    case .cycleOrder: [.character("o")]
    case .savePlaylist, .saveSearch: [.character("w")]
    case .addToPlaylist: [.character("W")]
    case .rename: [.character("e")]
    case .toggle: [.character("p"), .character(" ")]
    case .stop: [.character("s")]
    case .next: [.character(">")]
    case .previous: [.character("<")]
    case .seekForward: [Key(code: .right), .character("f")]
    case .seekBackward: [Key(code: .left), .character("b")]
    case .seekForwardHalfMinute: [.character("F"), Key(code: .right, modifiers: .shift)]
    case .seekBackwardHalfMinute: [.character("B"), Key(code: .left, modifiers: .shift)]
    case .seekForwardMinute: [.character("L")]
    case .seekBackwardMinute: [.character("H")]
    case .seekForwardPart: [.character("}")]
    case .seekBackwardPart: [.character("{")]
    case .seekTo: [.character(":")]
    case .stopAfterTrack: [.character("X")]
    case .sleepTimer: [.character("x")]
    case .louder: [.character("+"), .character("=")]
    case .quieter: [.character("-")]
    case .mute: [.character("m")]
    case .cycleRepeat: [.character("r")]
    case .cycleShuffle: [.character("z")]
    case .toggleConsume: [.character("R")]
    case .slower: [.character("[")]
    case .faster: [.character("]")]
    case .resetSpeed: [.character("\\")]
    case .showQueue: [.character("1")]
    case .showPlayer: [.character("2"), Key(code: .tab)]
    case .showLibrary: [.character("3")]
    case .showFolders: [.character("4")]
    case .showFavorites: [.character("7")]
    case .showPlaylists: [.character("8")]
    case .showHistory: [.character("0")]
    case .showOutputs: [.character("O")]
    case .showSearch: [.character("5")]
    case .showPopular: [.character("6")]
    case .showPeople: [.character("P")]
    case .showRadio: [.character("9")]
    case .showVisualizer: [.character("V")]
    case .details: [.character("i")]
    case .refresh: [.character("r"), Key(code: .function(5))]
    case .toggleTiles: [.character("t")]
    case .toggleGenre: [.character("e")]
    case .openLink: [.character("w")]
    case .change: [Key(code: .enter)]
    case .addKey: [.character("a")]
    case .reset: [.character("d"), Key(code: .delete)]
    case .showChapters: [.character("C")]
    case .lyricsUp: [Key(code: .pageUp), Key(code: .up), .character("k")]
    case .lyricsDown: [Key(code: .pageDown), Key(code: .down), .character("j")]
    }
  }

  /// Whether the command can be performed on a terminal that is too small for screens.
  var needsNoScreen: Bool {
    switch self {
    case .quit, .suspend, .redraw, .back: true
    case .seekTo, .sleepTimer: false
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
    case .showSearch: { SearchScreen.all }
    case .showPopular: { ChartScreen.popular }
    case .showPeople: { ChartScreen.people }
    case .showRadio: { SearchScreen.radio }
    case .showSettings: { SettingsScreen() }
    default: nil
    }
  }

  /// The commands that show a screen.
  static let screens: [Command] = [
    .showQueue, .showPlayer, .showLibrary, .showFolders, .showFavorites, .showPlaylists, .showHistory, .showOutputs,
    .showSearch, .showPopular, .showPeople, .showRadio, .showVisualizer, .showSettings,
  ]
  /// The commands of every screen that has keys for commands.
  static let everywhere: [Command] = screens + [.help, .redraw, .suspend, .quit]
  /// The commands of every screen with a list.
  static let navigation: [Command] = [.up, .down, .pageUp, .pageDown, .first, .last]
  /// The commands that act on the focused row of a list, or on the selected ones.
  static let onRows: [Command] = [
    .open, .select, .add, .addNext, .playNow, .replaceQueue, .addToPlaylist, .toggleFavorite, .remove, .moveUp,
    .moveDown, .rate, .details, .rename,
  ]
  /// The commands that act on the focused row, whether others are selected or not.
  static let onFocusedRow: [Command] = [.open, .select, .rate, .details, .rename]
  /// The commands of playback, and those that take back changes of the queue, which every screen has.
  static let playback: [Command] =
    [.toggle, .stop, .next, .previous] + seeks + [
      .louder, .quieter, .mute, .cycleRepeat, .cycleShuffle, .toggleConsume, .slower, .faster, .resetSpeed,
      .stopAfterTrack, .sleepTimer, .undo, .redo, .shuffleNow,
    ]
  /// The commands that go to another position in the track.
  static let seeks: [Command] = [
    .seekForward, .seekBackward, .seekForwardHalfMinute, .seekBackwardHalfMinute, .seekForwardMinute,
    .seekBackwardMinute, .seekForwardPart, .seekBackwardPart, .seekTo,
  ]
}
