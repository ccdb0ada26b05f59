/// A queue, first in, first out, whose operations take constant time on average.
public struct Deque<Element> {
  private var storage: [Element?] = []
  private var head = 0

  public init() {}

  public var count: Int { storage.count - head }
  public var isEmpty: Bool { head == storage.count }

  public mutating func append(_ element: Element) { storage.append(element) }

  public mutating func popFirst() -> Element? {
    guard head < storage.count else { return nil }
    let element = storage[head]
    storage[head] = nil
    head += 1
    // Empty slots are removed once they are more than half of the storage.
    if head * 2 > storage.count {
      storage.removeFirst(head)
      head = 0
    }
    return element
  }
}
