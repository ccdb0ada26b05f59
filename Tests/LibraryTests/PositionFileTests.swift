import SegueLibrary
import SegueSystem
import SegueWire
import Testing

@Suite struct PositionFileTests {
  private let scratch = Scratch()
  private let playhead = SavedPlayhead(
    entry: 12, position: MediaTime(nanoseconds: 61_000_000_001), state: .playing, time: WallTime(nanoseconds: 1000))

  @Test func comesBackWhole() throws {
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
  func nonsenseIsNothing(text: String) {
    #expect(PositionFile(path: scratch.write("position", text)).read() == nil)
  }

  @Test func aMissingFolderIsMade() throws {
    let file = PositionFile(path: scratch["none/yet/position"])
    try file.write(playhead)
    #expect(file.read() == playhead)
  }

  @Test func aFolderThatCannotBeIsAnError() {
    _ = scratch.write("file", "")
    #expect(throws: SystemError.self) { try PositionFile(path: scratch["file/position"]).write(playhead) }
  }

  @Test func theNewerIsPreferred() {
    var state = SavedState()
    state.playhead.time = WallTime(nanoseconds: 1001)
    state.prefer(playhead)
    #expect(state.playhead.entry == nil)
    state.playhead.time = WallTime(nanoseconds: 999)
    state.prefer(playhead)
    #expect(state.playhead == playhead)
    state.prefer(nil)
    #expect(state.playhead == playhead)
  }
}
