// Thread: the loop. The index is read and written on the threads of `LibraryStore`, which respond through the mailbox.
// Only `close` waits for them.

internal import SegueFiles
public import SegueLibrary
internal import SegueLoop
public import SegueSQLite
internal import SegueSystem
public import SegueWire

/// The index of the library on the loop: what it has, and requests to it.
@MainActor
public final class LibraryIndex {
  private let store: LibraryStore
  private let status: LibraryStatusPublisher
  private let mailbox: Mailbox
  /// The number of reports of the writer.
  private var reports = 0

  init(_ store: LibraryStore, status: LibraryStatusPublisher, mailbox: Mailbox) {
    self.store = store
    self.status = status
    self.mailbox = mailbox
  }

  /// Begins to follow the changes of the index. `onChange`: called after a change, before the completion of the write.
  func start(onChange: @escaping @MainActor (LibraryChanges) -> Void) {
    store.onChange { [mailbox, weak self] changes, counts in
      mailbox.post {
        self?.handle(changes, counts)
        onChange(changes)
      }
    }
    count()
  }

  /// Waits until all changes are on disk.
  func close() { store.close() }

  private func handle(_ changes: LibraryChanges, _ counts: LibraryCounts?) {
    reports += 1
    if changes.contains(.items) { status.version += 1 }
    if let counts { status.counts = .success(counts) } else { count() }
  }

  /// Reads the counts, which the writer does not know before its first job and after one that has failed. What it
  /// reports in the meantime is newer.
  private func count() {
    read(
      { reader throws(StoreError) in .success(try reader.counts()) },
      then: { [weak self, reports] counts in
        if let self, reports == self.reports { self.status.counts = counts }
      })
  }

  // MARK: Access

  /// Reads the index on another thread. `then` is called on the loop.
  public func read<Value: Sendable>(
    _ body: @escaping @Sendable (LibraryReader) throws(StoreError) -> Result<Value, Failure>,
    then: @escaping Completion<Value>
  ) {
    store.read(body) { [mailbox] result in
      mailbox.post { then(result.flatMap(\.self)) }
    }
  }

  /// Reads the index on a thread that runs no searches, for reads that take a short time.
  func lookUp<Value: Sendable>(
    _ body: @escaping @Sendable (LibraryReader) throws(StoreError) -> Value, then: @escaping Completion<Value>
  ) {
    store.lookUp(body) { [mailbox] result in
      mailbox.post { then(result) }
    }
  }

  /// Writes to the index on another thread. `then` is called on the loop once the change survives the end of the
  /// process.
  func write<Value: Sendable>(
    _ body: @escaping @Sendable (LibraryWriter) throws(StoreError) -> Value, then: @escaping Completion<Value>
  ) {
    store.write(body) { [mailbox] result in
      mailbox.post { then(result) }
    }
  }

  // MARK: Tracks

  /// Finds the measured loudness of the track at `uri`, if its file has not changed since.
  func loudness(of uri: String, then: @escaping @MainActor (ReplayGain) -> Void) {
    lookUp(
      { reader throws(StoreError) in try reader.loudness(uri) },
      then: { result in then((try? result.get()) ?? ReplayGain()) })
  }

  /// Finds files in the index, in their order, whether or not they have changed since; nil for a file that it does not
  /// have.
  func tracks(_ uris: [String], then: @escaping @MainActor ([LibraryTrack?]) -> Void) {
    lookUp(
      { reader throws(StoreError) in try reader.tracks(uris) },
      then: { result in then((try? result.get()) ?? uris.map { _ in nil }) })
  }

  /// Finds the tracks of a batch in the index, in their order; nil for a track that it does not have, or whose file has
  /// changed since. `then` is called before this returns while the index is empty.
  func findInfo(of batch: FoundBatch, then: @escaping @MainActor ([EntryInfo?]) -> Void) {
    let nothing = [EntryInfo?](repeating: nil, count: batch.tracks.count)
    guard !status.isKnownEmpty, batch.stamps.contains(where: { $0 != nil }) else { return then(nothing) }
    lookUp(
      { reader throws(StoreError) in
        let known = try reader.unchangedTracks(zip(batch.tracks, batch.stamps).map { ($0.uri, $1) })
        return zip(batch.tracks, known).map { track, known in
          known.map { EntryInfo(known: $0, before: EntryInfo(playlist: track)) }
        }
      },
      then: { result in
        if case .success(let known) = result { then(known) } else { then(nothing) }
      })
  }
}
