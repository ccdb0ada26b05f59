import SegueFiles
import SegueLibrary
import SegueSQLite
import SegueSystem
import SegueWire
import SegueWorkerProtocol
import Synchronization
import Testing

extension LibraryStore {
  func read<Value: Sendable>(
    _ body: @escaping @Sendable (LibraryReader) throws(StoreError) -> Value
  ) async throws -> Value {
    try await withCheckedContinuation { continuation in read(body) { continuation.resume(returning: $0) } }.get()
  }

  @discardableResult
  func write<Value: Sendable>(
    _ body: @escaping @Sendable (LibraryWriter) throws(StoreError) -> Value
  ) async throws -> Value {
    try await withCheckedContinuation { continuation in write(body) { continuation.resume(returning: $0) } }.get()
  }

  /// Writes files and finishes, as a scan does.
  func scan(_ files: [ScannedFile]) async throws {
    try await write { writer throws(StoreError) in
      try writer.put(files)
      try writer.finishScan()
    }
  }

  /// Waits until the maintenance of the search tables is finished. The thread "index" does nothing on its own then.
  func waitForSearchMaintenance() async throws {
    while try await write({ writer throws(StoreError) in writer.needsSearchMaintenance }) {}
  }

  func remove(_ paths: String...) async throws {
    try await write { writer throws(StoreError) in
      try writer.remove(paths.map { FilePath($0) })
      try writer.finishScan()
    }
  }

  func rename(_ old: String, to new: String) async throws {
    try await write { writer throws(StoreError) in
      try writer.rename(FilePath(old), to: FilePath(new))
      try writer.finishScan()
    }
  }

  /// Returns title, artist and number of tracks of each album, sorted by title.
  func albumList() async throws -> [String] {
    try await read { reader throws(StoreError) in
      try reader.albums(by: .title).items.map { "\($0.title) / \($0.albumArtist ?? "-") / \($0.trackCount)" }
    }
  }

  func titles(
    by sort: TrackSort, _ order: SortOrder = .ascending, _ filter: LibraryFilter = LibraryFilter(),
    _ page: PageRequest = PageRequest()
  ) async throws -> [String] {
    try await read { reader throws(StoreError) in
      try reader.tracks(filter, by: sort, order, page).items.map { $0.metadata.title ?? "?" }
    }
  }

  /// Returns name, number of albums and number of tracks of each value of a tag.
  func values(_ tag: LibraryTag, _ order: SortOrder? = nil) async throws -> [String] {
    try await read { reader throws(StoreError) in
      try reader.values(of: tag, order).items.map { "\($0.name) \($0.albumCount) \($0.trackCount)" }
    }
  }

  func track(_ path: String) async throws -> LibraryTrack? {
    try await read { reader throws(StoreError) in try reader.track("file://\(path)") }
  }
}

/// A builder of files as a scan passes them to the library. Each file has an inode of its own.
struct ScannedFileBuilder: Sendable {
  var album: String?
  var albumArtist: String?
  /// The album artists, if there are several.
  var albumArtists: [String] = []
  var artists: [String] = ["Artist"]
  var composers: [String] = []
  var conductors: [String] = []
  var works: [String] = []
  var genres: [String] = []
  var year: Int?
  var release: String?
  /// The MusicBrainz id of the recording.
  var recording: String?
  var isCompilation = false
  var disc: Int?
  private static let inodes = Atomic<UInt64>(1)

  static func newInode() -> UInt64 { inodes.wrappingAdd(1, ordering: .relaxed).newValue }

  /// Returns a sort key that orders by letters. The keys of a worker come from ICU.
  static func key(_ text: String?) -> [UInt8] { text.map { Array($0.lowercased().utf8) + [1] } ?? [] }

  func file(_ path: String, _ title: String?, track: Int? = nil, stamp: FileStamp? = nil) -> ScannedFile {
    let path = FilePath(path)
    var metadata = Metadata()
    metadata.title = title
    metadata.artist = artists.isEmpty ? nil : artists.joined(separator: "; ")
    metadata.artists = artists
    metadata.album = album
    metadata.albumArtist = albumArtists.isEmpty ? albumArtist : albumArtists.joined(separator: ", ")
    metadata.genre = genres
    metadata.composer = composers.isEmpty ? nil : composers.joined(separator: ", ")
    metadata.year = year
    metadata.track = track
    metadata.disc = disc
    var details = TagDetails()
    details.compilation = isCompilation
    details.albumArtists = albumArtists
    details.composers = composers.count > 1 ? composers : []
    (details.conductors, details.works) = (conductors, works)
    details.musicBrainz = MusicBrainzIDs(track: recording, release: release)
    let keys = SortKeys(
      title: Self.key(title ?? path.stem), artist: Self.key(metadata.artist), album: Self.key(album),
      albumArtist: Self.key(albumArtist), artists: artists.count > 1 ? artists.map { Self.key($0) } : [])
    let info = MediaInfo(
      audio: Audio(
        codec: path.fileExtension, container: path.fileExtension, sampleRate: 44_100, channels: 2, bitDepth: 16,
        bitRate: nil, lossless: true, gapless: .exact),
      duration: .seconds(60), durationKind: .exact, seekable: true, metadata: metadata)
    return ScannedFile(
      path: path, stamp: stamp ?? FileStamp(device: 1, inode: Self.newInode(), size: 1, modified: 1),
      result: .success(
        FileFacts(
          info: info, details: details, sortKeys: keys, hasCover: false, hasLyrics: false, chapters: [])))
  }

  /// Returns the files of a folder, numbered from 1, with these titles.
  func files(_ folder: String, _ titles: String...) -> [ScannedFile] {
    titles.enumerated().map { file("\(folder)/\($0.offset + 1).flac", $0.element, track: $0.offset + 1) }
  }
}
