internal import SegueFiles
internal import SegueLibrary
internal import SegueWorkerProtocol
internal import SegueSQLite
internal import SegueSystem
internal import SegueWire

/// Fills a library as a scan would, with files that are not there.
struct Fill {
  let store: LibraryStore
  private var words = Words(seed: 1)
  private var favorites: [String] = []

  init(store: LibraryStore) { self.store = store }

  /// So many files in one transaction, as a scan writes them.
  private static let portion = 500
  private static let genres = [
    "Rock", "Pop", "Jazz", "Classical", "Hip-Hop", "Metal", "Folk", "Электроника", "Soundtrack",
  ]

  mutating func run(_ count: Int) {
    var files: [ScannedFile] = []
    var made = 0
    var artistNumber = 0
    while made < count {
      let script: Words.Script = [.cyrillic, .latin, .latin, .latin, .latin, .latin, .latin, .latin, .latin, .han][
        words.number(0..<10)]
      let artist = words.text(script, 1..<4)
      artistNumber += 1
      for album in 0..<words.number(1..<7) {
        let title = words.text(script, 1..<5)
        let year = words.number(1960..<2026)
        let composer = words.text(script, 1..<3)
        let conductor = words.text(script, 1..<3)
        let genre = Self.genres[words.number(0..<Self.genres.count)]
        let format = ["flac", "mp3", "mp3", "opus", "aac"][words.number(0..<5)]
        for track in 1...words.number(5..<17) where made < count {
          var metadata = Metadata()
          metadata.title = words.text(script, 1..<6)
          metadata.artist = artist
          metadata.artists = [artist]
          metadata.album = title
          metadata.albumArtist = artist
          metadata.genre = [genre]
          // Half of the files name a composer, and a few a conductor and a work.
          var details = TagDetails()
          if album % 2 == 0 { metadata.composer = composer }
          if genre == "Classical" { (details.conductors, details.works) = ([conductor], [title]) }
          metadata.year = year
          metadata.track = track
          let path = "/music/\(artistNumber)/\(album)/\(track).\(format)"
          if made % 1000 == 0 { favorites.append("file://\(path)") }
          files.append(file(metadata, details, path, format, made))
          made += 1
          if files.count == Self.portion { write(&files) }
        }
      }
    }
    write(&files)
    var more = true
    while more { more = wait { store.write({ writer throws(StoreError) in try writer.finishScan(limit: 256) }, $0) } }
    more = true
    while more { more = wait { store.write({ writer throws(StoreError) in writer.needsSearchMaintenance }, $0) } }
    // One track in a thousand is a favorite, as many are played.
    let favorites = self.favorites
    wait { store.write({ writer throws(StoreError) in try writer.setFavorite(favorites, true) }, $0) }
    wait {
      store.write({ writer throws(StoreError) in for uri in favorites { try writer.addPlay(uri) } }, $0)
    }
  }

  private func file(
    _ metadata: Metadata, _ details: TagDetails, _ path: String, _ format: String, _ number: Int
  ) -> ScannedFile {
    let audio = Audio(
      codec: format, container: format == "aac" ? "mov" : format, sampleRate: 44_100, channels: 2, bitDepth: nil,
      bitRate: nil, lossless: format == "flac", gapless: .exact)
    let info = MediaInfo(
      audio: audio, duration: .seconds(200), durationKind: .exact, seekable: true,
      metadata: metadata)
    let keys = SortKeys(
      title: key(metadata.title), artist: key(metadata.artist), album: key(metadata.album),
      albumArtist: key(metadata.albumArtist))
    let facts = FileFacts(
      info: info, details: details, sortKeys: keys, hasCover: false, hasLyrics: false, chapters: [])
    let stamp = FileStamp(device: 1, inode: UInt64(number + 1), size: 5_000_000, modified: Int64(number))
    return ScannedFile(path: FilePath(path), stamp: stamp, result: .success(facts))
  }

  private func key(_ text: String?) -> [UInt8] { Array((text ?? "").lowercased().utf8.prefix(256)) }

  private func write(_ files: inout [ScannedFile]) {
    let portion = files
    files = []
    wait { store.write({ writer throws(StoreError) in try writer.put(portion) }, $0) }
  }
}
