// Thread: the loop. Files are written on the threads of `StateStore` and `PositionWriter`.

internal import Glibc
internal import SegueLibrary
internal import SegueLoop
internal import SegueSystem
internal import SegueWire

/// Keeps what must outlive the daemon: changes at once, the position every few seconds while it advances.
@MainActor
final class StatePersistence {
  /// Where playing stands now. Set once, by the player.
  var playhead: @MainActor () -> SavedPlayhead = { SavedPlayhead() }

  /// All there is to save, for a file that had to be begun anew. Set once, by the player.
  var everything: @MainActor () -> @Sendable () -> [StateChange] = { { [] } }

  /// While true the position is noted from time to time.
  var isAdvancing = false {
    didSet {
      guard isAdvancing != oldValue else { return }
      if isAdvancing { timer?.arm(after: Self.notePeriod) } else { timer?.disarm() }
    }
  }

  private let store: StateStore
  private let position: PositionFile
  /// A writer for a position file that is not in memory; nil where it is.
  private let positionWriter: PositionWriter?
  private let mailbox: Mailbox
  private var timer: Timer?
  private var notesUntilSaved = StatePersistence.notesPerSave
  /// Why the last save failed, for people; nil while saving works.
  private(set) var trouble: String?
  /// Until what failed is tried again, if nothing else is saved before.
  private var retry: Timer?
  private var patience = StatePersistence.shortest
  private var isNoted = true
  /// Whose changes are saved once a file that had to be begun anew holds everything; nil while none is.
  private var waiting: [Completion]?

  typealias Completion = @MainActor @Sendable () -> Void

  /// A `kill -9` costs less than five seconds.
  private static let notePeriod = MediaTime.seconds(4)
  /// A power cut costs about a minute.
  private static let notesPerSave = 15
  /// How soon what could not be saved is tried again; longer every time.
  private static let shortest = MediaTime.seconds(1)
  private static let longest = MediaTime.seconds(60)

  /// Where what outlives the daemon is kept.
  static var folder: FilePath { Directories.environment("STATE_DIRECTORY") ?? Directories.state.appending("segue") }

  /// `runtimeFolder`: in memory, and this daemon's alone.
  init(loop: EventLoop, runtimeFolder: FilePath) throws(SystemError) {
    store = StateStore(path: Self.folder.appending("segue.db"))
    position = PositionFile(path: runtimeFolder.appending("position"))
    positionWriter = position.isInMemory ? nil : PositionWriter(position)
    mailbox = loop.mailbox
    timer = try Timer(on: loop, slack: .milliseconds(500)) { [weak self] in self?.notePosition() }
    retry = try Timer(on: loop, slack: .milliseconds(500)) { [weak self] in self?.tryAgain() }
  }

  /// Reads everything; the daemon has nobody to answer before that, so this waits. Throws if another daemon owns the
  /// file: two would each undo what the other saved.
  func load() throws(SystemError) -> SavedState {
    let answer = BlockingPromise<Result<SavedState, StoreError>>()
    store.load { answer.fulfill($0) }
    var state: SavedState
    switch answer.wait() {
    case .success(let saved):
      state = saved
    case .failure(let error) where error.kind == .busy:
      let advice = "another segued keeps its queue there; give this one an XDG_STATE_HOME of its own"
      throw SystemError("fcntl", "\(error.path): \(advice)", code: EBUSY)
    case .failure(let error):
      Log.error("what was saved cannot be read (\(error)); starting with an empty queue")
      state = SavedState()
      state.markQueueLost()
    }
    // Whether the file can be written, too, is better known now than at the first change.
    tryAgain()
    // The small file is the fresher one after a crash.
    state.update(position.read())
    return state
  }

  /// Saves, and calls `then` on the loop when that is durable, or has failed and was logged.
  func save(_ orders: [StateChange], then: Completion? = nil) { save(making: { orders }, then: then) }

  /// The same, with the orders made on the library thread: there may be a hundred thousand rows.
  func save(making orders: @escaping @Sendable () -> [StateChange], then: Completion? = nil) {
    store.save(making: orders) { [mailbox, weak self] result in
      mailbox.post { self?.settle(result, then) }
    }
  }

  /// `then` as of `save`.
  func savePlayhead(then: Completion? = nil) {
    let head = playhead()
    save([.playhead(head)], then: then)
    note(head)
  }

  /// Writes the last of it and waits until all is on disk. What the disk does not take of it, the small file keeps.
  func close() {
    isAdvancing = false
    retry?.disarm()
    let head = playhead()
    let answer = BlockingPromise<Result<Void, StoreError>>()
    store.save([.playhead(head)]) { answer.fulfill($0) }
    if case .failure(let error) = answer.wait(), error.isFileUnusable { store.save(making: everything()) }
    positionWriter?.close()
    // No more requests are answered, so that the loop may wait for the file from here on.
    if store.close() {
      position.remove()
    } else {
      settle(Result { () throws(SystemError) in try position.write(head) })
    }
  }

  private func notePosition() {
    let head = playhead()
    note(head)
    notesUntilSaved -= 1
    // Without the small file the disk has to do.
    if notesUntilSaved == 0 || !isNoted {
      notesUntilSaved = Self.notesPerSave
      save([.playhead(head)])
    }
    if isAdvancing { timer?.arm(after: Self.notePeriod) }
  }

  /// Writes `head` to the small file: at once where the file is in memory, so that it outlives whatever is answered
  /// next; on another thread where it is on a disk, which may keep a writer waiting for seconds.
  private func note(_ head: SavedPlayhead) {
    guard let positionWriter else {
      return settle(Result { () throws(SystemError) in try position.write(head) })
    }
    positionWriter.write(head) { [mailbox, weak self] result in
      mailbox.post { self?.settle(result) }
    }
  }

  private func settle(_ noted: Result<Void, SystemError>) {
    switch noted {
    case .success: isNoted = true
    case .failure(let error):
      if isNoted { Log.warning("the position is saved on disk, for it cannot be noted in memory: \(error)") }
      isNoted = false
    }
  }

  /// With the next save goes what failed before.
  private func tryAgain() { save([]) }

  private func settle(_ result: Result<Void, StoreError>, _ then: Completion?) {
    if case .failure(let error) = result, error.isFileUnusable {
      // More of them may come, of saves that were under way already.
      if waiting == nil { beginAnew(because: error) }
    } else {
      note(result)
    }
    if waiting == nil { then?() } else if let then { waiting?.append(then) }
  }

  /// Nobody is told that a change is saved before the new file holds all that the old one did.
  private func beginAnew(because error: StoreError) {
    Log.error("what was saved has to be begun anew: \(error)")
    waiting = []
    store.save(making: everything()) { [mailbox, weak self] result in
      mailbox.post {
        guard let self else { return }
        let waiting = self.waiting ?? []
        self.waiting = nil
        self.note(result)
        for then in waiting { then() }
      }
    }
  }

  /// One line when saving begins to fail, one when it works again.
  private func note(_ result: Result<Void, StoreError>) {
    switch result {
    case .success:
      guard trouble != nil else { return }
      trouble = nil
      patience = Self.shortest
      retry?.disarm()
      Log.notice("saving works again")
    case .failure(let error):
      if trouble == nil {
        Log.error("queue and position cannot be saved: \(error); playing goes on, and saving is tried again")
      }
      trouble = error.description
      guard retry?.isArmed == false else { return }
      retry?.arm(after: patience)
      patience = min(patience * 2, Self.longest)
    }
  }
}
