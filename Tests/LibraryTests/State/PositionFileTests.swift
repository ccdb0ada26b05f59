import SegueState
import SegueSystem
import SegueWire
import Synchronization
import Testing

@Suite struct PositionFileTests {
  private let scratch = Scratch()
  private let playhead = SavedPlayhead(
    entry: 12, position: MediaTime(nanoseconds: 61_000_000_001), state: .playing, time: UnixTime(nanoseconds: 1000))

  @Test func aWrittenPositionIsRead() throws {
    let file = PositionFile(path: scratch["position"])
    #expect(file.read() == nil)
    try file.write(SavedPlayhead())
    try file.write(playhead)
    #expect(file.read() == playhead)
    #expect(scratch.names(scratch.path) == ["position"])
    file.remove()
    #expect(file.read() == nil)
  }

  @Test(arguments: ["", "{", "[]", "null", "{\"position\":1}", "{\"position\":\"x\",\"time\":1,\"state\":\"playing\"}"])
  func aMalformedFileIsIgnored(text: String) {
    #expect(PositionFile(path: scratch.write("position", text)).read() == nil)
  }

  @Test func aMissingFolderIsCreated() throws {
    let file = PositionFile(path: scratch["none/yet/position"])
    try file.write(playhead)
    #expect(file.read() == playhead)
  }

  @Test func aFileInPlaceOfTheFolderIsAnError() {
    _ = scratch.write("file", "")
    #expect(throws: SystemError.self) { try PositionFile(path: scratch["file/position"]).write(playhead) }
  }

  /// The disk may be slow while positions are passed to the writer. Only the newest one is written.
  @Test func onlyTheNewestPendingPositionIsWritten() throws {
    let file = PositionFile(path: scratch["position"])
    let writer = PositionWriter(file)
    let (entered, leave) = (BlockingPromise<Void>(), BlockingPromise<Void>())
    let written = Mutex<[UInt64]>([])
    func playhead(_ entry: UInt64) -> SavedPlayhead {
      SavedPlayhead(entry: entry, position: .zero, state: .paused, time: UnixTime(nanoseconds: 1))
    }
    writer.write(playhead(0)) { _ in
      entered.fulfill(())
      leave.wait()
    }
    entered.wait()
    for entry in UInt64(1)...1_000 {
      writer.write(playhead(entry)) { _ in written.withLock { $0.append(entry) } }
    }
    leave.fulfill(())
    writer.close()
    #expect(written.withLock { $0 } == [1_000])
    #expect(file.read()?.entry == 1_000)
  }

  @Test func theNewerPositionIsUsed() {
    var state = SavedState()
    state.playhead.time = UnixTime(nanoseconds: 1001)
    state.update(playhead)
    #expect(state.playhead.entry == nil)
    state.playhead.time = UnixTime(nanoseconds: 999)
    state.update(playhead)
    #expect(state.playhead == playhead)
    state.update(nil)
    #expect(state.playhead == playhead)
  }
}
