import SegueFrontend
import SegueSystem
import SegueWire
import Testing

@testable import SegueTerminal

/// Tests of a daemon whose data are invalid or whose requests fail.
@Suite struct FaultyDaemonTests {
  @Test(arguments: [(-4, 5), (9, 5), (0, -3), (Int.max, Int.max), (Int.max - 1, Int.max), (2, 0)])
  func lengthsAndIndicesOutOfRangeAreLimited(index: Int, length: Int) {
    let interface = Interface(playing: 0)
    var status = interface.status
    (status.index, status.length) = (index, length)
    var model = Model(
      size: ScreenSize(rows: 24, columns: 80), appearance: Interface.colored, at: interface.now)
    _ = model.update(.connected, at: interface.now)
    _ = model.update(.playerChanged(status), at: interface.now)
    for key: Key.Code in [.character("G"), .pageDown, .pageDown, .character("2")] {
      _ = model.update(.input(.key(Key(code: key))), at: interface.now)
      #expect(!model.frame().grid.lines[0].contains("track -"))
    }
    _ = model.update(.queueChanged(version: 2, length: length), at: interface.now)
    #expect(0...(1 << 31) ~= model.state.queue.length)
    #expect(model.state.status?.index.map { $0 < 1 << 31 } ?? true)
  }
}
