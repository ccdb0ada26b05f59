internal import SegueLink
public import SegueWire

extension TrackReport {
  /// Creates the report of `track` from the index. `listed` is the track as lists show it.
  public init(_ listed: ListedTrack, _ track: LibraryTrack, _ details: TrackDetails) {
    self.init(track: listed, audio: track.audio)
    let tags = details.tags
    originalDate = tags.originalDate
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
