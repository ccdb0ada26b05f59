internal import SegueSystem
internal import SegueWire

/// A reader of cue sheets, which describe the tracks of a disc as ranges of one or more files.
///
/// A track begins at its INDEX 01 and ends where the next one in the same file begins. The part between INDEX 00 and
/// INDEX 01 is therefore played at the end of the previous track, as by a CD player. Silence that is not in the file
/// (PREGAP, POSTGAP) is not played.
struct CueSheet {
  private(set) var items: [PlaylistItem] = []

  private var disc = Metadata()
  private var discPerformer: String?
  private var file: [UInt8]?
  private var track: Track?
  /// The file of the previous track. That track ends where the next one in the same file begins.
  private var lastFile: [UInt8]?

  private struct Track {
    var number: Int
    var line: Int
    var isAudio: Bool
    var metadata = Metadata()
    var performer: String?
    var start: Int64?
    /// The file that has INDEX 01.
    var file: [UInt8]?
  }

  static func read(_ bytes: [UInt8], upTo limit: Int) -> PlaylistContent {
    var sheet = CueSheet()
    for (number, line) in TextLines(bytes) {
      sheet.readLine(line.trimmed, number)
      if sheet.items.count > limit { break }
    }
    sheet.finishTrack()
    let total = sheet.items.count
    return .items(
      sheet.items.map { item in
        var item = item
        item.metadata.trackTotal = total
        // A track that is a whole file needs no range.
        if item.range == CueRange(start: 0, end: nil) { item.range = nil }
        item.duration = item.range?.duration
        return item
      })
  }

  private mutating func readLine(_ line: ArraySlice<UInt8>, _ number: Int) {
    if let rest = line.after("REM ") {
      readRemark(rest.trimmed)
    } else if let rest = line.after("FILE ") {
      file = Self.unquoted(rest, beforeLast: true)
    } else if let rest = line.after("TRACK ") {
      finishTrack()
      let words = rest.split(separator: 0x20, omittingEmptySubsequences: true)
      track = Track(
        number: words.first?.number ?? items.count + 1, line: number,
        isAudio: words.count < 2 || words[1].after("AUDIO") != nil)
    } else if let rest = line.after("INDEX 01 ") ?? line.after("INDEX 1 ") {
      track?.start = Self.frames(rest)
      track?.file = file
    } else if let rest = line.after("TITLE ") {
      let title = Self.unquoted(rest).text
      if track != nil { track?.metadata.title = title } else { disc.album = title }
    } else if let rest = line.after("PERFORMER ") {
      let performer = Self.unquoted(rest).text
      if track != nil { track?.performer = performer } else { discPerformer = performer }
    } else if let rest = line.after("SONGWRITER ") {
      let composer = Self.unquoted(rest).text
      if track != nil { track?.metadata.composer = composer } else { disc.composer = composer }
    }
  }

  private mutating func readRemark(_ text: ArraySlice<UInt8>) {
    if let rest = text.after("DATE ") {
      disc.date = Self.unquoted(rest).text
      disc.year = disc.date.flatMap { Array($0.utf8).prefix(4).number }
    } else if let rest = text.after("GENRE ") {
      disc.genre = Self.unquoted(rest).text.map { [$0] } ?? []
    } else if let rest = text.after("DISCNUMBER ") {
      disc.disc = Self.unquoted(rest)[...].number
    } else if let rest = text.after("TOTALDISCS ") {
      disc.discTotal = Self.unquoted(rest)[...].number
    }
  }

  private mutating func finishTrack() {
    defer { track = nil }
    guard let track, let start = track.start, let file = track.file else { return }
    // The previous track ends here, unless it is in another file and ends with that.
    if let last = items.indices.last, lastFile == file, let range = items[last].range, range.end == nil {
      if start > range.start { items[last].range?.end = start } else { items.removeLast() }
    }
    lastFile = file
    guard track.isAudio else {
      lastFile = nil
      return
    }
    var item = PlaylistItem(location: file, line: track.line)
    item.metadata = disc
    item.metadata.title = track.metadata.title
    item.metadata.composer = track.metadata.composer ?? disc.composer
    item.metadata.artist = track.performer ?? discPerformer
    item.metadata.artists = item.metadata.artist.map { [$0] } ?? []
    item.metadata.albumArtist = discPerformer
    item.metadata.track = track.number
    item.range = CueRange(start: start, end: nil)
    items.append(item)
  }

  /// Reads a position as `MM:SS:FF`, with 75 frames per second. The minutes may exceed 99.
  private static func frames(_ text: ArraySlice<UInt8>) -> Int64? {
    let parts = text.trimmed.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map(\.number)
    guard parts.count == 3, let minutes = parts[0], let seconds = parts[1], let frames = parts[2], seconds < 60,
      frames < CueRange.framesPerSecond
    else { return nil }
    let position = (Int64(minutes) * 60 + Int64(seconds)) * CueRange.framesPerSecond + Int64(frames)
    return position <= CueRange.maximumPosition ? position : nil
  }

  /// Returns the text between quotation marks. If there are none, returns the whole text, or with `beforeLast` the text
  /// before the last word, which is the type of a FILE.
  private static func unquoted(_ text: ArraySlice<UInt8>, beforeLast: Bool = false) -> [UInt8] {
    let text = text.trimmed
    if text.first == UInt8(ascii: "\"") {
      let inside = text.dropFirst()
      return Array(inside[..<(inside.lastIndex(of: UInt8(ascii: "\"")) ?? inside.endIndex)])
    }
    guard beforeLast, let space = text.lastIndex(of: 0x20) else { return Array(text) }
    return Array(text[..<space].trimmed)
  }
}
