internal import SegueClientKit
internal import SegueSystem
internal import SegueUnicode
internal import SegueWire

/// The lines about a track or an album: title, artist, album and facts.
struct TrackHeading {
  typealias Line = (text: String, look: Look)

  /// The lines, none of which is empty. The title is the first one.
  let lines: [Line]

  /// Creates the lines about the current track, with its chapter.
  init(_ track: QueueEntry, _ status: Status, _ state: SharedState) {
    let appearance = state.appearance
    let metadata = track.metadata
    var album = metadata.albumAndYear
    if metadata.stream != nil, let station = status.stream?.station { album = station.visible }
    let mark = track.favorite ? "\(appearance.favorite) " : ""
    let chapter = state.chapter.map { ChapterMessages.place($0.all[$0.index], $0.index, of: $0.all.count) }
    var lines: [Line] = [
      (mark + track.title, appearance.look(.accent, .bold)), (track.artist, .plain), (album, .plain),
      (chapter ?? "", .plain),
      (state.stars(track.rating), appearance.look(.mark)),
      (Self.facts(status, dot: appearance.dot), .dim),
    ]
    if let error = track.error { lines.append(("! \(error.translated)", appearance.look(.alert, .bold))) }
    self.lines = lines.filter { !$0.text.isEmpty }
  }

  /// Creates the lines about a track of a list.
  init(_ track: ListedTrack, _ state: SharedState) {
    let appearance = state.appearance
    let lines: [Line] = [
      (track.title, appearance.look(.highlight, .bold)), (track.artist, .plain),
      (track.metadata.albumAndYear, .plain), (track.metadata.text(of: .genre), .dim),
      (durationText(track.duration, track.durationKind), .dim), (state.stars(track.rating), appearance.look(.mark)),
    ]
    self.lines = lines.filter { !$0.text.isEmpty }
  }

  /// Creates the lines about an album.
  init(_ album: Album, _ state: SharedState) {
    let appearance = state.appearance
    let mark = album.favorite ? "\(appearance.favorite) " : ""
    let item = ListedItem.album(album)
    let facts = [LibraryMessages.tracks(album.trackCount), album.duration.clock]
    let lines: [Line] = [
      (mark + item.title, appearance.look(.highlight, .bold)), (item.text(of: .artist), .plain),
      (item.text(of: .year), .plain), (facts.joined(separator: " \(appearance.dot) "), .dim),
    ]
    self.lines = lines.filter { !$0.text.isEmpty }
  }

  private static func facts(_ status: Status, dot: String) -> String {
    guard let audio = status.audio else { return "" }
    var words = [audio.codec.visible.uppercased()]
    if audio.sampleRate > 0 {
      words.append(tr("%1$s kHz", decimalText(tenths: audio.sampleRate.roundedQuotient(by: 100))))
    }
    if let bits = audio.bitDepth { words.append(tr("%1$d bit", bits)) }
    if let rate = audio.bitRate, !audio.lossless {
      words.append(CatalogMessages.bitRate(String(rate.roundedQuotient(by: 1000))))
    }
    return words.joined(separator: " \(dot) ")
  }

  /// Draws as many lines as fit into an area.
  func draw(_ frame: inout TerminalFrame, _ area: Area, isCentered: Bool, _ state: SharedState) {
    for (row, (text, look)) in lines.prefix(max(0, area.rows)).enumerated() {
      frame.write(text, in: area.line(row), isCentered: isCentered, look, state.appearance)
    }
  }
}

extension Area {
  /// Returns a row of the area, by its number.
  func line(_ number: Int) -> Area { Area(row: row + number, column: column, rows: 1, columns: columns) }
}

extension TerminalFrame {
  /// Writes a text into an area of one row, at its start or in its middle.
  mutating func write(_ text: String, in line: Area, isCentered: Bool, _ look: Look, _ appearance: Appearance) {
    let free = isCentered ? max(0, line.columns - DisplayWidth.of(text.visible)) : 0
    grid.write(
      text, row: line.row, column: line.column + free / 2, width: line.columns - free / 2, look: look,
      ellipsis: appearance.ellipsis)
  }
}
