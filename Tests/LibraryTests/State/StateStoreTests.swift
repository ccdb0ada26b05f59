import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

@testable import SegueSQLite
@testable import SegueState

@Suite(.timeLimit(.minutes(1))) struct StateStoreTests {
  private let scratch = Scratch()
  private var path: FilePath { scratch["deep/er/state.db"] }

  private func entry(_ id: UInt64, rank: Int64? = nil) -> SavedEntry {
    var metadata = Metadata()
    metadata.title = "Titel \u{1F3B5} \"\(id)\""
    metadata.artists = ["a", "b"]
    metadata.track = Int(id)
    return SavedEntry(
      id: id, rank: rank ?? Int64(id) * 10, uri: "file:///m/\(id).flac",
      duration: MediaTime(nanoseconds: 123_456_789_012), durationKind: .estimated, metadata: metadata,
      failure: id == 3 ? Failure(.decodingStopped, "m \(LocalizableMessage("n"))") : nil, probed: true)
  }

  /// Returns whether the state is empty and, with `skipsIDs`, assigns no id that may have been assigned before.
  private func isEmpty(_ store: StateStore, skipsIDs: Bool) async throws -> Bool {
    var state = try await store.load()
    let hasSkipped = state.nextID > 1_000_000
    state.nextID = 1
    var empty = SavedState()
    empty.queueOrigin = skipsIDs ? .user : .none
    return state == empty && hasSkipped == skipsIDs
  }

  /// A state in which no value is the default, and the changes that lead to it.
  private var full: (state: SavedState, changes: [StateChange]) {
    var state = SavedState()
    state.entries = [entry(1), SavedEntry(id: 2, rank: 20, uri: "http://x/"), entry(3)]
    state.queueOrigin = .daemon([1..<3, 17..<18].reduce(into: RangeSet()) { $0.insert(contentsOf: $1) })
    state.nextID = 17
    state.modes = SavedModes(repeatMode: .one, shuffle: .albums, consume: true)
    state.order = SavedShuffleOrder(
      entries: Array(1...1500), marks: .init(position: 4, roundStart: 3, pinned: 2))
    state.playhead = SavedPlayhead(
      entry: 3, position: MediaTime(nanoseconds: 5), state: .paused, time: UnixTime(nanoseconds: 99))
    state.volume = SavedVolume(level: 42, muted: true)
    state.sleep = .after(.album)
    state.speed = .fastest
    state.history = steps
    state.settings = [
      "output.device": SavedSetting(value: "sink", replaced: ""),
      "player.preamp": SavedSetting(value: "1", replaced: nil),
    ]
    return (
      state,
      [
        .replaceEntries(state.entries), .queueOrigin(state.queueOrigin), .nextID(17), .modes(state.modes),
        .shuffleOrder(SavedShuffleChange(state.order)), .playhead(state.playhead),
        .volume(state.volume), .sleep(state.sleep), .speed(state.speed),
      ] + steps.map(StateChange.upsertStep) + state.settings.map { .setting($0.key, $0.value) }
    )
  }

  /// Steps of the history with every part, of which the second was undone.
  private var steps: [SavedStep] {
    [
      SavedStep(
        number: 4, isUndone: false, step: QueueStep(action: .replace, tracks: 7),
        insertions: [entry(5), entry(4, rank: 60)],
        removals: [1..<3, 9..<10].reduce(into: RangeSet()) { $0.insert(contentsOf: $1) },
        ranks: [SavedRank(id: 3, rank: -5)], current: 5, position: .seconds(3)),
      SavedStep(number: 5, isUndone: true, step: QueueStep(action: .add, tracks: 1), insertions: [entry(6)]),
    ]
  }

  @Test func aStepOfTheHistoryIsReplacedAsAWhole() async throws {
    let store = StateStore(path: path)
    try await store.save(steps.map(StateChange.upsertStep))
    var replaced = SavedStep(number: 4, isUndone: true, step: QueueStep(action: .clear, tracks: 1))
    replaced.insertions = [entry(2)]
    try await store.save([.upsertStep(replaced), .removeSteps([5, 77])])
    #expect(try await store.load().history == [replaced])
    try await store.save([.removeSteps([4]), .upsertStep(steps[1])])
    #expect(try await store.load().history == [steps[1]])
    store.close()
  }

  /// `isDelayed`: whether the changes are saved at once after earlier attempts have failed.
  @Test(arguments: [false, true]) func partsOfAStepAreAddedToIt(isDelayed: Bool) async throws {
    let parts = [
      SavedStepExtension(
        number: 4, step: QueueStep(action: .replace, tracks: 9), insertions: [entry(3), entry(7)],
        removals: RangeSet(1..<12), ranks: [SavedRank(id: 8, rank: 2)], endedRanks: [3], current: 5,
        position: .seconds(3)),
      SavedStepExtension(
        number: 4, step: QueueStep(action: .replace, tracks: 10), insertions: [entry(8, rank: 2)],
        removals: RangeSet(1..<11),
        ranks: [SavedRank(id: 9, rank: 3)], endedRanks: [8], current: 6, position: nil),
      SavedStepExtension(number: 77, step: QueueStep(action: .add, tracks: 1), insertions: [entry(9)]),
    ]
    var expected = steps[0]
    expected.step = QueueStep(action: .replace, tracks: 10)
    expected.insertions = [entry(8, rank: 2), entry(3), entry(5), entry(4, rank: 60), entry(7)]
    expected.removals = RangeSet(1..<11)
    expected.ranks = [SavedRank(id: 9, rank: 3)]
    (expected.current, expected.position) = (6, nil)
    let changes = steps.map(StateChange.upsertStep) + parts.map(StateChange.extendStep)
    let store = StateStore(path: path)
    if isDelayed {
      var pending = PendingChanges()
      for change in changes {
        pending.add([change])
        pending.compact()
      }
      #expect(pending.changes.count == 4)
      try await store.save(pending.changes)
    } else {
      for change in changes { try await store.save([change]) }
    }
    #expect(try await store.load().history == [expected, steps[1]])
    // A step that is removed leaves nothing behind.
    try await store.save([.removeSteps([4]), .upsertStep(SavedStep(number: 4, isUndone: false, step: expected.step))])
    #expect(try await store.load().history[0].insertions.isEmpty)
    store.close()
  }

  @Test func aFileOfAnEarlierVersionHasNoHistory() async throws {
    let store = StateStore(path: path)
    try await store.save(full.changes)
    store.close()
    var expected = full.state
    expected.history = []
    expected.order = SavedShuffleOrder()
    expected.entries[2].failure = Failure(.decodingStopped, .plain("m n"))
    do {
      let connection = try SQLiteConnection(path: path, busyTimeout: .zero)
      try connection.execute(
        """
        DROP TABLE history; DROP TABLE history_entry; DROP TABLE history_rank; DROP TABLE shuffle_order;
        DELETE FROM state WHERE key LIKE 'shuffle_%';
        ALTER TABLE queue DROP COLUMN error_template; PRAGMA user_version = 3
        """)
      // A file that is not writable is read without a migration.
      #expect(try SavedState(reading: connection) == expected)
    }
    let again = StateStore(path: path)
    #expect(try await again.load() == expected)
    try await again.save(steps.map(StateChange.upsertStep))
    #expect(try await again.load().history == steps)
    again.close()
  }

  @Test func anErrorOfSQLiteHasATemplate() {
    let path = scratch.write("text.db", String(repeating: "no database ", count: 100))
    do throws(StoreError) {
      let connection = try SQLiteConnection(path: path, busyTimeout: .zero)
      _ = try connection.integer("SELECT count(*) FROM queue")
      Issue.record("the file is a database")
    } catch {
      #expect(error.reason == LocalizableMessage("file is not a database"))
      let message: LocalizableMessage = "state: \(error)"
      #expect(message.text == "state: \(path): file is not a database")
      #expect(message.arguments == [.message("\(path): \(error.reason)")])
    }
  }

  /// A later version may write steps that this one does not know. The steps depend on each other.
  @Test func aHistoryWithAnUnknownActionIsIgnored() async throws {
    let store = StateStore(path: path)
    try await store.save(full.changes)
    store.close()
    do {
      let connection = try SQLiteConnection(path: path, busyTimeout: .zero)
      try connection.execute("UPDATE history SET action = 'unknown' WHERE number = 5")
    }
    let again = StateStore(path: path)
    let state = try await again.load()
    #expect(state.history.isEmpty)
    #expect(state.entries == full.state.entries)
    again.close()
  }

  /// An earlier version stored settings as values of the state.
  @Test func settingsOfAnEarlierVersionAreMigrated() async throws {
    let store = StateStore(path: path)
    try await store.save(full.changes)
    store.close()
    do {
      let connection = try SQLiteConnection(path: path, busyTimeout: .zero)
      try connection.execute(
        """
        DROP TABLE setting; ALTER TABLE queue DROP COLUMN error_kind;
        ALTER TABLE queue DROP COLUMN error_template; DROP TABLE history; DROP TABLE history_entry;
        DROP TABLE history_rank; DROP TABLE shuffle_order; PRAGMA user_version = 1;
        INSERT INTO state VALUES ('device', 'sink'), ('gain', 'album'), ('preamp', -2500)
        """)
    }
    let again = StateStore(path: path)
    let loaded = try await again.load()
    #expect(loaded.entries.map(\.failure) == [nil, nil, Failure(.unplayable, .plain("m n"))])
    let kept = loaded.settings
    #expect(kept["output.device"] == SavedSetting(value: "sink", replaced: nil))
    #expect(kept["player.replayGain"] == SavedSetting(value: "album", replaced: nil))
    #expect(kept["player.preamp"].flatMap { Double($0.value) } == -2.5)
    again.close()
  }

  /// An earlier version did not store the origin of the queue. A queue that ever had an entry was created by the user.
  @Test(arguments: [(0, QueueOrigin.none), (1, .user)])
  func theOriginOfAnOlderQueueIsDerivedFromTheNextID(entries: Int, expected: QueueOrigin) async throws {
    let store = StateStore(path: path)
    try await store.save((0..<entries).flatMap { _ in [.upsertEntries([entry(1)]), .nextID(2), .removeEntries([1])] })
    store.close()
    let again = StateStore(path: path)
    #expect(try await again.load().queueOrigin == expected)
    try await again.save([.queueOrigin(.user)])
    #expect(try await again.load().queueOrigin == .user)
    again.close()
  }

  @Test func anEmptyStoreHasTheDefaultState() async throws {
    let store = StateStore(path: path)
    #expect(try await store.load() == SavedState())
    store.close()
  }

  @Test func everyPartOfTheStateIsStored() async throws {
    let (state, changes) = full
    let store = StateStore(path: path)
    try await store.save(changes)
    #expect(try await store.load() == state)
    store.close()
    let again = StateStore(path: path)
    #expect(try await again.load() == state)
    try await again.save([.sleep(.at(UnixTime(nanoseconds: 7))), .setting("output.device", nil), .nextID(4)])
    var later = state
    later.sleep = .at(UnixTime(nanoseconds: 7))
    later.settings["output.device"] = nil
    #expect(try await again.load() == later, "the next id only grows")
    again.close()
    #expect(scratch.names(path.parent) == ["state.db", "state.db.copy"], "closing leaves the file and its copy")
  }

  /// The order of a shuffled queue is replaced from any entry on, also while nothing can be written.
  @Test func theEndOfAnOrderIsReplaced() async throws {
    let store = StateStore(path: path)
    var order = SavedShuffleOrder(entries: Array(1...1500), marks: .init(position: 1499))
    try await store.save([.shuffleOrder(SavedShuffleChange(order))])
    func change(from start: Int, _ entries: [UInt64]) -> StateChange {
      order.entries.replaceSubrange(start..., with: entries)
      order.marks.position = start
      return .shuffleOrder(SavedShuffleChange(start: start, entries: entries, marks: order.marks))
    }
    for (start, entries) in [
      (1500, [7]), (1400, [1, 2]), (1024, []), (1024, [5]), (3, []), (3, Array(9...2000)), (512, [8]), (0, [.max]),
    ] as [(Int, [UInt64])] {
      try await store.save([change(from: start, entries)])
      #expect(try await store.load().order == order)
    }
    var pending = PendingChanges()
    pending.add([
      change(from: 1, Array(1...600)), change(from: 600, [7, 8]), change(from: 550, []), change(from: 550, [4]),
    ])
    pending.compact()
    #expect(pending.changes.count == 1)
    try await store.save(pending.changes)
    #expect(try await store.load().order == order)
    store.close()
  }

  /// Changes the state, and returns whether the store has made a copy of it.
  private func makesCopy(_ changes: [StateChange] = []) async throws -> Bool {
    func number() -> UInt64? {
      var status = stat()
      return path.adding(".copy").withCString { stat($0, &status) } == 0 ? UInt64(status.st_ino) : nil
    }
    // The former copy keeps its number while it exists.
    let held = try? RegularFile.open(path.adding(".copy"))
    let before = number()
    let store = StateStore(path: path)
    _ = try await store.load()
    for change in changes { try await store.save([change]) }
    store.close()
    withExtendedLifetime(held) {}
    return number() != before
  }

  @Test func aCopyIsMadeOnlyIfTheStateHasChanged() async throws {
    #expect(try await makesCopy(full.changes))
    #expect(try await !makesCopy())
    #expect(try await !makesCopy([.playhead(SavedPlayhead(entry: 1)), .volume(SavedVolume(level: 7))]))
    let older = scratch.read(path.adding(".copy"))
    #expect(try await makesCopy([.modes(SavedModes(shuffle: .tracks)), .playhead(SavedPlayhead(entry: 1))]))
    #expect(try await !makesCopy())
    // A copy of another state, or none, is replaced.
    scratch.write(path.adding(".copy"), older)
    #expect(try await makesCopy())
    path.adding(".copy").withCString { _ = unlink($0) }
    #expect(try await makesCopy())
    scratch.write(path.adding(".copy"), [UInt8](repeating: 0x5A, count: 5000))
    #expect(try await makesCopy())
  }

  @Test func aChangeIsConfirmedWhileACopyIsMade() async throws {
    // On a busy machine, a copy may be complete before the change is requested. Then it is tried with another file.
    for attempt in 1...5 where try await confirmsChangeDuringCopy(of: scratch["\(attempt)/state.db"]) { return }
    Issue.record("every change waited for the copy")
  }

  /// Saves a change after a copy was begun, and checks the copy. Returns false if the change was not confirmed before
  /// the copy was complete.
  private func confirmsChangeDuringCopy(of path: FilePath) async throws -> Bool {
    // Under a sanitizer, this takes seconds, in which the store would copy the empty file, and then not again for a
    // while.
    let entries = (1...200_000).map { entry($0) }
    let store = StateStore(path: path)
    defer { store.close() }
    _ = try await store.load()
    try await store.save([.replaceEntries(entries)])
    let copy = path.adding(".copy")
    let new = copy.adding(".new")
    // A copy takes only some milliseconds, so this waits for its beginning without a pause.
    let deadline = MonotonicTime.now + MediaTime.seconds(30)
    while !new.exists, !copy.exists { try #require(MonotonicTime.now < deadline, "a copy is being made") }
    let isIncomplete = try await withCheckedThrowingContinuation { continuation in
      store.save([.modes(SavedModes(shuffle: .tracks)), .removeEntries([1])]) { result in
        // The thread that makes the copy calls this, so that the copy makes no progress meanwhile.
        continuation.resume(with: result.map { new.exists && !copy.exists })
      }
    }
    guard isIncomplete else { return false }
    try await eventually("the copy is complete") { copy.exists }
    #expect(!new.exists)
    let copied = StateStore(path: copy)
    let state = try await copied.load()
    #expect(state.modes.shuffle == .tracks && state.entries.map(\.id) == Array(2...200_000))
    copied.close()
    return true
  }

  @Test func aFileThatIsDamagedWhileItIsInUseDoesNotReplaceItsCopy() async throws {
    #expect(try await makesCopy([.replaceEntries((1...20_000).map { entry($0) })]))
    let copy = scratch.read(path.adding(".copy"))
    let store = StateStore(path: path)
    _ = try await store.load()
    let file = path.withCString { open($0, O_WRONLY) }
    let garbage = [UInt8](repeating: 0xA5, count: 4096 * 50)
    #expect(pwrite(file, garbage, garbage.count, 4096 * 100) == garbage.count)
    Glibc.close(file)
    try await store.save([.modes(SavedModes(shuffle: .tracks))])
    store.close()
    #expect(scratch.read(path.adding(".copy")) == copy)
    #expect(!scratch.names(path.parent).contains { $0.hasSuffix(".new") })
  }

  @Test func entriesAreSortedByRank() async throws {
    let store = StateStore(path: path)
    try await store.save([.upsertEntries((1...5).map { entry($0) })])
    try await store.save([.removeEntries([2, 77]), .upsertEntries([entry(5, rank: 5), entry(9, rank: 25)])])
    try await store.save([
      .removeEntries([1]), .upsertEntries([entry(1, rank: 26)]), .upsertEntries([entry(8)]), .removeEntries([8]),
    ])
    #expect(try await store.load().entries.map(\.id) == [5, 9, 1, 3, 4])
    store.close()
  }

  /// The files of an open store are what `kill -9` leaves.
  @Test func confirmedChangesSurviveTheEndOfTheProcess() async throws {
    let (state, changes) = full
    let store = StateStore(path: path)
    try await store.save([.upsertEntries([entry(100)])])
    try await store.save(changes)
    let image = scratch["image/state.db"]
    for suffix in ["", "-wal"] {
      let bytes = scratch.read(FilePath("\(path)\(suffix)"))
      #expect(!bytes.isEmpty)
      scratch.write(FilePath("\(image)\(suffix)"), bytes)
    }
    let revived = StateStore(path: image)
    // Ids that clients may have seen although they were not saved are skipped.
    var loaded = try await revived.load()
    #expect(loaded.nextID > state.nextID)
    loaded.nextID = state.nextID
    #expect(loaded == state)
    revived.close()
    store.close()
  }

  @Test(arguments: [0, 100, 4096, 100_000]) func aFileThatIsNoDatabaseIsSetAside(size: Int) async throws {
    scratch.write(path, [UInt8](repeating: 0x5A, count: size))
    let store = StateStore(path: path)
    #expect(try await isEmpty(store, skipsIDs: size > 0))
    try await store.save([.volume(SavedVolume(level: 3))])
    #expect(try await store.load().volume.level == 3)
    store.close()
    let kept = scratch.names(path.parent).filter { $0.hasPrefix("state.db.broken-") }
    // For SQLite, an empty file is a new database.
    #expect(kept.count == (size == 0 ? 0 : 1))
    if let name = kept.first { #expect(scratch.read(path.parent.appending(name)).count == size) }
  }

  @Test func aDamagedFileIsSetAside() async throws {
    let store = StateStore(path: path)
    try await store.save([.replaceEntries((1...2000).map { entry($0) })])
    store.close()
    var bytes = scratch.read(path)
    for index in 8192..<(bytes.count - 4096) { bytes[index] = 0xA5 }
    scratch.write(path, bytes)
    let again = StateStore(path: path)
    #expect(try await again.load().entries.map(\.id) == Array(1...2000))
    try await again.save([.upsertEntries([entry(1)])])
    again.close()
    #expect(scratch.names(path.parent).contains { $0.hasPrefix("state.db.broken-") })
  }

  @Test func aNewerFileIsSetAsideUnchanged() async throws {
    let store = StateStore(path: path)
    try await store.save([.volume(SavedVolume(level: 3))])
    store.close()
    // user_version, big-endian, at offset 60 (SQLite file format, 1.3).
    var bytes = scratch.read(path)
    bytes[63] = 200
    scratch.write(path, bytes)
    // A later version has made the copy, too.
    scratch.write(path.adding(".copy"), bytes)
    let again = StateStore(path: path)
    #expect(try await isEmpty(again, skipsIDs: true))
    again.close()
    let kept = scratch.names(path.parent).filter { $0.hasPrefix("state.db.newer-") }
    #expect(kept.count == 1)
    if let name = kept.first { #expect(scratch.read(path.parent.appending(name)) == bytes) }
  }

  @Test func failedChangesAreSavedWithTheNextOnes() async throws {
    // There is a file in place of the folder, so that nothing can be opened.
    let obstacle = scratch.write("deep")
    let store = StateStore(path: path)
    await #expect(throws: StoreError.self) {
      try await store.save([.upsertEntries([entry(1), entry(2)]), .nextID(3)] + steps.map(StateChange.upsertStep))
    }
    await #expect(throws: StoreError.self) {
      try await store.save([.removeEntries([1]), .removeSteps([4]), .volume(SavedVolume(level: 1))])
    }
    await #expect(throws: StoreError.self) { try await store.load() }
    _ = obstacle.withCString { unlink($0) }
    try await store.save([.volume(SavedVolume(level: 2))])
    let state = try await store.load()
    #expect(state.entries == [entry(2)])
    #expect(state.history == [steps[1]])
    #expect(state.nextID == 3)
    #expect(state.volume.level == 2)
    store.close()
  }

  @Test func closingWritesPendingChanges() async throws {
    let store = StateStore(path: path)
    for number in 1...50 { store.save([.upsertEntries([entry(UInt64(number))])], nil) }
    store.close()
    let again = StateStore(path: path)
    #expect(try await again.load().entries.count == 50)
    again.close()
  }

  @Test func aSecondProcessGetsABusyErrorAndLosesNothing() async throws {
    let (first, second) = (StateStore(path: path), StateStore(path: path))
    try await first.save([.replaceEntries([entry(1)])])
    do {
      try await second.save([.volume(SavedVolume(level: 9))])
      Issue.record("two stores use the same file")
    } catch let error as StoreError {
      #expect(error.kind == .busy)
    }
    first.close()
    // The pending changes are written as soon as the file is free.
    let state = try await second.load()
    #expect(state.entries == [entry(1)])
    second.close()
    let again = StateStore(path: path)
    #expect(try await again.load().volume.level == 9)
    again.close()
  }
}
