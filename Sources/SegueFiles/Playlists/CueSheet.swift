internal import SegueSystem
internal import SegueWire

/// A reader of cue sheets, which describe the tracks of a disc as ranges of one or more files.
///
/// A track begins at its INDEX 01 and ends where the next one in the same file begins. The part between INDEX 00 and
/// INDEX 01 is therefore played at the end of the previous track, as by a CD player. Silence that is not in the file
/// (PREGAP, POSTGAP) is not played.
///
/// Programs and people write sheets that the specification does not allow. What a line means is read whenever it can
/// only mean one thing; a track whose position remains unknown is an item with a fault.
struct CueSheet {
  private var disc = Metadata()
  private var albumGain = ReplayGain()
  private var file: [UInt8]?
  private var tracks: [Track] = []
  /// Whether the last field of positions counts hundredths of a second.
  private var hasHundredths = false

  private struct Track {
    var number: Int
    var line: Int
    var isAudio: Bool
    var metadata = Metadata()
    var gain = ReplayGain()
    /// The file that was current at TRACK, and then at the index from which the track starts.
    var file: [UInt8]?
    var index: Int?
    /// The position of the index; nil if it cannot be read.
    var start: CuePosition?

    /// Whether an index of this number is preferred to the one that the track has: the music begins at INDEX 01.
    /// Without one, it begins at the index after it that is nearest, or else at INDEX 00.
    func prefers(_ number: Int) -> Bool {
      guard let index else { return true }
      return number > 0 && (index == 0 || number < index)
    }
  }

  static func read(_ bytes: [UInt8], upTo limit: Int) -> PlaylistContent {
    var sheet = CueSheet()
    for (number, line) in TextLines(bytes) {
      sheet.readLine(line.trimmed, number)
      if sheet.tracks.count > limit { break }
    }
    return .items(sheet.items)
  }

  // MARK: Lines

  private mutating func readLine(_ line: ArraySlice<UInt8>, _ number: Int) {
    let (keyword, rest) = line.keyword
    switch keyword {
    case "REM": readRemark(rest)
    case "FILE": file = rest.fileName
    case "TRACK":
      let words = rest.words
      tracks.append(
        Track(
          number: words.first?.number ?? tracks.count + 1, line: number,
          isAudio: words.count < 2 || ["AUDIO", "CDG"].contains(words[1].keyword.keyword), file: file))
    case "INDEX": readIndex(rest.words)
    case "TITLE":
      update {
        $0.title = rest.quoted.text
      } disc: {
        $0.album = rest.quoted.text
      }
    case "PERFORMER":
      update {
        $0.artist = rest.quoted.text
      } disc: {
        $0.albumArtist = rest.quoted.text
      }
    case "SONGWRITER": update { $0.composer = rest.quoted.text }
    default: break
    }
  }

  /// Changes the metadata of the current track or, before the first one, those of the disc.
  private mutating func update(
    track change: (inout Metadata) -> Void, disc changeDisc: ((inout Metadata) -> Void)? = nil
  ) {
    if let last = tracks.indices.last {
      change(&tracks[last].metadata)
    } else if let changeDisc {
      changeDisc(&disc)
    } else {
      change(&disc)
    }
  }

  private mutating func readIndex(_ words: [ArraySlice<UInt8>]) {
    guard let last = tracks.indices.last, let number = words.first?.number, tracks[last].prefers(number) else { return }
    let position = words.dropFirst().first.flatMap(CuePosition.init)
    // A single position of this kind shows how the program counts.
    if let position, position.last >= CueRange.framesPerSecond { hasHundredths = true }
    (tracks[last].index, tracks[last].start, tracks[last].file) = (number, position, file)
  }

  private mutating func readRemark(_ text: ArraySlice<UInt8>) {
    let (keyword, rest) = text.keyword
    let value = rest.quoted
    switch keyword {
    case "DATE":
      let date = value.text
      let year = date.flatMap { Array($0.utf8).prefix(4).number }
      update { ($0.date, $0.year) = (date, year) }
    case "GENRE": update { $0.genre = value.text.map { [$0] } ?? [] }
    case "COMPOSER": update { $0.composer = value.text }
    case "DISCNUMBER", "DISC": update { $0.disc = value.number }
    case "TOTALDISCS", "DISCTOTAL", "DISCS": update { $0.discTotal = value.number }
    // foobar2000 writes a gain as "-6.50 dB".
    case "REPLAYGAIN_ALBUM_GAIN": albumGain.albumGain = value.decimal
    case "REPLAYGAIN_ALBUM_PEAK": albumGain.albumPeak = value.decimal
    case "REPLAYGAIN_TRACK_GAIN": updateGain { $0.trackGain = value.decimal }
    case "REPLAYGAIN_TRACK_PEAK": updateGain { $0.trackPeak = value.decimal }
    default: break
    }
  }

  private mutating func updateGain(_ change: (inout ReplayGain) -> Void) {
    if let last = tracks.indices.last { change(&tracks[last].gain) }
  }

  // MARK: Items

  private var items: [PlaylistItem] {
    let total = tracks.count(where: \.isAudio)
    var items: [PlaylistItem] = []
    /// The index in `items` and the file of the last track with a position. It ends where the next one in the same file
    /// begins.
    var previous: (item: Int?, start: Int64, file: [UInt8])?
    for track in tracks {
      var item = item(of: track, total: total)
      switch start(of: track, after: previous?.file) {
      case .failure(let fault): item.fault = fault.reason
      case .success(let start):
        if let last = previous, last.file == track.file, let index = last.item {
          if start > last.start {
            items[index].range?.end = start
          } else {
            items[index].fault = LocalizableMessage("the track ends before it begins")
            items[index].range = nil
          }
        }
        item.range = CueRange(start: start, end: nil)
        previous = (track.isAudio ? items.count : nil, start, track.file ?? [])
      }
      if track.isAudio { items.append(item) }
    }
    for index in items.indices {
      // A track that is a whole file needs no range.
      if items[index].range == CueRange(start: 0, end: nil) { items[index].range = nil }
      items[index].duration = items[index].range?.duration
    }
    return items
  }

  /// The reason why a track cannot be played.
  private struct Fault: Error { let reason: LocalizableMessage }

  /// Returns the start of a track in CD frames.
  private func start(of track: Track, after previousFile: [UInt8]?) -> Result<Int64, Fault> {
    guard let file = track.file else {
      return .failure(Fault(reason: LocalizableMessage("no FILE precedes the track")))
    }
    guard track.index != nil else {
      // The first track of a file begins with it.
      if file != previousFile { return .success(0) }
      return .failure(Fault(reason: LocalizableMessage("the track has no INDEX")))
    }
    guard let frames = track.start?.frames(hasHundredths: hasHundredths) else {
      return .failure(Fault(reason: LocalizableMessage("the INDEX of the track is not a position (MM:SS:FF)")))
    }
    return .success(frames)
  }

  private func item(of track: Track, total: Int) -> PlaylistItem {
    var item = PlaylistItem(location: track.file ?? [], line: track.line)
    item.metadata = track.metadata.filled(from: disc)
    item.metadata.artist = track.metadata.artist ?? disc.albumArtist
    item.metadata.artists = item.metadata.artist.map { [$0] } ?? []
    item.metadata.track = track.number
    item.metadata.trackTotal = total
    item.gain = ReplayGain(
      trackGain: track.gain.trackGain, trackPeak: track.gain.trackPeak, albumGain: albumGain.albumGain,
      albumPeak: albumGain.albumPeak)
    return item
  }
}

/// A position as it is written: `MM:SS:FF`, with 75 frames per second.
private struct CuePosition {
  private let minutes: Int64
  private let seconds: Int64
  /// The last field. Some programs write hundredths of a second instead of frames.
  let last: Int64

  /// Returns nil if `text` is not a position. The minutes may exceed 99, and the last field may be missing.
  init?(_ text: ArraySlice<UInt8>) {
    let separators = ":.,;".utf8
    let fields = text.split(omittingEmptySubsequences: false) { separators.contains($0) }.map(\.number)
    guard (2...3).contains(fields.count), let minutes = fields[0], let seconds = fields[1], seconds < 60,
      let last = fields.count == 3 ? fields[2] : 0, last < 100
    else { return nil }
    (self.minutes, self.seconds, self.last) = (Int64(minutes), Int64(seconds), Int64(last))
  }

  /// Returns the position in CD frames; nil if it exceeds what can be played.
  func frames(hasHundredths: Bool) -> Int64? {
    let rate = CueRange.framesPerSecond
    let frames = (minutes * 60 + seconds) * rate + (hasHundredths ? (last * rate + 50) / 100 : last)
    return frames <= CueRange.maximumPosition ? frames : nil
  }
}

extension ArraySlice<UInt8> {
  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  /// The first word in upper case and the text after it. A quotation mark ends the word, too.
  fileprivate var keyword: (keyword: String, rest: ArraySlice<UInt8>) {
    let word = prefix { !Self.isBlank($0) && $0 != UInt8(ascii: "\"") }
    // No keyword is longer.
    return (String(decoding: word.prefix(24), as: UTF8.self).uppercased(), self[word.endIndex...].trimmed)
  }

  fileprivate var words: [ArraySlice<UInt8>] { split(whereSeparator: Self.isBlank) }

  /// The text between quotation marks; all of it if there are none.
  fileprivate var quoted: [UInt8] {
    guard first == UInt8(ascii: "\"") else { return Array(self) }
    let inside = dropFirst()
    return Array(inside[..<(inside.lastIndex(of: UInt8(ascii: "\"")) ?? inside.endIndex)])
  }

  /// The name in a FILE. If it is not quoted, or a quotation mark is missing, it ends before the type, which is one of
  /// the specification, or any word behind the extension of an audio file: programs write the names of formats there.
  fileprivate var fileName: [UInt8] {
    let name = quoted
    if first == UInt8(ascii: "\""), name.count < count - 1 { return name }
    guard let blank = name.lastIndex(where: Self.isBlank) else { return name }
    let file = Array(name[..<blank].trimmed)
    let type = String(decoding: name[(blank + 1)...].prefix(16), as: UTF8.self)
    return Self.fileTypes.contains(type.uppercased()) || NameKey(file).hasExtension && !type.contains(".") ? file : name
  }

  private static var fileTypes: Set<String> { ["WAVE", "MP3", "AIFF", "BINARY", "MOTOROLA"] }
}

extension [UInt8] {
  /// The decimal number at the beginning; nil if there is none.
  fileprivate var decimal: Double? {
    let digits = trimmed.prefix { $0 > 0x20 }
    // No number that a program writes is longer.
    return digits.count > 32 ? nil : Double(String(decoding: digits, as: UTF8.self))
  }
}
