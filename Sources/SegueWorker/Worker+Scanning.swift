// Decoding thread only; see Worker.swift.
internal import SegueFFmpeg
internal import SegueLink
internal import SegueSystem
internal import SegueTags
internal import SegueWire

extension Worker {
  /// What one packet of facts holds, in bytes, before the next begins: with one more file it is still one packet.
  private static let portion = 24 * 1024
  /// How long a file that is done waits for the others to be told.
  private static let longestWait = MediaTime.milliseconds(20)

  func scan(_ ticket: UInt32, _ files: [(name: String, file: SourceFile)]) {
    var done: [ScanResult] = []
    var size = 0
    var since = MonotonicTime.now
    for (index, (name, file)) in files.enumerated() {
      let result = look(into: file, name)
      // The other files wait in the same packet.
      file.freeCache()
      done.append(result)
      size += result.likelySize
      guard index == files.count - 1 || size > Self.portion || MonotonicTime.now - since > Self.longestWait else {
        continue
      }
      report(.scanned(ticket: ticket, done))
      done.removeAll(keepingCapacity: true)
      size = 0
      since = .now
    }
  }

  private func look(into file: SourceFile, _ name: String) -> ScanResult {
    do throws(MediaError) {
      return .facts(try survey.facts(of: file, name))
    } catch {
      return .failed(error.failure)
    }
  }

  func collate(_ ticket: UInt32, _ texts: [CollationInput]) {
    let keys = texts.prefix(WorkerCommand.maximumCollationTexts).map {
      survey.collator.key($0.text, keepsArticle: $0.isSortName)
    }
    report(.collated(ticket: ticket, keys, collation: survey.collator.name))
  }
}

extension ScanResult {
  /// In bytes of the packet: more than what is short in all of them, and the texts and keys.
  fileprivate var likelySize: Int {
    guard case .facts(let facts) = self else { return 512 }
    let metadata = facts.info.metadata
    let (details, keys) = (facts.details, facts.sortKeys)
    let texts = [
      metadata.title, metadata.artist, metadata.album, metadata.albumArtist, metadata.composer, metadata.date,
      details.originalDate, details.titleSort, details.artistSort, details.albumSort, details.albumArtistSort,
    ]
    return 512 + texts.reduce(0) { $0 + ($1?.utf8.count ?? 0) }
      + (metadata.artists + metadata.genre).reduce(0) { $0 + $1.utf8.count }
      + facts.chapters.reduce(0) { $0 + 16 + $1.title.utf8.count }
      + (keys.title.count + keys.artist.count + keys.album.count + keys.albumArtist.count)
      + keys.artists.reduce(0) { $0 + $1.count }
      + 40 * (details.musicBrainz.artists.count + details.musicBrainz.albumArtists.count)
  }
}
