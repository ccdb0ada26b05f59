// Thread: "scan".

internal import SegueFiles
internal import SegueLibrary
internal import SegueSQLite
internal import SegueSystem
internal import SegueWire

/// The objects that a walk shares with the scan loop.
struct ScanContext {
  let watcher: FolderWatcher
  let index: ScanIndexAccess
  let workers: ScanWorkerPool
  let sortKeys: SortKeyUpdater
  let offline: OfflineFolders
}

/// One walk through music folders, done in steps so that events and workers are served in between.
final class ScanWalk {
  /// The phases of a walk, in their order.
  private enum Phase {
    /// Collects the changes since the last walk.
    case survey(FolderSurvey)
    /// Has the changed files read.
    case reading(ScanReading)
    /// Has workers make the sort keys that are missing (`SortKeyUpdater`).
    case sorting
    /// Completes albums and all other rows that are derived from the tracks.
    case completing
    case done
  }

  /// Whether the walk covers all music folders.
  let coversEverything: Bool
  private let services: ScanContext
  private let survey: FolderSurvey
  private let converter: CharsetConverter
  private let roots: [FilePath]
  private var reading: ScanReading?
  private var phase: Phase
  /// Whether the index has to be completed for a reason that lies before the walk.
  private let wasIncomplete: Bool
  private var hasSorted = false

  /// The number of album fragments that one transaction completes: other threads wait for the index too.
  private static let fragmentsPerStep = 256

  /// `hasMoves`: whether files were moved in the index before the walk. `missing`: files of the index that lie in no
  /// music folder any more.
  init(
    _ places: [FolderSurvey.Place], roots: [FilePath], missing: MissingFiles, hasMoves: Bool, coversEverything: Bool,
    distrustsWatches: Bool,
    services: ScanContext
  ) throws(Failure) {
    self.coversEverything = coversEverything
    self.roots = roots
    self.services = services
    converter = CharsetConverter(program: services.workers.program, niceness: ScanWorker.niceness)
    let (isUnfinished, digests) = try services.index.perform { writer throws(StoreError) in
      (try writer.hasUnfinishedScan(), coversEverything ? try writer.folderDigests.all() : nil)
    }
    wasIncomplete = hasMoves || isUnfinished
    survey = FolderSurvey(
      places, roots: roots, missing: missing, digests: digests, distrustsWatches: distrustsWatches, services: services,
      converter: converter)
    phase = .survey(survey)
  }

  // MARK: Results

  var done: Int { reading?.done ?? 0 }
  var failed: Int { reading?.failed ?? 0 }
  var total: Int { survey.fileCount }
  var isDone: Bool { if case .done = phase { true } else { false } }
  /// The states of the music folders that were visited.
  var states: [FilePath: ScanFolder.State] { survey.states }
  var identities: [FilePath: FileIdentity] { survey.identities }

  private var hasChanged: Bool {
    wasIncomplete || survey.hasChangedAvailability || reading?.hasChanged == true || hasSorted
  }

  // MARK: Steps

  /// Does a part of the walk. Returns true if it can go on at once, false if it waits for a worker or the index, or is
  /// done.
  func step() throws(Failure) -> Bool {
    switch phase {
    case .survey(let survey):
      if try survey.step() {
        services.workers.prepare(for: survey.fileCount)
      } else {
        let reading = ScanReading(survey.takeResults(), services, converter)
        self.reading = reading
        phase = .reading(reading)
      }
      return true
    case .reading(let reading):
      guard try reading.step() else { return false }
      if coversEverything {
        services.index.post { [roots] writer throws(StoreError) in
          try writer.removeFolders(notIn: roots)
          try writer.giveVanishedToCopies()
        }
      }
      phase = .sorting
      return true
    case .sorting:
      // The end of the last write wakes the thread.
      guard services.index.pendingCount == 0 else { return false }
      if hasChanged || services.sortKeys.isCollationUnknown, try services.sortKeys.step(services.index) {
        hasSorted = true
      } else {
        phase = .completing
      }
      return true
    case .completing:
      if hasChanged,
        try services.index.perform({ writer throws(StoreError) in try writer.finishScan(limit: Self.fragmentsPerStep) })
      {
        return true
      }
      phase = .done
      return false
    case .done: return false
    }
  }

  /// Stores the results so far.
  func flush() { reading?.flush() }

  /// Stores the results so far and completes the index. The walk does not go on.
  func abort() {
    flush()
    services.index.post { writer throws(StoreError) in try writer.finishScan() }
  }
}
