internal import SegueSystem
internal import SegueWire

extension ScanResult {
  mutating func code(with coder: inout some BinaryCoder) {
    let failure: Failure? = if case .failed(let failure) = self { failure } else { nil }
    var hasFailed = failure != nil
    coder.code(&hasFailed)
    if hasFailed {
      var (kind, message) = (failure?.kind ?? .unplayable, failure?.message ?? "")
      var template = failure?.localizableMessage.savedTemplate
      coder.code(&kind, .unplayable)
      coder.code(&message)
      coder.code(&template)
      self = .failed(Failure(kind, .saved(message, template)))
    } else {
      var facts = if case .facts(let facts) = self { facts } else { FileFacts.empty }
      facts.code(with: &coder)
      self = .facts(facts)
    }
  }
}

extension FileFacts {
  /// An empty value, for decoding.
  static let empty = FileFacts(
    info: MediaInfo(
      audio: Audio(
        codec: "", container: "", sampleRate: 0, channels: 0, bitDepth: nil, bitRate: nil, lossless: false,
        gapless: .approximate),
      duration: nil, durationKind: .estimated, seekable: false, metadata: Metadata()),
    details: TagDetails(), sortKeys: SortKeys(), hasCover: false, hasLyrics: false, chapters: [])

  fileprivate mutating func code(with coder: inout some BinaryCoder) {
    info.audio.code(with: &coder)
    coder.code(&info.duration)
    coder.code(&info.durationKind, .estimated)
    coder.code(&info.seekable)
    info.metadata.code(with: &coder)
    details.code(with: &coder)
    sortKeys.code(with: &coder)
    coder.code(&hasCover)
    coder.code(&hasLyrics)
    coder.code(&chapters, Chapter(title: "", start: .zero)) { coder, chapter in
      coder.code(&chapter.title)
      coder.code(&chapter.start)
    }
    coder.code(&cueSheet)
    coder.code(&audioDigest)
  }
}

extension Audio {
  fileprivate mutating func code(with coder: inout some BinaryCoder) {
    coder.code(&codec)
    coder.code(&container)
    coder.code(&sampleRate)
    coder.code(&channels)
    coder.code(&bitDepth)
    coder.code(&bitRate)
    coder.code(&lossless)
    coder.code(&gapless, .approximate)
  }
}

extension Metadata {
  fileprivate mutating func code(with coder: inout some BinaryCoder) {
    coder.code(&title)
    coder.code(&artist)
    coder.code(&artists)
    coder.code(&album)
    coder.code(&albumArtist)
    coder.code(&composer)
    coder.code(&genre)
    coder.code(&date)
    coder.code(&year)
    coder.code(&track)
    coder.code(&trackTotal)
    coder.code(&disc)
    coder.code(&discTotal)
    coder.code(&art)
    coder.code(&stream)
  }
}

extension TagDetails {
  fileprivate mutating func code(with coder: inout some BinaryCoder) {
    coder.code(&originalDate)
    coder.code(&albumArtists)
    coder.code(&composers)
    coder.code(&conductors)
    coder.code(&works)
    coder.code(&compilation)
    coder.code(&titleSort)
    coder.code(&artistSort)
    coder.code(&albumSort)
    coder.code(&albumArtistSort)
    coder.code(&musicBrainz.track)
    coder.code(&musicBrainz.release)
    coder.code(&musicBrainz.releaseGroup)
    coder.code(&musicBrainz.artists)
    coder.code(&musicBrainz.albumArtists)
    coder.code(&gain.trackGain)
    coder.code(&gain.trackPeak)
    coder.code(&gain.albumGain)
    coder.code(&gain.albumPeak)
  }
}

extension SortKeys {
  fileprivate mutating func code(with coder: inout some BinaryCoder) {
    coder.code(&title)
    coder.code(&artist)
    coder.code(&album)
    coder.code(&albumArtist)
    coder.code(&artists)
  }
}
