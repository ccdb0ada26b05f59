public import SegueWire
public import SegueWorkerProtocol

/// The facts about a track that are only read for one track at a time.
public struct TrackDetails: Equatable, Sendable {
  public var tags: TagDetails
  public var chapters: [Chapter]

  public init(tags: TagDetails = TagDetails(), chapters: [Chapter] = []) {
    self.tags = tags
    self.chapters = chapters
  }

  public init(_ facts: FileFacts) { self.init(tags: facts.details, chapters: facts.chapters) }

  /// The details as JSON, which lacks what has columns of its own, or nil if they are empty.
  var text: String? {
    var rest = self
    (rest.tags.composers, rest.tags.conductors, rest.tags.works) = ([], [], [])
    guard rest != TrackDetails() else { return nil }
    var json = JSONWriter()
    json.beginObject()
    json.member("tags", tags)
    json.member("chapters", chapters)
    json.endObject()
    return json.withBytes { String(decoding: $0, as: UTF8.self) }
  }

  init(text: String?) {
    self.init()
    guard let text, let json = try? JSON(parsing: text) else { return }
    if let tags = json["tags"] { self.tags = TagDetails(tags) }
    chapters = Chapter.bounded(json["chapters"]?.elements?.map(Chapter.init) ?? [])
  }
}

extension TrackReport {
  /// Creates the report of `track` from the index. `listed` is the track as lists show it.
  public init(_ listed: ListedTrack, _ track: LibraryTrack, _ details: TrackDetails) {
    self.init(track: listed, audio: track.audio)
    let tags = details.tags
    originalDate = tags.originalDate
    (conductors, works) = (tags.conductors, tags.works)
    compilation = tags.compilation
    sort.title = tags.titleSort
    sort.artist = tags.artistSort
    sort.album = tags.albumSort
    sort.albumArtist = tags.albumArtistSort
    musicBrainz = tags.musicBrainz
    gain = tags.gain
    chapters = details.chapters
    hasCover = track.hasCover
    hasLyrics = track.hasLyrics
  }
}
