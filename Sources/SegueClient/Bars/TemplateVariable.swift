internal import SegueSystem
internal import SegueWire

/// A name that a template can use: playerctl's, MPRIS' own with their colon, and one of ours.
struct TemplateVariable: Sendable {
  let name: String
  let isNumeric: Bool
  /// Says something of the track, so that there is nothing to say without one.
  let isOfTrack: Bool
  /// nil where it is not known.
  let value: @Sendable (TemplateContext) -> TemplateValue?

  private init(
    _ name: String, isNumeric: Bool = false, isOfTrack: Bool = false,
    value: @escaping @Sendable (TemplateContext) -> TemplateValue?
  ) {
    self.name = name
    self.isNumeric = isNumeric
    self.isOfTrack = isOfTrack
    self.value = value
  }

  /// The variable of that name. MPRIS leaves it to players what they know of a track: whatever has a colon is a name.
  init?(named name: String) {
    if let known = Self.all.first(where: { $0.name == name }) {
      self = known
    } else if name.contains(":") {
      self.init(name, isNumeric: true, isOfTrack: true) { _ in nil }
    } else {
      return nil
    }
  }

  static let all = ofPlayer + ofTrack

  private static let ofPlayer: [TemplateVariable] = [
    TemplateVariable("status") { .own($0.status.player.state.mprisName) },
    TemplateVariable("volume", isNumeric: true) { .real(Double($0.status.player.volume) / 100) },
    TemplateVariable("loop") { .own($0.status.player.repeatMode.mprisName) },
    TemplateVariable("shuffle") { .flag($0.status.player.shuffle != .off) },
    TemplateVariable("playerName") { _ in .own("segue") },
    TemplateVariable("playerInstance") { _ in .own("segue") },
    TemplateVariable("position", isNumeric: true, isOfTrack: true) { moment in
      moment.status.player.position(at: moment.now).map { .integer($0.microseconds) }
    },
    TemplateVariable("mpris:length", isNumeric: true, isOfTrack: true) { moment in
      let player = moment.status.player
      guard player.durationKind != .unbounded else { return nil }
      return player.duration.map { .integer($0.microseconds) }
    },
  ]

  /// Title and artist, as `segue` itself heads a line.
  static let heading = text("heading") { $0.heading($1) }

  private static let ofTrack: [TemplateVariable] = [
    heading,
    text("title") { track, _ in track.title },
    text("artist") { track, _ in track.allArtists },
    text("album") { track, _ in track.metadata.album },
    text("xesam:title") { track, _ in track.title },
    text("xesam:artist") { track, _ in track.allArtists },
    text("xesam:album") { track, _ in track.metadata.album },
    text("xesam:albumArtist") { track, _ in track.metadata.albumArtist },
    text("xesam:composer") { track, _ in track.metadata.composer },
    text("xesam:genre") { track, _ in track.metadata.genre.joined(separator: ", ") },
    text("xesam:contentCreated") { track, _ in track.metadata.date },
    text("xesam:url") { track, _ in track.uri },
    text("mpris:artUrl") { track, _ in track.metadata.art },
    text("mpris:trackid") { track, _ in MPRISTrack.path(of: track.id) },
    number("xesam:trackNumber") { $0.track },
    number("xesam:discNumber") { $0.disc },
  ]

  /// A text that a tag has, shown with what a terminal would obey.
  private static func text(
    _ name: String, _ value: @escaping @Sendable (Track, Style) -> String?
  ) -> TemplateVariable {
    TemplateVariable(name, isOfTrack: true) { moment in
      moment.status.track.flatMap { value($0, moment.style) }.map { .foreign($0.visible) }
    }
  }

  private static func number(_ name: String, _ value: @escaping @Sendable (Metadata) -> Int?) -> TemplateVariable {
    TemplateVariable(name, isNumeric: true, isOfTrack: true) { moment in
      moment.status.track.flatMap { value($0.metadata) }.map { .integer(Int64($0)) }
    }
  }
}

extension Track {
  /// All who play, as `xesam:artist` lists them.
  var allArtists: String {
    metadata.artists.isEmpty ? artist : metadata.artists.joined(separator: ", ").visible
  }
}
