internal import SegueClientKit
internal import SegueWire

/// The output of `info` for a track.
struct TrackScreen {
  /// The place of a cover or of lyrics.
  enum Place {
    case file, folder

    fileprivate var label: String {
      switch self {
      case .file: tr("in the file")
      case .folder: tr("in the folder")
      }
    }
  }

  let report: TrackReport
  /// The places of the cover and of the lyrics; nil if there are none.
  let cover: Place?
  let lyrics: Place?
  let style: Style

  /// The lines for a terminal, without unknown values.
  var lines: [String] {
    // A long path would separate the title from the other tags.
    let members = Self.members(report).filter { $0.key != "title" }
    let values = (members.dropFirst() + members.prefix(1)).map { (label: label($0.key), value: value($0)) }
    return [style.paint(style.fitted(report.track.title), .bold)] + LabelledValues(values, style: style).lines
  }

  /// Returns the value of a member for people.
  private func value(_ member: (key: String, value: String)) -> String {
    switch member.key {
    case "uri": displayURI(member.value)
    case "cover": cover?.label ?? tr("no")
    case "lyrics": lyrics?.label ?? tr("no")
    case "added": report.track.added?.localTime ?? ""
    default: member.value
    }
  }

  /// The keys and values in their order. Unknown values are empty.
  static func members(_ report: TrackReport) -> [(key: String, value: String)] {
    let (track, audio) = (report.track, report.audio)
    let metadata = track.metadata
    let tags: [(String, String?)] = [
      ("uri", track.uri), ("title", metadata.title), ("artist", metadata.artist), ("album", metadata.album),
      ("album-artist", metadata.albumArtist), ("composer", metadata.composer),
      ("genres", metadata.genre.joined(separator: ", ")), ("date", metadata.date ?? metadata.year.map(String.init)),
      ("track", numbered(metadata.track, of: metadata.trackTotal)),
      ("disc", numbered(metadata.disc, of: metadata.discTotal)),
    ]
    let format: [(String, String?)] = [
      ("duration", durationText(track.duration, track.durationKind)), ("codec", audio.codec),
      ("sample-rate", audio.sampleRate > 0 ? tr("%1$d Hz", audio.sampleRate) : nil),
      ("channels", audio.channels > 0 ? String(audio.channels) : nil),
      ("bit-depth", audio.bitDepth.map { tr("%1$d bit", $0) }),
      ("bit-rate", audio.bitRate.map { tr("%1$d kbit/s", $0.roundedQuotient(by: 1000)) }),
    ]
    let rest: [(String, String?)] = [
      ("chapters", report.chapters.isEmpty ? nil : String(report.chapters.count)),
      ("cover", report.hasCover ? tr("yes") : tr("no")), ("lyrics", report.hasLyrics ? tr("yes") : tr("no")),
      ("rating", track.rating.map { tr("%1$d of 10", $0) }), ("favorite", track.favorite ? tr("yes") : tr("no")),
      ("added", track.added?.timestamp), ("error", track.error?.translated),
    ]
    return (tags + format + rest).map { ($0.0, $0.1 ?? "") }
  }

  /// Returns the label of a key for people.
  private func label(_ key: String) -> String {
    switch key {
    case "uri": report.track.uri.hasPrefix("file:") ? tr("file") : tr("uri")
    case "artist": tr("artist")
    case "album": tr("album")
    case "album-artist": tr("album artist")
    case "composer": tr("composer")
    case "genres": tr("genres")
    case "date": tr("date")
    case "track": tr("track")
    case "disc": tr("disc")
    case "duration": tr("duration")
    case "codec": tr("codec")
    case "sample-rate": tr("sample rate")
    case "channels": tr("channels")
    case "bit-depth": tr("bit depth")
    case "bit-rate": tr("bit rate")
    case "chapters": tr("chapters")
    case "cover": tr("cover")
    case "lyrics": tr("lyrics")
    case "rating": tr("rating")
    case "favorite": tr("favorite")
    case "added": tr("added")
    case "error": tr("error")
    default: key
    }
  }

  private static func numbered(_ number: Int?, of total: Int?) -> String {
    guard let number else { return "" }
    return total.map { tr("%1$d of %2$d", number, $0) } ?? String(number)
  }
}
