import SegueState
import SegueSystem
import SegueWire
import Testing

@testable import SeguePlayer

/// Tests of the history of the queue as a value.
@Suite struct QueueHistoryTests {
  /// A queue with its history and the rows of both in the database.
  struct Editor {
    var queue: PlayQueue
    var history = QueueHistory()
    private(set) var rows: [UInt64: SavedStep] = [:]

    init(seed: UInt64 = 1) { queue = PlayQueue(version: 0, seed: seed) }

    /// The entries with their ranks, in the order of the queue.
    var state: [SavedEntry] {
      guard case .replaceEntries(let entries) = queue.changes(for: .all).first else { return [] }
      return entries
    }

    var names: [String] { queue.names }

    mutating func add(_ names: [String], at point: InsertionPoint = .end) {
      let insertion = queue.insert(names.map { .track($0) }, at: point)
      guard !insertion.ids.isEmpty else { return }
      save(history.record(QueueStep(action: .add, tracks: names.count), insertion.reverse))
    }

    mutating func remove(_ ids: [EntryID]) {
      let removal = queue.remove(ids)
      save(history.record(QueueStep(action: .remove, tracks: removal.removed.count), removal.reverse))
    }

    mutating func move(_ ids: [EntryID], to index: Int) {
      let move = queue.move(ids, to: .index(index))
      if case .none = move.change { return }
      save(history.record(QueueStep(action: .move, tracks: ids.count), move.reverse))
    }

    mutating func clear() {
      let removal = queue.clear()
      save(history.record(QueueStep(action: .clear, tracks: removal.removed.count), removal.reverse))
    }

    mutating func replace(_ names: [String]) {
      let (insertion, removal) = queue.replaceAll(names.map { .track($0) })
      save(history.record(QueueStep(action: .replace, tracks: insertion.ids.count), removal.reverse))
    }

    /// Plays the current entry to its end, and forgets it if it is consumed.
    mutating func advance() {
      if case .rows(_, let removed) = queue.advance(.trackEnded).change { save(history.forget(removed)) }
    }

    /// Undoes or redoes a change, and checks that the database would have the same entries. Returns the change.
    @discardableResult
    mutating func step(_ direction: QueueHistory.Direction) -> QueueStep? {
      guard let step = history.step(direction) else { return nil }
      var rows = Dictionary(uniqueKeysWithValues: state.map { ($0.id, $0) })
      let applied = queue.apply(step.difference)
      save(history.move(direction, applied.removal.reverse))
      for change in queue.changes(for: applied.removal.change) {
        switch change {
        case .replaceEntries(let entries): rows = Dictionary(uniqueKeysWithValues: entries.map { ($0.id, $0) })
        case .upsertEntries(let entries): for entry in entries { rows[entry.id] = entry }
        case .removeEntries(let ids): for id in ids { rows[id] = nil }
        default: break
        }
      }
      #expect(rows.values.sorted { ($0.rank, $0.id) < ($1.rank, $1.id) } == state)
      return step.change
    }

    mutating func save(_ change: QueueHistory.Change) {
      for change in change.makeRows(queue) {
        switch change {
        case .upsertStep(let step): rows[step.number] = step
        case .extendStep(let part): rows[part.number]?.extend(by: part)
        case .removeSteps(let numbers): for number in numbers { rows[number] = nil }
        default: Issue.record("a history changes only its own rows")
        }
      }
    }

    /// Replaces queue and history by those that a restarted daemon reads.
    mutating func restart() {
      var saved = SavedState()
      saved.entries = state
      saved.nextID = queue.nextID
      saved.modes = queue.savedModes
      saved.playhead.entry = queue.current?.number
      saved.history = rows.values.sorted { $0.number < $1.number }
      queue = PlayQueue(saved, version: 0, seed: 3)
      history = QueueHistory(saved.history, for: queue)
    }
  }

  @Test func undoAndRedoRestoreEntriesOrderAndIDs() throws {
    var editor = Editor()
    var states = [editor.state]
    editor.add(["a", "b", "c", "d"])
    states.append(editor.state)
    editor.move([try #require(editor.queue.id("d")), try #require(editor.queue.id("b"))], to: 0)
    states.append(editor.state)
    editor.remove(["a", "b"].compactMap(editor.queue.id))
    states.append(editor.state)
    editor.replace(["x", "c"])
    states.append(editor.state)
    editor.clear()
    states.append(editor.state)
    let actions: [QueueStep] = [
      .init(action: .add, tracks: 4), .init(action: .move, tracks: 2), .init(action: .remove, tracks: 2),
      .init(action: .replace, tracks: 2),
      .init(action: .clear, tracks: 2),
    ]
    for index in actions.indices.reversed() {
      #expect(editor.history.next.undo == actions[index])
      #expect(editor.step(.undo) == actions[index])
      #expect(editor.state == states[index])
      #expect(editor.history.next.redo == actions[index])
    }
    #expect(editor.step(.undo) == nil)
    for index in actions.indices {
      #expect(editor.step(.redo) == actions[index])
      #expect(editor.state == states[index + 1])
    }
    #expect(editor.step(.redo) == nil)
  }

  @Test func aChangeAfterAnUndoDiscardsTheRedoSteps() {
    var editor = Editor()
    editor.add(["a"])
    editor.add(["b"])
    editor.step(.undo)
    editor.add(["c"])
    #expect(editor.history.next.redo == nil)
    #expect(editor.rows.count == 2)
    editor.step(.undo)
    #expect(editor.names == ["a"])
  }

  @Test func twentyChangesAreKept() {
    var editor = Editor()
    for number in 0..<25 { editor.add(["\(number)"]) }
    #expect(editor.rows.count == QueueHistory.maximumSteps)
    for _ in 0..<20 { #expect(editor.step(.undo) != nil) }
    #expect(editor.step(.undo) == nil)
    #expect(editor.names == ["0", "1", "2", "3", "4"])
    for _ in 0..<20 { #expect(editor.step(.redo) != nil) }
    #expect(editor.names == (0..<25).map(String.init))
  }

  @Test func theOldestChangesAreForgottenIfTheirEntriesAreTooMany() {
    var editor = Editor()
    let many = (0..<(QueueHistory.maximumSize / 2 + 1)).map(String.init)
    for _ in 0..<2 {
      editor.add(many)
      editor.clear()
    }
    #expect(editor.step(.undo)?.action == .clear)
    #expect(editor.step(.undo)?.action == .add)
    #expect(editor.step(.undo) == nil)
    #expect(editor.names.isEmpty)
  }

  @Test func theLastChangeIsKeptWhateverItsSize() {
    var editor = Editor()
    editor.add((0...QueueHistory.maximumSize).map(String.init))
    let before = editor.state
    editor.clear()
    #expect(editor.step(.undo)?.action == .clear)
    #expect(editor.state == before)
  }

  /// Forty insertions at one place use up the ranks between two entries, and all entries get new ones.
  @Test func undoRestoresTheOrderAfterEntriesGotNewRanks() throws {
    var editor = Editor()
    editor.add(["first", "last"])
    var states: [[SavedEntry]] = []
    for number in 0..<100 {
      states.append(editor.state)
      editor.add(["\(number)"], at: .index(1))
    }
    for state in states.suffix(20).reversed() {
      editor.step(.undo)
      #expect(editor.state == state)
    }
    // Moves use up the ranks, too.
    states = []
    for _ in 0..<90 {
      states.append(editor.state)
      editor.move([try #require(editor.queue.entries.last?.id)], to: 1)
    }
    for state in states.suffix(20).reversed() {
      editor.step(.undo)
      #expect(editor.state == state)
    }
  }

  @Test func theBatchesOfAnAdditionAreOneChange() throws {
    var editor = Editor()
    editor.add(["a", "b"])
    editor.add(["1"], at: .index(1))
    let number = try #require(editor.history.newest)
    for _ in 0..<60 {
      let batch = editor.queue.insert([.track("x")], at: .index(1))
      let change = editor.history.extend(number, by: 1, batch.reverse)
      editor.save(try #require(change))
    }
    let full = editor.state
    #expect(editor.step(.undo) == QueueStep(action: .add, tracks: 61))
    #expect(editor.names == ["a", "b"])
    editor.step(.redo)
    #expect(editor.state == full)
    editor.remove([try #require(editor.queue.id("a"))])
    let late = editor.queue.insert([.track("y")], at: .end)
    #expect(editor.history.extend(number, by: 1, late.reverse) == nil, "another change came after the addition")
  }

  /// Returns the number of entries and ranks that a change of the database has.
  private func rowCount(_ change: StateChange) -> Int {
    switch change {
    case .upsertStep(let step): step.insertions.count + step.ranks.count
    case .extendStep(let part): part.insertions.count + part.ranks.count + part.endedRanks.count
    default: 0
    }
  }

  /// A client divides a long command among several requests. `removing`: how many of them remove entries; the others
  /// move some.
  @Test(arguments: [0, 10, 20]) func aRequestSavesNoMoreOfItsCommandThanItsOwnPart(removing: Int) throws {
    var editor = Editor()
    editor.add((0..<2_000).map(String.init))
    let (ids, before) = (editor.queue.entries.map(\.id), editor.state)
    var number: UInt64?
    for part in 0..<20 {
      let own = Array(ids[part * 100..<(part + 1) * 100])
      let reverse = part < removing ? editor.queue.remove(own).reverse : editor.queue.move(own, to: .index(0)).reverse
      let further = number.flatMap { editor.history.extend($0, by: 100, reverse) }
      let change = further ?? editor.history.record(QueueStep(action: .move, tracks: 100), reverse)
      number = number ?? editor.history.newest
      #expect(change.makeRows(editor.queue).map(rowCount).reduce(0, +) <= 100)
      editor.save(change)
    }
    let after = editor.state
    editor.restart()
    #expect(editor.step(.undo) == QueueStep(action: .move, tracks: 2_000))
    #expect(editor.state == before)
    editor.step(.redo)
    #expect(editor.state == after)
  }

  @Test func entriesThatACommandAddsAndRemovesAreForgotten() throws {
    var editor = Editor()
    editor.add(["a", "b"])
    editor.remove([try #require(editor.queue.id("a"))])
    let number = try #require(editor.history.newest)
    let batch = editor.queue.insert([.track("1"), .track("2"), .track("3")], at: .end)
    let addition = editor.history.extend(number, by: 3, batch.reverse)
    #expect(addition?.forgotten == [])
    let removal = editor.queue.remove(["b", "1", "3"].compactMap(editor.queue.id))
    let change = editor.history.extend(number, by: 3, removal.reverse)
    editor.save(try #require(change))
    #expect(change?.forgotten == [batch.ids[0], batch.ids[2]].map(\.number))
    #expect(editor.names == ["2"])
    editor.step(.undo)
    #expect(editor.names == ["a", "b"])
    editor.step(.redo)
    #expect(editor.names == ["2"])
  }

  /// A change is undone while the addition before it is in progress.
  @Test func aFurtherBatchOfAnAdditionDiscardsWhatWasUndone() throws {
    var editor = Editor()
    editor.add(["a", "b"])
    editor.add(["1"], at: .index(1))
    let number = try #require(editor.history.newest)
    editor.remove([try #require(editor.queue.id("a"))])
    editor.step(.undo)
    #expect(editor.history.next.redo == QueueStep(action: .remove, tracks: 1))
    let batch = editor.queue.insert([.track("2")], at: .index(1))
    let change = editor.history.extend(number, by: 1, batch.reverse)
    editor.save(try #require(change))
    #expect(editor.history.next == QueueSteps(undo: QueueStep(action: .add, tracks: 2), redo: nil))
    editor.step(.undo)
    #expect(editor.names == ["a", "b"])
  }

  @Test func aSavedHistoryWithAnEntryOfTheQueueIsIgnored() throws {
    var editor = Editor()
    editor.add(["a", "b"])
    var saved = SavedState()
    saved.entries = editor.state
    saved.history = [
      SavedStep(number: 1, isUndone: false, step: QueueStep(action: .remove, tracks: 1), insertions: [editor.state[1]])
    ]
    let history = QueueHistory(saved.history, for: PlayQueue(saved, version: 0, seed: 1))
    #expect(history.next == QueueSteps())
  }

  // MARK: Consume

  @Test func consumedEntriesDoNotReturn() throws {
    var editor = Editor()
    editor.queue.consume = true
    editor.add(["a", "b", "c", "d"])
    editor.queue.setCurrent(editor.queue.id("a"))
    editor.move([try #require(editor.queue.id("a"))], to: 3)
    editor.step(.undo)
    editor.advance()
    #expect(editor.names == ["b", "c", "d"])
    #expect(editor.history.next.redo == nil, "the only moved entry was consumed")
    editor.clear()
    editor.step(.undo)
    #expect(editor.names == ["b", "c", "d"])
    editor.step(.undo)
    #expect(editor.names == [])
    editor.step(.redo)
    #expect(editor.names == ["b", "c", "d"])
  }

  @Test func aChangeOfWhichAllEntriesWereConsumedIsForgotten() throws {
    var editor = Editor()
    editor.queue.consume = true
    editor.add(["a"])
    editor.add(["b"])
    editor.queue.setCurrent(editor.queue.id("b"))
    editor.advance()
    #expect(editor.history.next.undo == QueueStep(action: .add, tracks: 1))
    editor.step(.undo)
    #expect(editor.names == [])
    #expect(editor.step(.undo) == nil)
    #expect(editor.rows.count == 1)
  }

  // MARK: The current entry

  @Test func theCurrentEntryStaysCurrentIfItStaysInTheQueue() throws {
    var editor = Editor()
    editor.add(["a", "b", "c"])
    editor.queue.setCurrent(editor.queue.id("b"))
    editor.remove([try #require(editor.queue.id("a"))])
    editor.step(.undo)
    #expect(editor.queue.name(editor.queue.current) == "b")
    #expect(editor.queue.currentIndex == 1)
  }

  @Test func anEntryThatReturnsIsCurrentAgainOnlyIfNoOtherIs() throws {
    var editor = Editor()
    editor.add(["a", "b"])
    editor.queue.setCurrent(editor.queue.id("a"))
    let first = try #require(editor.queue.current)
    let removal = editor.queue.remove([first])
    var other = editor.queue
    #expect(other.name(removal.current) == "b")
    other.apply(removal.reverse, resuming: first)
    #expect(other.name(other.current) == "b", "what plays continues")
    editor.queue.setCurrent(nil)
    editor.queue.apply(removal.reverse, resuming: first)
    #expect(editor.queue.name(editor.queue.current) == "a")
  }

  @Test func theSuccessorOfAnUndoneAdditionIsCurrent() throws {
    var editor = Editor()
    editor.add(["a", "b"])
    editor.queue.setCurrent(editor.queue.id("a"))
    editor.add(["new"], at: .next)
    editor.queue.setCurrent(editor.queue.id("new"))
    editor.step(.undo)
    #expect(editor.queue.name(editor.queue.current) == "b")
  }

  @Test(arguments: [ShuffleMode.tracks, .albums]) func returnedEntriesArePlayedInTheRound(shuffle: ShuffleMode) {
    var editor = Editor()
    editor.add((0..<20).map(String.init))
    editor.queue.shuffle = shuffle
    editor.queue.setCurrent(editor.queue.id("7"))
    editor.remove((0..<5).compactMap { editor.queue.id("\($0)") })
    editor.step(.undo)
    #expect(Set(editor.queue.rest()).count == editor.queue.rest().count)
    #expect(Set((0..<5).compactMap { editor.queue.id("\($0)") }).isSubset(of: editor.queue.rest()))
  }

  // MARK: Random changes

  /// After any changes, undoing leads through the earlier states, and redoing through the later ones, also after
  /// restarts. Entries that were consumed are missing in all of them.
  @Test(arguments: 0..<30) func undoAndRedoLeadThroughTheStates(seed: Int) throws {
    var dice = SplitMix64(seed: UInt64(seed) &* 104_729)
    var editor = Editor(seed: UInt64(seed))
    editor.queue.consume = seed.isMultiple(of: 2)
    editor.queue.shuffle = ShuffleMode.allCases.randomElement(using: &dice) ?? .off
    // The states by the number of changes that lead to them.
    var states = [editor.state]
    var position = 0
    for _ in 0..<300 {
      let before = editor.history.newest
      switch Int.random(in: 0..<20, using: &dice) {
      case 0...6: step(&editor, .undo, &position, states)
      case 7...10: step(&editor, .redo, &position, states)
      case 11: editor.restart()
      case 12...13:
        editor.advance()
        let present = Set(editor.state.map(\.id))
        let consumed = Set(states[position].map(\.id)).subtracting(present)
        for index in states.indices { states[index].removeAll { consumed.contains($0.id) } }
        // The changes without effect have left the history, and so have their states.
        (states, position) = (pruned(states, position))
      default:
        change(&editor, &dice)
        guard editor.history.newest != before else { break }
        states.removeSubrange((position + 1)...)
        states.append(editor.state)
        position += 1
      }
      #expect(editor.state == states[position])
      #expect(editor.queue.entries.map(\.id.number) == editor.state.map(\.id))
    }
  }

  private func step(
    _ editor: inout Editor, _ direction: QueueHistory.Direction, _ position: inout Int, _ states: [[SavedEntry]]
  ) {
    guard editor.step(direction) != nil else { return }
    position += direction == .undo ? -1 : 1
  }

  /// Returns the states without those that equal their predecessors, and the position of the same state.
  private func pruned(_ states: [[SavedEntry]], _ position: Int) -> ([[SavedEntry]], Int) {
    var kept: [[SavedEntry]] = []
    var newPosition = 0
    for (index, state) in states.enumerated() {
      if state != kept.last { kept.append(state) }
      if index == position { newPosition = kept.count - 1 }
    }
    return (kept, newPosition)
  }

  private func change(_ editor: inout Editor, _ dice: inout SplitMix64) {
    func some(_ count: Int) -> [EntryID] {
      (0..<count).compactMap { _ in editor.queue.entries.randomElement(using: &dice)?.id }
    }
    let names = (0..<Int.random(in: 1...6, using: &dice)).map { _ in "\(Int.random(in: 0..<50, using: &dice))" }
    switch Int.random(in: 0..<10, using: &dice) {
    case 0...1: editor.add(names)
    case 2: editor.add(names, at: .next)
    case 3: editor.add(names, at: .index(Int.random(in: 0...editor.queue.count, using: &dice)))
    case 4...5:
      let ids = some(Int.random(in: 1...4, using: &dice))
      if !ids.isEmpty { editor.remove(ids) }
    case 6...7: editor.move(some(3), to: Int.random(in: 0...max(0, editor.queue.count), using: &dice))
    case 8: editor.queue.setCurrent(some(1).first)
    default:
      if Bool.random(using: &dice) { editor.replace(names) } else if !editor.queue.isEmpty { editor.clear() }
    }
  }

  /// A client divides long commands among several requests.
  @Test(arguments: 0..<100) func theStepsOfOneCommandAreUndoneAndRedoneTogether(seed: Int) {
    var dice = SplitMix64(seed: UInt64(seed))
    var editor = Editor()
    editor.add((0..<30).map { "\($0)" })
    let before = editor.state
    var number: UInt64?
    for part in 0..<Int.random(in: 2...6, using: &dice) {
      let ids = editor.queue.entries.map(\.id).shuffled(using: &dice).prefix(Int.random(in: 1...5, using: &dice))
      let reverse: QueueDifference
      switch Int.random(in: 0..<4, using: &dice) {
      case 0: reverse = editor.queue.remove(Array(ids)).reverse
      case 1: reverse = editor.queue.move(Array(ids), to: .index(Int.random(in: 0..<20, using: &dice))).reverse
      case 2: reverse = editor.queue.insert([.track("a\(part)"), .track("b\(part)")], at: .after(ids[0])).reverse
      default: reverse = editor.queue.replaceAll((0..<12).map { .track("c\($0)") }).removal.reverse
      }
      if let number, let change = editor.history.extend(number, by: 1, reverse) {
        editor.save(change)
      } else {
        #expect(part == 0)
        editor.save(editor.history.record(QueueStep(action: .move, tracks: 1), reverse))
        number = editor.history.newest
      }
    }
    let after = editor.state
    if Bool.random(using: &dice) { editor.restart() }
    for _ in 0..<2 {
      #expect(editor.step(.undo) != nil)
      #expect(editor.state == before)
      #expect(editor.step(.redo) != nil)
      #expect(editor.state == after)
    }
  }
}
