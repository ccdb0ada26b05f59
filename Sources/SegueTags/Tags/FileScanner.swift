// Thread: the decoding thread.
package import SegueFFmpeg
internal import SegueSystem
internal import SegueWire
package import SegueWorkerProtocol

/// A scanner that returns the facts of files for the library. If possible, it reads only headers and tags. Otherwise it
/// opens the file as for playback.
package final class FileScanner {
  /// A file that was opened as for playback, and of which the first audio was decoded.
  package typealias OpenedFile = (info: MediaInfo, demuxer: Demuxer)

  private let open: (FileInput, String) throws(MediaError) -> OpenedFile
  /// The collator. It is created for the first file, since a worker for playback does not need it.
  package private(set) lazy var collator = Collator()

  /// Creates a scanner. `open` opens a file as for playback and decodes its first audio. If there is no audio, it
  /// throws an error.
  package init(open: @escaping (FileInput, String) throws(MediaError) -> OpenedFile) { self.open = open }

  package func facts(of file: FileInput, _ name: String) throws(MediaError) -> FileFacts {
    file.resetTagLimit()
    guard let format = FileFormat(file) else { return try decodedFacts(of: file, nil, name) }
    let attached = AttachedTags(file, format)
    if let facts = try commentHeaderFacts(of: file, format, name, attached) { return facts }
    if let facts = try tagLibFacts(of: file, format, name, attached) { return facts }
    return try decodedFacts(of: file, format, name)
  }

  /// Returns the facts that the headers of FLAC and Ogg state; nil for another format, or if they do not state all.
  private func commentHeaderFacts(
    of file: FileInput, _ format: FileFormat, _ name: String, _ attached: AttachedTags?
  ) throws(MediaError) -> FileFacts? {
    guard let header = CommentHeader(file, format), let found = AudioHeader(file, format, header.audio) else {
      return nil
    }
    return try headerFacts(found, FileTags(header, attached), nil, of: file, format, name)
  }

  /// Returns the facts that the headers of other formats and the tags that TagLib reads state; nil if they do not state
  /// all.
  private func tagLibFacts(
    of file: FileInput, _ format: FileFormat, _ name: String, _ attached: AttachedTags?
  ) throws(MediaError) -> FileFacts? {
    let tagFile = TagLibFile(file, format, audio: true)
    guard let found = AudioHeader(file, format, tagFile?.audio ?? AudioProperties()) else { return nil }
    var opened: Demuxer?
    let tags = try FileTags(tagFile, attached, format) { () throws(MediaError) in
      let demuxer = try Demuxer(file: file, name: name)
      opened = demuxer
      return demuxer
    }
    if format.kind == .mp4, MovieHeader.hasChapters(file) { opened = try Demuxer(file: file, name: name) }
    return try headerFacts(found, tags, opened, of: file, format, name)
  }

  /// Returns the facts of a file that is opened as for playback.
  private func decodedFacts(of file: FileInput, _ format: FileFormat?, _ name: String) throws(MediaError) -> FileFacts {
    let opened = try open(file, name)
    return combine(opened.info, try FileTags.of(opened.demuxer), opened.demuxer, of: file, format, name)
  }

  /// Returns the tags of a file whose audio properties are not needed.
  package func tags(of file: FileInput, _ name: String) throws(MediaError) -> (FileTags, Demuxer?) {
    file.resetTagLimit()
    if let format = FileFormat(file) {
      let (tagFile, attached) = (TagLibFile(file, format, audio: false), AttachedTags(file, format))
      if tagFile != nil || attached != nil {
        let tags = try FileTags(tagFile, attached, format) { () throws(MediaError) in
          try Demuxer(file: file, name: name)
        }
        return (tags, nil)
      }
    }
    let demuxer = try Demuxer(file: file, name: name)
    return (FileTags(demuxer), demuxer)
  }

  /// Returns nil if the file is too small for the audio that its headers state. If the file does not confirm the stated
  /// duration, decodes the first audio, and throws an error if there is none. The duration is nevertheless the one that
  /// was derived from the headers: libavformat states none for a WMA file whose size differs from the stated size. MPEG
  /// frames need no decoding, because they were found when they were counted.
  private func headerFacts(
    _ audio: AudioHeader, _ tags: FileTags, _ demuxer: Demuxer?, of file: FileInput, _ format: FileFormat,
    _ name: String
  ) throws(MediaError) -> FileFacts? {
    let stated = audio.stated(tags)
    guard let duration = stated.duration, duration > .zero,
      HeaderPlausibility(file, format).allows(stated.audio, lasting: stated.promised)
    else { return nil }
    if stated.durationKind != .exact, !["mp1", "mp2", "mp3"].contains(stated.audio.codec) { _ = try open(file, name) }
    let info = MediaInfo(
      audio: stated.audio, duration: stated.duration, durationKind: stated.durationKind, seekable: true,
      metadata: tags.metadata)
    return combine(info, tags, demuxer, of: file, format, name)
  }

  private func combine(
    _ info: MediaInfo, _ tags: FileTags, _ demuxer: Demuxer?, of file: FileInput, _ format: FileFormat?, _ name: String
  ) -> FileFacts {
    let details = tags.details
    return FileFacts(
      info: info, details: details, sortKeys: keys(info.metadata, details, name),
      hasCover: tags.hasCover || demuxer?.attachedPicture != nil, hasLyrics: tags.hasLyrics,
      chapters: tags.chapters(or: demuxer), cueSheet: tags.cueSheet,
      audioDigest: AudioDigest.digest(file, format))
  }

  private func keys(_ metadata: Metadata, _ details: TagDetails, _ name: String) -> SortKeys {
    func key(_ text: String?, _ sort: String?) -> [UInt8] { collator.key(sort ?? text, keepsArticle: sort != nil) }
    let artist = key(metadata.artist, details.artistSort)
    return SortKeys(
      title: key(metadata.title ?? FilePath(name).stem, details.titleSort), artist: artist,
      album: key(metadata.album, details.albumSort), albumArtist: key(metadata.albumArtist, details.albumArtistSort),
      artists: metadata.artists.count == 1 ? [artist] : metadata.artists.map { collator.key($0) })
  }
}
