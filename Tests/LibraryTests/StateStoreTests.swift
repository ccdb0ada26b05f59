import Glibc
import SegueSystem
import SegueWire
import Testing

@testable import SegueLibrary

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
      failure: id == 3 ? Failure(.decodingStopped, "") : nil, probed: true)
  }

  /// Whether it holds nothing, and if it held something gives out no number that may have been given out.
  private func emptied(_ store: StateStore, numbersGoOn: Bool) async throws -> Bool {
    var state = try await store.load()
    let hasMovedOn = state.nextID > 1_000_000
    state.nextID = 1
    var empty = SavedState()
    empty.beginning = numbersGoOn ? .user : .none
    return state == empty && hasMovedOn == numbersGoOn
  }

  /// Everything that can be saved, each different from its default.
  private var full: (state: SavedState, orders: [StateChange]) {
    var state = SavedState()
    state.entries = [entry(1), SavedEntry(id: 2, rank: 20, uri: "http://x/"), entry(3)]
    state.beginning = .filling([1..<3, 17..<18].reduce(into: RangeSet()) { $0.insert(contentsOf: $1) })
    state.nextID = 17
    state.modes = SavedModes(repeatMode: .one, shuffle: .albums, consume: true)
    state.playhead = SavedPlayhead(
      entry: 3, position: MediaTime(nanoseconds: 5), state: .paused, time: UnixTime(nanoseconds: 99))
    state.volume = SavedVolume(level: 42, muted: true)
    state.sleep = .after(.album)
    state.settings = [
      "output.device": SavedSetting(value: "sink", instead: ""),
      "player.preamp": SavedSetting(value: "1", instead: nil),
    ]
    return (
      state,
      [
        .replaceEntries(state.entries), .beginning(state.beginning), .nextID(17), .modes(state.modes),
        .playhead(state.playhead),
        .volume(state.volume), .sleep(state.sleep),
      ] + state.settings.map { .setting($0.key, $0.value) }
    )
  }

  /// What an earlier version kept in values of their own.
  @Test func choicesOfAnEarlierVersionAreKept() async throws {
    let store = StateStore(path: path)
    try await store.save(full.orders)
    store.close()
    do {
      let connection = try SQLiteConnection(path: path, busyTimeout: .zero)
      try connection.execute(
        """
        DROP TABLE setting; ALTER TABLE queue DROP COLUMN error_kind; PRAGMA user_version = 1;
        INSERT INTO state VALUES ('device', 'sink'), ('gain', 'album'), ('preamp', -2500)
        """)
    }
    let again = StateStore(path: path)
    let kept = try await again.load().settings
    #expect(kept["output.device"] == SavedSetting(value: "sink", instead: nil))
    #expect(kept["player.replayGain"] == SavedSetting(value: "album", instead: nil))
    #expect(kept["player.preamp"].flatMap { Double($0.value) } == -2.5)
    again.close()
  }

  /// An earlier version did not keep how the queue began: one that ever held an entry was the user's.
  @Test(arguments: [(0, QueueOrigin.none), (1, .user)])
  func theBeginningOfAQueueIsToldFromItsNumbers(entries: Int, expected: QueueOrigin) async throws {
    let store = StateStore(path: path)
    try await store.save((0..<entries).flatMap { _ in [.upsertEntries([entry(1)]), .nextID(2), .removeEntries([1])] })
    store.close()
    let again = StateStore(path: path)
    #expect(try await again.load().beginning == expected)
    try await again.save([.beginning(.user)])
    #expect(try await again.load().beginning == .user)
    again.close()
  }

  @Test func anEmptyStoreIsTheDefault() async throws {
    let store = StateStore(path: path)
    #expect(try await store.load() == SavedState())
    store.close()
  }

  @Test func everythingComesBack() async throws {
    let (state, orders) = full
    let store = StateStore(path: path)
    try await store.save(orders)
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
    #expect(scratch.names(path.parent) == ["state.db"], "an orderly end leaves one file")
  }

  @Test func rowsComeInTheOrderOfTheirRanks() async throws {
    let store = StateStore(path: path)
    try await store.save([.upsertEntries((1...5).map { entry($0) })])
    try await store.save([.removeEntries([2, 77]), .upsertEntries([entry(5, rank: 5), entry(9, rank: 25)])])
    try await store.save([
      .removeEntries([1]), .upsertEntries([entry(1, rank: 26)]), .upsertEntries([entry(8)]), .removeEntries([8]),
    ])
    #expect(try await store.load().entries.map(\.id) == [5, 9, 1, 3, 4])
    store.close()
  }

  /// What the files hold while the store is open is what a `kill -9` leaves.
  @Test func whatWasConfirmedSurvivesTheDeathOfTheProcess() async throws {
    let (state, orders) = full
    let store = StateStore(path: path)
    try await store.save([.upsertEntries([entry(100)])])
    try await store.save(orders)
    let image = scratch["image/state.db"]
    for suffix in ["", "-wal"] {
      let bytes = scratch.read(FilePath("\(path)\(suffix)"))
      #expect(!bytes.isEmpty)
      scratch.write(FilePath("\(image)\(suffix)"), bytes)
    }
    let revived = StateStore(path: image)
    // Numbers that may have been seen and were not saved are passed over.
    var loaded = try await revived.load()
    #expect(loaded.nextID > state.nextID)
    loaded.nextID = state.nextID
    #expect(loaded == state)
    revived.close()
    store.close()
  }

  @Test(arguments: [0, 100, 4096, 100_000]) func junkIsSetAside(size: Int) async throws {
    scratch.write(path, [UInt8](repeating: 0x5A, count: size))
    let store = StateStore(path: path)
    #expect(try await emptied(store, numbersGoOn: size > 0))
    try await store.save([.volume(SavedVolume(level: 3))])
    #expect(try await store.load().volume.level == 3)
    store.close()
    let kept = scratch.names(path.parent).filter { $0.hasPrefix("state.db.broken-") }
    // SQLite takes an empty file for a new database.
    #expect(kept.count == (size == 0 ? 0 : 1))
    if let name = kept.first { #expect(scratch.read(path.parent.appending(name)).count == size) }
  }

  @Test func aBrokenPageIsSetAside() async throws {
    let store = StateStore(path: path)
    try await store.save([.replaceEntries((1...2000).map { entry($0) })])
    store.close()
    var bytes = scratch.read(path)
    for index in 8192..<(bytes.count - 4096) { bytes[index] = 0xA5 }
    scratch.write(path, bytes)
    let again = StateStore(path: path)
    #expect(try await emptied(again, numbersGoOn: true))
    try await again.save([.upsertEntries([entry(1)])])
    again.close()
    #expect(scratch.names(path.parent).contains { $0.hasPrefix("state.db.broken-") })
  }

  @Test func aNewerOneIsSetAsideUntouched() async throws {
    let store = StateStore(path: path)
    try await store.save([.volume(SavedVolume(level: 3))])
    store.close()
    // user_version, big-endian, at offset 60 (SQLite file format, 1.3).
    var bytes = scratch.read(path)
    bytes[63] = 200
    scratch.write(path, bytes)
    let again = StateStore(path: path)
    #expect(try await emptied(again, numbersGoOn: true))
    again.close()
    let kept = scratch.names(path.parent).filter { $0.hasPrefix("state.db.newer-") }
    #expect(kept.count == 1)
    if let name = kept.first { #expect(scratch.read(path.parent.appending(name)) == bytes) }
  }

  @Test func whatFailedIsSavedWithTheNext() async throws {
    // A file where a folder must be: nothing can be opened.
    let obstacle = scratch.write("deep")
    let store = StateStore(path: path)
    await #expect(throws: StoreError.self) {
      try await store.save([.upsertEntries([entry(1), entry(2)]), .nextID(3)])
    }
    await #expect(throws: StoreError.self) {
      try await store.save([.removeEntries([1]), .volume(SavedVolume(level: 1))])
    }
    await #expect(throws: StoreError.self) { try await store.load() }
    _ = obstacle.withCString { unlink($0) }
    try await store.save([.volume(SavedVolume(level: 2))])
    let state = try await store.load()
    #expect(state.entries == [entry(2)])
    #expect(state.nextID == 3)
    #expect(state.volume.level == 2)
    store.close()
  }

  @Test func closingWritesWhatWaits() async throws {
    let store = StateStore(path: path)
    for number in 1...50 { store.save([.upsertEntries([entry(UInt64(number))])], nil) }
    store.close()
    let again = StateStore(path: path)
    #expect(try await again.load().entries.count == 50)
    again.close()
  }

  @Test func aSecondOwnerIsToldThatTheFileIsTakenAndLosesNothing() async throws {
    let (first, second) = (StateStore(path: path), StateStore(path: path))
    try await first.save([.replaceEntries([entry(1)])])
    do {
      try await second.save([.volume(SavedVolume(level: 9))])
      Issue.record("two owners of one file")
    } catch let error as StoreError {
      #expect(error.kind == .busy)
    }
    first.close()
    // What was kept back is written as soon as the file is free.
    let state = try await second.load()
    #expect(state.entries == [entry(1)])
    second.close()
    let again = StateStore(path: path)
    #expect(try await again.load().volume.level == 9)
    again.close()
  }
}
