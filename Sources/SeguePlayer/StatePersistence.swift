// Thread: the loop. Files are written on the threads of `StateStore` and `PositionWriter`.

internal import Glibc
internal import SegueLoop
internal import SegueSQLite
internal import SegueState
internal import SegueSystem
internal import SegueWire
internal import Synchronization

/// The persistence of the player's state: changes are saved at once, the position every few seconds while it advances.
@MainActor
final class StatePersistence {
  /// Whether the position advances, and is saved at intervals.
  private var isAdvancing = false

  private let store: StateStore
  private let position: PositionFile
  /// A writer for a position file on a disk; nil if the file is in memory.
  private let positionWriter: PositionWriter?
  private let mailbox: Mailbox
  private let player: PlayerReference
  private var timer: Timer?
  private var writesUntilSave = StatePersistence.writesPerSave
  /// The reason for which the last save failed; nil if it succeeded.
  private(set) var saveError: String?
  /// The timer after which a failed save is retried, unless another save comes first.
  private var retry: Timer?
  private var backoff = Backoff(.seconds(1)...(.seconds(60)))
  private var isPositionFileUsable = true
  /// The completions to be called once the new database holds the whole state; nil unless a new database is being
  /// created.
  private var waiting: [Completion]?

  typealias Completion = @MainActor @Sendable () -> Void

  /// The interval at which the position is written, so that a `kill -9` loses less than five seconds.
  private static let positionInterval = MediaTime.seconds(4)
  /// The number of intervals after which the position is saved on disk, so that a power cut loses about a minute.
  private static let writesPerSave = 15

  /// `player`: the player that has the state.
  init(loop: EventLoop, folders: DaemonFolders, player: PlayerReference) throws(SystemError) {
    self.player = player
    FileDistrust.warnAbout(folders.state)
    store = StateStore(path: folders.state.appending("segue.db"))
    position = PositionFile(path: folders.runtime.appending("position"))
    positionWriter = position.isInMemory ? nil : PositionWriter(position)
    mailbox = loop.mailbox
    timer = try Timer(on: loop, slack: .milliseconds(500)) { [weak self] in self?.writePosition() }
    retry = try Timer(on: loop, slack: .milliseconds(500)) { [weak self] in self?.retrySaving() }
  }

  /// Reads the state. This blocks: the daemon has no clients before that. Throws if another daemon uses the database:
  /// two daemons would undo each other's changes.
  func load() throws(SystemError) -> SavedState {
    let promise = BlockingPromise<Result<SavedState, StoreError>>()
    store.load { promise.fulfill($0) }
    var state: SavedState
    switch promise.wait() {
    case .success(let saved):
      state = saved
    case .failure(let error) where error.kind == .busy:
      let advice = "another segued uses this database; set another XDG_STATE_HOME"
      throw SystemError("fcntl", "\(error.path): \(advice)", code: EBUSY)
    case .failure(let error):
      Log.error("cannot read the saved state (\(error)); starting with an empty queue")
      state = SavedState()
      state.markQueueLost()
    }
    // An unwritable file is reported now rather than at the first change.
    retrySaving()
    // After a crash the position file is newer than the database.
    state.update(position.read())
    return state
  }

  /// Saves changes, and calls `then` on the loop when they are durable, or when saving has failed and was logged.
  func save(_ changes: [StateChange], then: Completion? = nil) { save(making: { changes }, then: then) }

  /// Saves changes that are created on the thread of the database, because there may be a hundred thousand rows.
  func save(making changes: @escaping @Sendable () -> [StateChange], then: Completion? = nil) {
    store.save(making: changes) { [mailbox, weak self] result in
      mailbox.post { self?.handleSave(result, then) }
    }
  }

  /// Frees objects on the thread of the database, after everything that it has to save. `then` is called on the loop.
  func free(_ objects: some Sendable, then: @escaping Completion) {
    let freed = Mutex(Optional(objects))
    store.run { [mailbox] in
      freed.withLock { $0 = nil }
      mailbox.post(then)
    }
  }

  /// Saves the playhead. `then` is called when it survives a crash: at once, because the position file holds it, or as
  /// by `save` if only the database holds what belongs to it: an order under shuffle that has changed, or a change of
  /// the queue that is being saved (`afterQueue`).
  func savePlayhead(afterQueue: Bool, then: @escaping Completion) {
    guard let player = player.value else { return }
    let head = player.playhead
    let order = player.takeOrderChange()
    let waits = afterQueue || order != nil
    save(making: Self.changes(head, order), then: waits ? then : nil)
    write(head)
    if !waits { then() }
  }

  private static func changes(
    _ head: SavedPlayhead, _ order: (@Sendable () -> [StateChange])?
  ) -> @Sendable () -> [StateChange] {
    { [.playhead(head)] + (order?() ?? []) }
  }

  /// Saves the position after a jump within the current track. While the position advances, it is on disk within a
  /// minute anyway, so that moving a slider does not cause many writes.
  func savePosition() {
    guard let head = player.value?.playhead else { return }
    write(head)
    if !isAdvancing || !isPositionFileUsable { save([.playhead(head)]) }
  }

  /// Saves the playhead, and blocks until everything is on disk. If that fails, the position file keeps the position.
  func close() {
    setAdvancing(false)
    retry?.disarm()
    guard let player = player.value else { return }
    let head = player.playhead
    let promise = BlockingPromise<Result<Void, StoreError>>()
    store.save(making: Self.changes(head, player.takeOrderChange()), { promise.fulfill($0) })
    if case .failure(let error) = promise.wait(), error.isFileUnusable { store.save(making: player.makeState()) }
    positionWriter?.close()
    // There are no more requests, so that the loop may block on the file from now on.
    if store.close() {
      position.remove()
    } else {
      handleWrite(Result { () throws(SystemError) in try position.write(head) })
    }
  }

  /// Sets whether the position advances, and is saved at intervals.
  func setAdvancing(_ isAdvancing: Bool) {
    guard isAdvancing != self.isAdvancing else { return }
    self.isAdvancing = isAdvancing
    if isAdvancing { timer?.arm(after: Self.positionInterval) } else { timer?.disarm() }
  }

  private func writePosition() {
    guard let head = player.value?.playhead else { return }
    write(head)
    writesUntilSave -= 1
    // Without the position file, the position is saved on disk every time.
    if writesUntilSave == 0 || !isPositionFileUsable {
      writesUntilSave = Self.writesPerSave
      save([.playhead(head)])
    }
    if isAdvancing { timer?.arm(after: Self.positionInterval) }
  }

  /// Writes `head` to the position file: at once if the file is in memory, so that it is there before the next
  /// response; on another thread if it is on a disk, on which a write may block for seconds.
  private func write(_ head: SavedPlayhead) {
    guard let positionWriter else {
      return handleWrite(Result { () throws(SystemError) in try position.write(head) })
    }
    positionWriter.write(head) { [mailbox, weak self] result in
      mailbox.post { self?.handleWrite(result) }
    }
  }

  private func handleWrite(_ result: Result<Void, SystemError>) {
    switch result {
    case .success: isPositionFileUsable = true
    case .failure(let error):
      if isPositionFileUsable {
        Log.warning("cannot store the playback position in memory (\(error)); storing it on disk")
      }
      isPositionFileUsable = false
    }
  }

  /// Saves again what failed before: every save includes that.
  private func retrySaving() { save([]) }

  private func handleSave(_ result: Result<Void, StoreError>, _ then: Completion?) {
    if case .failure(let error) = result, error.isFileUnusable {
      // Saves that were under way may fail in the same way.
      if waiting == nil { recreate(because: error) }
    } else {
      updateError(result)
    }
    if waiting == nil { then?() } else if let then { waiting?.append(then) }
  }

  /// Creates a new database. No change is reported as saved before it holds the whole state.
  private func recreate(because error: StoreError) {
    guard let player = player.value else { return }
    Log.error("cannot use the saved state (\(error)); starting with a new database")
    waiting = []
    store.save(making: player.makeState()) { [mailbox, weak self] result in
      mailbox.post {
        guard let self else { return }
        let waiting = self.waiting ?? []
        self.waiting = nil
        self.updateError(result)
        for then in waiting { then() }
      }
    }
  }

  /// Logs one line when saving begins to fail, and one when it succeeds again.
  private func updateError(_ result: Result<Void, StoreError>) {
    switch result {
    case .success:
      guard saveError != nil else { return }
      saveError = nil
      backoff.reset()
      retry?.disarm()
      Log.notice("saving works again")
    case .failure(let error):
      if saveError == nil {
        Log.error("cannot save queue and position (\(error)); playback continues, saving will be retried")
      }
      saveError = error.description
      guard retry?.isArmed == false else { return }
      retry?.arm(after: backoff.next())
    }
  }
}
