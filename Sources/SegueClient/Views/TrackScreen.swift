internal import SegueFrontend
internal import SegueSystem
internal import SegueWire

/// The output of `info` for a track of the library.
struct TrackScreen {
  let report: TrackReport
  let style: Style

  /// The lines for a terminal, without unknown values.
  var lines: [String] {
    let values = Self.members(report).filter { $0.key != "title" }.map { (label: $0.key, value: $0.value) }
    return [style.paint(style.fitted(report.track.title), .bold)] + LabelledValues(values, style: style).lines
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
      ("sample-rate", audio.sampleRate > 0 ? "\(audio.sampleRate) Hz" : nil),
      ("channels", audio.channels > 0 ? String(audio.channels) : nil),
      ("bit-depth", audio.bitDepth.map { "\($0) bit" }),
      ("bit-rate", audio.bitRate.map { "\($0.roundedQuotient(by: 1000)) kbit/s" }),
    ]
    let rest: [(String, String?)] = [
      ("chapters", report.chapters.isEmpty ? nil : String(report.chapters.count)),
      ("cover", report.hasCover ? "yes" : "no"), ("lyrics", report.hasLyrics ? "yes" : "no"),
      ("rating", track.rating.map { "\($0) of 10" }), ("favorite", track.favorite ? "yes" : "no"),
      ("added", track.added?.timestamp), ("error", track.error),
    ]
    return (tags + format + rest).map { ($0.0, $0.1 ?? "") }
  }

  private static func numbered(_ number: Int?, of total: Int?) -> String {
    guard let number else { return "" }
    return total.map { "\(number) of \($0)" } ?? String(number)
  }
}
