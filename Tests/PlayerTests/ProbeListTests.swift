import SegueWire
import Testing

@testable import SeguePlayer

@Suite struct ProbeListTests {
  private static func queue(_ count: Int) -> PlayQueue {
    var queue = PlayQueue(version: 0, seed: 1)
    queue.insert((0..<count).map { _ in NewEntry(uri: "file:///a") }, at: .end)
    return queue
  }

  /// Schedules the entries of `queue`.
  private static func schedule(_ queue: PlayQueue, in list: inout ProbeList) {
    for number in queue.ids { list.append(EntryID(number)) }
  }

  /// Returns the indices of all entries that need a probe, in their order.
  private static func drain(_ list: inout ProbeList, _ queue: PlayQueue) -> [Int] {
    var found: [Int] = []
    while true {
      if let index = list.popFirst(in: queue) {
        found.append(index)
      } else if list.hasScheduled {
        list.locate(in: queue) { !$0.probed }
      } else {
        return found
      }
    }
  }

  /// A search of the queue for each of the entries would take many minutes.
  @Test func manyEntriesThatHaveLeftTheQueueArePassedOver() {
    let count = 100_000
    var queue = Self.queue(count)
    var list = ProbeList()
    Self.schedule(queue, in: &list)
    // Some are located before they leave the queue.
    list.locate(in: queue) { !$0.probed }
    #expect(list.popFirst(in: queue) == 0)
    queue.replaceAll((0..<count).map { _ in NewEntry(uri: "file:///b") })
    Self.schedule(queue, in: &list)
    #expect(Self.drain(&list, queue) == Array(0..<count))
  }

  @Test func entriesThatWereMovedOrRemovedAreFoundInTheirOrder() {
    var queue = Self.queue(5_000)
    var list = ProbeList()
    Self.schedule(queue, in: &list)
    list.locate(in: queue) { !$0.probed }
    let ids = queue.ids.map(EntryID.init)
    queue.remove(Array(ids[10..<20]))
    queue.move(Array(ids[100..<200]), to: .index(0))
    let expected = (ids[..<10] + ids[20...]).map { queue.index(of: $0) }
    #expect(Self.drain(&list, queue).map(Optional.some) == expected)
  }

  @Test func entriesThatNeedNoProbeAreLeftOut() {
    var queue = Self.queue(4_000)
    var list = ProbeList()
    Self.schedule(queue, in: &list)
    for index in 0..<4_000 where index.isMultiple(of: 2) { _ = queue.update(at: index, EntryInfo(probed: true)) }
    #expect(Self.drain(&list, queue) == (0..<4_000).filter { !$0.isMultiple(of: 2) })
  }
}
