/// The symbols before the first text of a row: of playback or of a problem, of the selection, and of favorites.
struct RowSymbols {
  /// The columns of a row that the symbols take, from the first one on.
  private static let columns = (playback: 1, selection: 2, favorite: 3)

  /// The symbol of playback before what is played; nil before anything else.
  var playback: String?
  /// Whether the row is about something that cannot be played at the moment.
  var isUnavailable = false
  var isSelected = false
  var isFavorite = false

  /// Draws the symbols into a row, that of playback in a look.
  func draw(_ frame: inout TerminalFrame, _ row: Area, _ look: Look, _ appearance: Appearance) {
    func write(_ symbol: String, _ column: Int, _ look: Look) {
      frame.grid.write(symbol, row: row.row, column: row.column + column, look: look)
    }
    if let playback {
      write(playback, Self.columns.playback, look)
    } else if isUnavailable {
      write("!", Self.columns.playback, appearance.look(.alert, .bold))
    }
    if isSelected { write(appearance.selected, Self.columns.selection, appearance.look(.mark, .bold)) }
    if isFavorite { write(appearance.favorite, Self.columns.favorite, appearance.look(.alert)) }
  }

  /// Returns the symbols as a text before a title, each with a space behind it.
  func text(_ appearance: Appearance) -> String {
    let symbols = [
      playback ?? (isUnavailable ? "!" : nil), isSelected ? appearance.selected : nil,
      isFavorite ? appearance.favorite : nil,
    ]
    return symbols.compactMap { $0.map { $0 + " " } }.joined()
  }
}
