internal import SegueSystem
internal import SegueWire

extension ScanResult {
  mutating func pass(through pack: inout some BinaryCoder) {
    let failure: Failure? = if case .failed(let failure) = self { failure } else { nil }
    var hasFailed = failure != nil
    pack.pass(&hasFailed)
    if hasFailed {
      var (kind, message) = (failure?.kind ?? .unplayable, failure?.message ?? "")
      pack.pass(&kind, .unplayable)
      pack.pass(&message)
      self = .failed(Failure(kind, message))
    } else {
      var facts = if case .facts(let facts) = self { facts } else { FileFacts.empty }
      facts.pass(through: &pack)
      self = .facts(facts)
    }
  }
}

extension FileFacts {
  /// To be read into.
  static let empty = FileFacts(
    info: MediaInfo(
      audio: Audio(
        codec: "", container: "", sampleRate: 0, channels: 0, bitDepth: nil, bitRate: nil, lossless: false,
        gapless: .approximate),
      duration: nil, durationKind: .estimated, seekable: false, metadata: Metadata()),
    details: TagDetails(), sortKeys: SortKeys(), hasCover: false, hasLyrics: false, chapters: [])

  fileprivate mutating func pass(through pack: inout some BinaryCoder) {
    info.audio.pass(through: &pack)
    pack.pass(&info.duration)
    pack.pass(&info.durationKind, .estimated)
    pack.pass(&info.seekable)
    info.metadata.pass(through: &pack)
    details.pass(through: &pack)
    sortKeys.pass(through: &pack)
    pack.pass(&hasCover)
    pack.pass(&hasLyrics)
    pack.pass(&chapters, Chapter(title: "", start: .zero)) { pack, chapter in
      pack.pass(&chapter.title)
      pack.pass(&chapter.start)
    }
  }
}

extension Audio {
  fileprivate mutating func pass(through pack: inout some BinaryCoder) {
    pack.pass(&codec)
    pack.pass(&container)
    pack.pass(&sampleRate)
    pack.pass(&channels)
    pack.pass(&bitDepth)
    pack.pass(&bitRate)
    pack.pass(&lossless)
    pack.pass(&gapless, .approximate)
  }
}

extension Metadata {
  fileprivate mutating func pass(through pack: inout some BinaryCoder) {
    pack.pass(&title)
    pack.pass(&artist)
    pack.pass(&artists)
    pack.pass(&album)
    pack.pass(&albumArtist)
    pack.pass(&composer)
    pack.pass(&genre)
    pack.pass(&date)
    pack.pass(&year)
    pack.pass(&track)
    pack.pass(&trackTotal)
    pack.pass(&disc)
    pack.pass(&discTotal)
    pack.pass(&art)
    pack.pass(&stream)
  }
}

extension TagDetails {
  fileprivate mutating func pass(through pack: inout some BinaryCoder) {
    pack.pass(&originalDate)
    pack.pass(&compilation)
    pack.pass(&titleSort)
    pack.pass(&artistSort)
    pack.pass(&albumSort)
    pack.pass(&albumArtistSort)
    pack.pass(&musicBrainz.track)
    pack.pass(&musicBrainz.release)
    pack.pass(&musicBrainz.releaseGroup)
    pack.pass(&musicBrainz.artists)
    pack.pass(&musicBrainz.albumArtists)
    pack.pass(&gain.trackGain)
    pack.pass(&gain.trackPeak)
    pack.pass(&gain.albumGain)
    pack.pass(&gain.albumPeak)
  }
}

extension SortKeys {
  fileprivate mutating func pass(through pack: inout some BinaryCoder) {
    pack.pass(&title)
    pack.pass(&artist)
    pack.pass(&album)
    pack.pass(&albumArtist)
    pack.pass(&artists)
  }
}
