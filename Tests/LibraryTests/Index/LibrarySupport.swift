import SegueLibrary
import SegueLink
import SegueSystem
import SegueWire
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

  /// As a scan does it: writes and finishes.
  func scan(_ files: [ScannedFile]) async throws {
    try await write { writer throws(StoreError) in
      try writer.put(files)
      try writer.finishScan()
    }
  }

  /// Waits until the search was told of all that was found: then the thread "index" does nothing that nobody asks for.
  func settle() async throws {
    while try await write({ writer throws(StoreError) in writer.isSettling }) {}
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

  /// Title, artist, number of tracks of every album, by title.
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

  func track(_ path: String) async throws -> LibraryTrack? {
    try await read { reader throws(StoreError) in try reader.track("file://\(path)") }
  }
}

/// Makes files as a scan hands them over; each has an inode of its own.
struct ScannedFileBuilder: Sendable {
  var album: String?
  var albumArtist: String?
  var artists: [String] = ["Artist"]
  var genres: [String] = []
  var year: Int?
  var release: String?
  var isCompilation = false
  var disc: Int?
  private static let inodes = Atomic<UInt64>(1)

  static func newInode() -> UInt64 { inodes.wrappingAdd(1, ordering: .relaxed).newValue }

  /// A sort key: the worker's come from ICU, these order by letters.
  static func key(_ text: String?) -> [UInt8] { text.map { Array($0.lowercased().utf8) + [1] } ?? [] }

  func file(_ path: String, _ title: String?, track: Int? = nil, stamp: FileStamp? = nil) -> ScannedFile {
    let path = FilePath(path)
    var metadata = Metadata()
    metadata.title = title
    metadata.artist = artists.isEmpty ? nil : artists.joined(separator: "; ")
    metadata.artists = artists
    metadata.album = album
    metadata.albumArtist = albumArtist
    metadata.genre = genres
    metadata.year = year
    metadata.track = track
    metadata.disc = disc
    var details = TagDetails()
    details.compilation = isCompilation
    details.musicBrainz = MusicBrainzIDs(release: release)
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

  /// Numbered tracks of one folder, each titled as `titles` says.
  func files(_ folder: String, _ titles: String...) -> [ScannedFile] {
    titles.enumerated().map { file("\(folder)/\($0.offset + 1).flac", $0.element, track: $0.offset + 1) }
  }
}
