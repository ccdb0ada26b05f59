internal import SegueLink
public import SegueWire

extension TrackReport {
  /// What the index knows of `track`, which is listed as `listed`.
  public init(_ listed: ListedTrack, _ track: LibraryTrack, _ details: TrackDetails) {
    self.init(track: listed, audio: track.audio)
    let tags = details.tags
    originalDate = tags.originalDate
    compilation = tags.compilation
    sort.title = tags.titleSort
    sort.artist = tags.artistSort
    sort.album = tags.albumSort
    sort.albumArtist = tags.albumArtistSort
    musicBrainz.track = tags.musicBrainz.track
    musicBrainz.release = tags.musicBrainz.release
    musicBrainz.releaseGroup = tags.musicBrainz.releaseGroup
    musicBrainz.artists = tags.musicBrainz.artists
    musicBrainz.albumArtists = tags.musicBrainz.albumArtists
    gain.trackGain = tags.gain.trackGain
    gain.trackPeak = tags.gain.trackPeak
    gain.albumGain = tags.gain.albumGain
    gain.albumPeak = tags.gain.albumPeak
    chapters = details.chapters.map { ChapterMark(title: $0.title, start: $0.start) }
    hasCover = track.hasCover
    hasLyrics = track.hasLyrics
  }
}
