internal import SegueLoop
internal import SegueSystem
internal import SegueWire

/// The metadata of a track in MPRIS (MPRIS, "Metadata_Map"; the names are those of freedesktop.org's MPRIS v2 metadata
/// guidelines). Unknown values are left out. A value of a wrong type crashes some clients.
enum TrackMetadata {
  static func entries(of track: QueueEntry) -> [BusValue.Entry] {
    let metadata = track.metadata
    var entries = [BusValue.Entry("mpris:trackid", .path(MPRISTrack.path(of: track.id)))]
    func add(_ key: String, _ value: BusValue?) {
      if let value { entries.append(BusValue.Entry(key, value)) }
    }
    func add(_ key: String, _ texts: [String?]) {
      let texts = texts.compactMap(\.self)
      if !texts.isEmpty { add(key, .strings(texts)) }
    }
    if track.durationKind != .unbounded { add("mpris:length", track.duration.map { .int64($0.microseconds) }) }
    if let art = metadata.art, art.hasPrefix("file://") { add("mpris:artUrl", .string(art)) }
    // The title of a radio station is the title of the current song, and its name is the album, as with other players.
    add("xesam:title", (metadata.stream ?? metadata.title).map { .string($0) })
    add("xesam:artist", metadata.artists.isEmpty ? [metadata.artist] : metadata.artists)
    add("xesam:album", (metadata.album ?? (metadata.stream == nil ? nil : metadata.title)).map { .string($0) })
    add("xesam:albumArtist", [metadata.albumArtist])
    add("xesam:composer", [metadata.composer])
    add("xesam:genre", metadata.genre)
    add("xesam:trackNumber", metadata.track.map { .int32(Int32(clamping: $0)) })
    add("xesam:discNumber", metadata.disc.map { .int32(Int32(clamping: $0)) })
    if let date = metadata.date, isDate(date) { add("xesam:contentCreated", .string(date)) }
    add("xesam:url", .string(track.uri))
    return entries
  }

  /// Returns whether `text` is a year, month or day in the format of ISO 8601. Tags may contain any text.
  private static func isDate(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    return zip(parts, [4, 2, 2]).allSatisfy { part, count in
      part.count == count && part.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    } && parts.count <= 3
  }
}
