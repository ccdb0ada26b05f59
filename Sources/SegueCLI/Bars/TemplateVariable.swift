internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// A variable of a template: a name of playerctl, an MPRIS name with a colon, or `heading`.
struct TemplateVariable: Sendable {
  let name: String
  let isNumeric: Bool
  /// Whether the value belongs to the track, so that it is unknown without one.
  let isOfTrack: Bool
  /// Returns the value, or nil if it is unknown.
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

  /// Creates the variable with this name. Every name with a colon is accepted, because MPRIS lets players define
  /// further metadata; unknown ones have no value.
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
    TemplateVariable("status") { .trusted($0.status.player.state.mprisName) },
    TemplateVariable("volume", isNumeric: true) { .real(Double($0.status.player.volume) / 100) },
    TemplateVariable("loop") { .trusted($0.status.player.repeatMode.mprisName) },
    TemplateVariable("shuffle") { .flag($0.status.player.shuffle != .off) },
    TemplateVariable("speed", isNumeric: true) { .real($0.status.player.speed.factor) },
    TemplateVariable("stream") { $0.status.player.stream?.state.map { .trusted($0.rawValue) } },
    TemplateVariable("station") { $0.status.player.stream?.station.map { .untrusted($0.visible) } },
    TemplateVariable("nextTitle") { $0.status.player.next.map { .untrusted($0.title) } },
    TemplateVariable("nextArtist") { $0.status.player.next.map { .untrusted($0.artist) } },
    TemplateVariable("playerName") { _ in .trusted("segue") },
    TemplateVariable("playerInstance") { _ in .trusted("segue") },
    TemplateVariable("position", isNumeric: true, isOfTrack: true) { context in
      context.status.player.position(at: context.now).map { .integer($0.microseconds) }
    },
    TemplateVariable("mpris:length", isNumeric: true, isOfTrack: true) { context in
      let player = context.status.player
      guard player.durationKind != .unbounded else { return nil }
      return player.duration.map { .integer($0.microseconds) }
    },
  ]

  /// The title and the artist in the form that `segue` itself prints.
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

  /// Creates a variable for text from a tag. Control characters are made visible.
  private static func text(
    _ name: String, _ value: @escaping @Sendable (QueueEntry, Style) -> String?
  ) -> TemplateVariable {
    TemplateVariable(name, isOfTrack: true) { context in
      context.status.track.flatMap { value($0, context.style) }.map { .untrusted($0.visible) }
    }
  }

  private static func number(_ name: String, _ value: @escaping @Sendable (Metadata) -> Int?) -> TemplateVariable {
    TemplateVariable(name, isNumeric: true, isOfTrack: true) { context in
      context.status.track.flatMap { value($0.metadata) }.map { .integer(Int64($0)) }
    }
  }
}

extension QueueEntry {
  /// All artists, as in `xesam:artist`.
  var allArtists: String {
    metadata.artists.isEmpty ? artist : metadata.artists.joined(separator: ", ").visible
  }
}
