// Thread: "state".

internal import Glibc
internal import SegueSQLite
internal import SegueSystem
internal import SegueWire

/// A copy of the file of the state, from which a damaged file is repaired.
///
/// It is made while nothing else is to be saved, at most every ten minutes, and when the daemon ends, if the file has
/// changed since the last one: the file and its copy have the same mark until then. The file is copied, and the copy is
/// read, in small parts, so that a change waits for one of them at most. A file whose structure is damaged does not
/// replace the last copy.
struct StateCopy {
  private let path: FilePath
  private var status = Status.unknown
  private var nextTime = MonotonicTime.now

  private enum Status {
    /// The marks of the file and of the copy have not been compared since the start.
    case unknown
    case current
    /// The file has changed since the copy was made.
    case outdated
    /// A new copy is being made. It follows the changes of the file.
    case copying(SQLiteBackup)
    /// All rows of the new copy are being read. `isOutdated`: whether the file has changed since the copy was made.
    case reading(SQLiteReading, isOutdated: Bool)
  }

  private static let interval = MediaTime.seconds(600)
  /// The number of pages, of 4 KiB each, that are copied at once.
  private static let pagesPerStep = 256
  private static let rowsPerStep = 2048

  /// `original`: The path of the file of the state.
  init(of original: FilePath) { path = original.adding(".copy") }

  private var new: FilePath { path.adding(".new") }

  /// Prepares for changes in the same transaction: the file no longer has the mark of its copy. A new position or
  /// volume alone is no reason for a new copy: while music plays, the position changes all the time, and the order of a
  /// shuffled queue with every track.
  func prepare(for changes: [StateChange], in connection: SQLiteConnection) throws(StoreError) {
    guard changes.contains(where: \.isWorthACopy) else { return }
    switch status {
    case .unknown, .current, .reading(_, isOutdated: false): try StateValues(connection).set(.copy, nil as Int64?)
    case .outdated, .copying, .reading(_, isOutdated: true): break
    }
  }

  /// Records changes that were written.
  mutating func record(_ changes: [StateChange]) {
    guard changes.contains(where: \.isWorthACopy) else { return }
    switch status {
    case .unknown, .current, .outdated: status = .outdated
    case .copying: break
    case .reading(let reading, _): status = .reading(reading, isOutdated: true)
    }
  }

  /// Does a part of the work on the copy, or all of it if the daemon ends. The copy is made if it is outdated and,
  /// unless the daemon ends, if the last one is old enough. Returns whether more is left.
  mutating func update(from connection: SQLiteConnection, atEnd: Bool) -> Bool {
    do throws(StoreError) {
      var isUnfinished = try advance(from: connection, atEnd: atEnd)
      while isUnfinished, atEnd { isUnfinished = try advance(from: connection, atEnd: atEnd) }
      return isUnfinished
    } catch {
      Log.notice("no copy of the saved state was made: \(error)")
      abandon()
      return false
    }
  }

  /// Gives up a copy that is not complete, because the file is closed.
  mutating func abandon() {
    switch status {
    case .unknown, .current, .outdated: break
    case .copying, .reading:
      status = .outdated
      Folder.removeFile(new)
    }
  }

  private mutating func advance(from connection: SQLiteConnection, atEnd: Bool) throws(StoreError) -> Bool {
    switch status {
    case .unknown, .outdated:
      guard atEnd || MonotonicTime.now >= nextTime else { return false }
      nextTime = .now + Self.interval
      if case .unknown = status, try isCurrent(connection) {
        status = .current
        return false
      }
      status = .outdated
      try StateValues(connection).set(.copy, Int64.random(in: .min ... .max))
      Folder.removeFile(new)
      status = .copying(try SQLiteBackup(of: connection, to: new))
    case .copying(let backup):
      let isComplete = try backup.copy(pages: Self.pagesPerStep)
      // The disk writes each part at once, so that it has little to write at the end.
      try flush(new)
      if isComplete {
        status = .outdated
        status = .reading(try SQLiteReading(of: new), isOutdated: false)
      }
    case .reading(let reading, let isOutdated):
      guard try reading.read(rows: Self.rowsPerStep) else { break }
      try replace(with: new)
      status = isOutdated ? .outdated : .current
    case .current: return false
    }
    return true
  }

  /// Returns whether the copy was made of the file as it is.
  private func isCurrent(_ connection: SQLiteConnection) throws(StoreError) -> Bool {
    guard let mark = try StateValues(connection).integer(.copy), let copy = open() else { return false }
    return (try? StateValues(copy).integer(.copy)) == mark
  }

  /// Puts a new copy in the place of the last one. After a power failure, one of the two is there.
  private func replace(with new: FilePath) throws(StoreError) {
    try flush(new)
    do {
      try Folder.rename(new, path)
    } catch {
      throw StoreError(error, new)
    }
  }

  private func flush(_ file: FilePath) throws(StoreError) {
    do throws(SystemError) {
      let opened = try RegularFile.open(file)
      let raw = opened.raw
      try checked("fdatasync", file.description) { fdatasync(raw) }
    } catch {
      throw StoreError(error, file)
    }
  }

  /// Opens the copy; nil if there is none, or if it cannot be used.
  func open() -> SQLiteConnection? {
    guard path.exists else { return nil }
    do throws(StoreError) {
      let connection = try SQLiteConnection(onlyReading: path)
      try StateSchema.migrations.check(connection)
      return connection
    } catch {
      Log.warning("the copy of the saved state cannot be used: \(error)")
      return nil
    }
  }
}

extension StateChange {
  fileprivate var isWorthACopy: Bool {
    switch self {
    case .playhead, .volume, .onlineSearches, .shuffleOrder: false
    case .replaceEntries, .upsertEntries, .removeEntries, .queueOrigin, .upsertStep, .extendStep, .removeSteps,
      .nextID, .modes, .sleep, .speed, .setting:
      true
    }
  }
}

extension SavedState {
  /// Creates the state from what can be read of a damaged file, and from its copy where it cannot be read. Returns nil
  /// if neither has anything.
  ///
  /// - Parameters:
  ///   - damaged: The damaged file; nil if it cannot be opened.
  ///   - copy: The copy, which may be older; nil if there is none.
  init?(rescuedFrom damaged: SQLiteConnection?, copy: SQLiteConnection?) {
    self.init()
    let (readable, gap) = damaged.map(SavedEntry.readReadable) ?? ([], 1..<UInt64(Int64.max))
    entries = readable
    if let gap, let copied = copy.map({ SavedEntry.readReadable($0).entries }) {
      let known = Set(readable.map(\.id))
      entries += copied.filter { gap.contains($0.id) && !known.contains($0.id) }
      entries = SavedEntry.sortedByRank(entries)
    }
    var sources: [SQLiteConnection] = []
    if let damaged { sources.append(damaged) }
    if let copy { sources.append(copy) }
    let values = sources.lazy.compactMap { source -> SavedState? in
      var state = SavedState()
      return (try? state.readValues(source)) == nil ? nil : state
    }.first
    guard values != nil || !entries.isEmpty else { return nil }
    if var values {
      values.entries = entries
      self = values
    } else {
      markQueueLost()
    }
    order = sources.lazy.compactMap { try? SavedShuffleOrder(reading: $0) }.first ?? SavedShuffleOrder()
    settings = sources.lazy.compactMap { try? SavedSetting.readAll($0) }.first ?? [:]
    // A step depends on the exact content of the queue.
    if gap == nil, let damaged { history = (try? SavedStep.readAll(damaged)) ?? [] }
    nextID = max(nextID, (entries.map(\.id).max() ?? 0) + 1)
    skipIDs()
  }
}
