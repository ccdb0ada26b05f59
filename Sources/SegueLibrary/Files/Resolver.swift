// On the thread "files" only. Blocks in the file system; looks at `ticket` between any two files.

internal import Glibc
internal import SegueSystem
internal import SegueWire

/// One `FileService.resolve`: turns what was named into tracks.
final class Resolver {
  let ticket: FileService.Ticket
  let transcoder: CharsetConverter
  private let report: @Sendable (FileService.Progress) -> Void
  private var batch: FoundBatch?
  /// Entries of playlists that were looked at, over all that were named.
  private var playlistEntries = 0
  /// No batch grows beyond this.
  private static let batchSize = 1000

  init(
    _ ticket: FileService.Ticket, _ transcoder: CharsetConverter,
    _ report: @escaping @Sendable (FileService.Progress) -> Void
  ) {
    self.ticket = ticket
    self.transcoder = transcoder
    self.report = report
  }

  func run(_ uris: [String]) {
    for uri in uris where !ticket.isCancelled {
      do {
        try resolve(uri)
      } catch {
        fail(uri, error, in: .single)
      }
    }
    flush()
    report(.finished(cancelled: ticket.isCancelled))
  }

  private func resolve(_ uri: String) throws(Failure) {
    switch try MediaURI(uri) {
    case .stream: add(FoundTrack(uri: uri), to: .single)
    case .file(let path, .some(let range)):
      _ = try kind(path)
      add(FoundTrack(uri: MediaURI.file(path, range: range).uri, duration: range.duration), to: .single)
    case .file(let path, nil):
      try resolve(path, named: FoundTrack(uri: FileURI.encode(path)), in: .single, within: [])
    }
  }

  /// Adds what lies at `path`: a folder's files, a playlist's entries, or the file itself, as `track`.
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

  /// Counts one more entry of a playlist; throws when it is one too many.
  func countEntry(of playlist: FilePath) throws(Failure) {
    playlistEntries += 1
    guard playlistEntries <= PlaylistLimits.entries else {
      throw Failure(.tooLarge, "\(playlist): playlists with more than \(PlaylistLimits.entries) entries in all")
    }
  }

  // MARK: Reporting

  func add(_ track: FoundTrack, to source: FoundBatch.Source) {
    begin(source)
    batch?.tracks.append(track)
  }

  func fail(_ uri: String, _ failure: Failure, in source: FoundBatch.Source) {
    begin(source)
    batch?.failures.append(URIFailure(uri: uri, failure: failure))
  }

  /// Sends what was collected.
  func flush() {
    if var batch, !ticket.isCancelled {
      batch.stamp()
      report(.found(batch))
    }
    batch = nil
  }

  private func begin(_ source: FoundBatch.Source) {
    if let batch, batch.source == source, batch.tracks.count + batch.failures.count < Self.batchSize { return }
    flush()
    batch = FoundBatch(source: source, tracks: [], failures: [])
  }
}
