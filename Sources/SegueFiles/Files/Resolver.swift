// Thread: "files". Blocks in the file system, and checks for cancellation between files.

internal import Glibc
internal import SegueSystem
internal import SegueWire

/// A resolver of URIs for one `FileService.resolve`: it finds the tracks that the URIs stand for.
final class Resolver {
  private let task: FileService.ResolveTask
  let converter: CharsetConverter
  private let onProgress: @Sendable (FileService.Progress) -> Void
  private var batch: FoundBatch?
  /// The number of entries in all playlists so far.
  private var playlistEntries = 0
  /// The names in the folders in which the playlists of the current URI look for files.
  private(set) var names = FolderNameCache()

  private static let maximumBatchSize = 1000

  init(
    _ task: FileService.ResolveTask, _ converter: CharsetConverter,
    _ onProgress: @escaping @Sendable (FileService.Progress) -> Void
  ) {
    self.task = task
    self.converter = converter
    self.onProgress = onProgress
  }

  var isCancelled: Bool { task.isCancelled }

  func run(_ uris: [String]) {
    for uri in uris where !isCancelled {
      names = FolderNameCache()
      do {
        try resolve(uri)
      } catch {
        fail(uri, error, in: .single)
      }
    }
    flush()
    onProgress(.finished(cancelled: isCancelled))
  }

  private func resolve(_ uri: String) throws(Failure) {
    switch try MediaURI(uri) {
    case .stream(let url): add(FoundTrack(uri: url), to: .single)
    case .item(let item): add(FoundTrack(uri: item.uri), to: .single)
    case .file(let path, .some(let range)):
      _ = try kind(path)
      add(FoundTrack(uri: MediaURI.file(path, range: range).uri, duration: range.duration), to: .single)
    case .file(let path, nil):
      try resolve(path, named: FoundTrack(uri: FileURI.encode(path)), in: .single, within: [])
    }
  }

  /// Adds the tracks at `path`: the files of a folder, the entries of a playlist, or the file itself, as `track`.
  func resolve(
    _ path: FilePath, named track: FoundTrack, in source: FoundBatch.Source, within playlists: [FileIdentity]
  ) throws(Failure) {
    switch try kind(path) {
    case .folder:
      try walk(path)
    case .file:
      if case .playlist(let format) = MediaKind(path) {
        try readPlaylist(path, format, within: playlists)
      } else {
        add(track, to: source)
      }
    case .special:
      throw Failure(SystemError("open", path.description, code: EINVAL), path)
    }
  }

  private func kind(_ path: FilePath) throws(Failure) -> FileKind {
    do {
      return try FileKind(path)
    } catch {
      throw Failure(error, path)
    }
  }

  /// Counts an entry of a playlist. Throws if all playlists together have too many.
  func countEntry(of playlist: FilePath) throws(Failure) {
    playlistEntries += 1
    guard playlistEntries <= PlaylistLimits.entries else {
      throw Failure(.tooLarge, "\(playlist): playlists with more than \(PlaylistLimits.entries) entries in total")
    }
  }

  // MARK: Batches

  func add(_ track: FoundTrack, to source: FoundBatch.Source) {
    begin(source)
    batch?.tracks.append(track)
  }

  func fail(_ uri: String, _ failure: Failure, in source: FoundBatch.Source) {
    begin(source)
    batch?.failures.append(URIFailure(uri: uri, failure: failure))
  }

  /// Sends the current batch.
  func flush() {
    if var batch, !isCancelled {
      batch.readStamps()
      onProgress(.found(batch))
    }
    batch = nil
  }

  /// Continues the current batch, or begins another.
  private func begin(_ source: FoundBatch.Source) {
    if let batch, batch.source == source, batch.tracks.count + batch.failures.count < Self.maximumBatchSize { return }
    flush()
    batch = FoundBatch(source: source, tracks: [], failures: [])
  }
}
