import SegueFiles
import SegueLibrary
import SegueSQLite
import SegueSystem
import SegueWire
import SegueWorkerProtocol
import Testing

/// A library of tracks for tests of the search.
final class SearchFixture: Sendable {
  private let scratch = Scratch()
  private let store: LibraryStore

  /// The tags of a track.
  struct Track {
    var title: String?
    var artist: String? = nil
    var album: String? = nil
    var genre: String? = nil
    var year: Int? = nil
    var format = "flac"
    var composer: String? = nil
    var conductor: String? = nil
    var work: String? = nil
  }

  init(_ tracks: [Track]) async throws {
    store = LibraryStore(path: scratch["library.db"])
    try await add(tracks)
  }

  convenience init(titles: [String]) async throws { try await self.init(titles.map { Track(title: $0) }) }

  deinit { store.close() }

  /// Adds tracks as a batch of a scan that is not finished.
  func scan(_ tracks: [Track], from first: Int = 0) async throws {
    let files = tracks.enumerated().map { file($1, first + $0) }
    try await store.write { writer throws(StoreError) in try writer.put(files) }
  }

  func read<Value: Sendable>(
    _ body: @escaping @Sendable (LibraryReader) throws(StoreError) -> Value
  ) async throws -> Value {
    try await store.read(body)
  }

  func counts() async throws -> LibraryCounts {
    try await store.read { reader throws(StoreError) in try reader.counts() }
  }

  /// Adds tracks. The name of a file contains the number of its track, counted from `first`.
  func add(_ tracks: [Track], from first: Int = 0) async throws {
    let files = tracks.enumerated().map { file($1, first + $0) }
    try await store.write { writer throws(StoreError) in
      try writer.put(files)
      try writer.finishScan()
    }
    try await store.waitForSearchMaintenance()
  }

  func remove(_ numbers: [Int]) async throws {
    let files = numbers.map { FilePath("/music/\($0).flac") }
    try await store.write { writer throws(StoreError) in
      try writer.remove(files)
      try writer.finishScan()
    }
  }

  func uri(_ number: Int) -> String { "file:///music/\(number).flac" }

  func addFavorite(_ number: Int) async throws { try await addFavorite(uri(number)) }

  func addFavorite(_ uri: String) async throws {
    try await store.write { writer throws(StoreError) in try writer.setFavorite([uri], true) }
  }

  func rate(_ number: Int, _ rating: Int) async throws {
    let uri = uri(number)
    try await store.write { writer throws(StoreError) in try writer.setRating(uri, rating) }
  }

  func play(_ number: Int) async throws {
    let uri = uri(number)
    try await store.write { writer throws(StoreError) in try writer.addPlay(uri) }
  }

  func search(_ query: String, _ kind: LibraryKind = .track, _ page: PageRequest = PageRequest()) async throws
    -> SearchPage
  {
    try await store.read { reader throws(StoreError) in try reader.search(query, kind, page) }
  }

  /// Returns the titles of the tracks that are found, the best first.
  func titles(_ query: String, _ page: PageRequest = PageRequest()) async throws -> [String] {
    try await store.read { reader throws(StoreError) in
      try reader.tracks(try reader.search(query, .track, page).ids).map { $0.metadata.title ?? "-" }
    }
  }

  func albums(_ query: String) async throws -> [String] {
    try await store.read { reader throws(StoreError) in
      try reader.albums(try reader.search(query, .album, PageRequest()).ids).map(\.title)
    }
  }

  func artists(_ query: String) async throws -> [String] {
    try await store.read { reader throws(StoreError) in
      try reader.artists(try reader.search(query, .artist, PageRequest()).ids).map(\.name)
    }
  }

  func suggest(_ prefix: String, limit: Int = 10) async throws -> [SearchSuggestion] {
    try await store.read { reader throws(StoreError) in try reader.suggest(prefix, limit: limit) }
  }

  private func file(_ track: Track, _ number: Int) -> ScannedFile {
    var metadata = Metadata()
    metadata.title = track.title
    metadata.artist = track.artist
    metadata.artists = track.artist.map { [$0] } ?? []
    metadata.album = track.album
    metadata.albumArtist = track.artist
    metadata.genre = track.genre.map { [$0] } ?? []
    metadata.year = track.year
    metadata.composer = track.composer
    var details = TagDetails()
    details.conductors = track.conductor.map { [$0] } ?? []
    details.works = track.work.map { [$0] } ?? []
    let audio = Audio(
      codec: track.format, container: track.format, sampleRate: 44_100, channels: 2, bitDepth: nil, bitRate: nil,
      lossless: false, gapless: .exact)
    let info = MediaInfo(audio: audio, duration: nil, durationKind: .estimated, seekable: true, metadata: metadata)
    let facts = FileFacts(
      info: info, details: details, sortKeys: SortKeys(), hasCover: false, hasLyrics: false, chapters: [])
    let stamp = FileStamp(device: 1, inode: UInt64(number + 1), size: 1, modified: 1)
    return ScannedFile(path: FilePath("/music/\(number).flac"), stamp: stamp, result: .success(facts))
  }
}
