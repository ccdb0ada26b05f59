internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// The player screen: the current track with its cover, position and lyrics.
struct PlayerScreen: Screen {
  /// The first row of the lyrics without times that is displayed.
  private(set) var lyricsTop = LyricsRows.Place()
  /// The URI of the track whose lyrics are scrolled.
  private var uri: String?
  /// Whether the current track has lyrics, or the one before while that is not known, so that the cover keeps its
  /// place.
  private(set) var hasLyrics = true

  let commands: [Command] =
    [.back] + Command.playback + [
      .addToPlaylist, .toggleFavorite, .rate, .details, .showChapters, .lyricsUp, .lyricsDown,
    ]
    + Command.everywhere
  let hints: [Command] = [.back, .toggle, .previous, .next, .seekBackward, .seekForward, .louder, .quieter, .help]

  func reasonDisabled(_ command: Command, _ state: SharedState) -> String? {
    if [.addToPlaylist, .toggleFavorite, .rate, .details].contains(command) {
      return state.status?.track == nil ? ModelMessages.noCurrentTrack(state) : nil
    }
    if command == .showChapters { return state.chapter == nil ? ChapterMessages.none : nil }
    guard command == .lyricsUp || command == .lyricsDown else { return nil }
    guard let lyrics = lyrics(state) else { return PlayerMessages.noLyrics }
    return lyrics.lines == nil ? nil : tr("These lyrics follow the music and cannot be scrolled.")
  }

  mutating func perform(_ command: Command, _ state: SharedState) -> [Action] {
    switch command {
    case .lyricsUp: scrollLyrics(by: -5, state)
    case .lyricsDown: scrollLyrics(by: 5, state)
    case .toggleFavorite:
      guard let track = state.status?.track else { return [] }
      return [.call(.setFavorite([track.uri], !track.favorite))]
    case .addToPlaylist:
      return state.status?.track.map { [.show(PlaylistNameScreen(.addition(of: [$0.uri])))] } ?? []
    case .rate: return state.status?.track.map { [.show(RatingScreen(uri: $0.uri, title: $0.title))] } ?? []
    case .showChapters: return [.show(ChaptersScreen(state))]
    case .details: return state.status?.track.map { [.show(DetailsScreen(CatalogItem($0)))] } ?? []
    default: break
    }
    return []
  }

  /// The mouse wheel scrolls lyrics without times, and changes the volume otherwise.
  mutating func scroll(by rows: Int, _ state: SharedState) -> [Action] {
    if let lyrics = lyrics(state), lyrics.lines == nil {
      scrollLyrics(by: rows, state)
      return []
    }
    return [.call(.changeVolume(rows < 0 ? 2 : -2))]
  }

  private mutating func scrollLyrics(by rows: Int, _ state: SharedState) {
    guard let view = lyricsView(state) else { return }
    lyricsTop = view.rows.top(lyricsTop, scrolledBy: rows, height: max(1, view.area.rows))
  }

  /// The lyrics of the current track if they are loaded.
  func lyrics(_ state: SharedState) -> Lyrics? { state.lyrics.value(for: state.status?.track?.uri) }

  mutating func prepare(_ state: inout SharedState) -> [DaemonCall] {
    guard let track = state.status?.track else { return [] }
    if track.uri != uri {
      uri = track.uri
      lyricsTop = LyricsRows.Place()
    }
    let calls = state.prepareCurrentTrack()
    if state.lyrics.value(for: track.uri) != nil {
      hasLyrics = true
    } else if state.lyrics.isMissing(for: track.uri) {
      hasLyrics = false
    }
    return calls
  }

  func nextChange(_ state: SharedState) -> MonotonicTime? { state.nextLyricsChange }
}
