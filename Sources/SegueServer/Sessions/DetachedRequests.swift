// Thread: the loop.

internal import SegueSystem
internal import SegueWire

/// The requests of a session that do not delay those after them, with their responses.
struct DetachedRequests {
  /// A response that was not written yet.
  enum Response {
    case whole((inout JSONWriter) -> Void)
    case sliced(SlicedResponse)
  }

  /// The numbers of the requests that have no response yet.
  private var pending: Set<Int> = []
  private var lastNumber = 0
  private var responses = Deque<Response>()
  /// The number of bytes of the long responses that were not written yet.
  private(set) var size = 0

  /// The number of requests above which no further requests are read.
  private static let maximumCount = 16

  var isFull: Bool { pending.count >= Self.maximumCount }
  var isEmpty: Bool { pending.isEmpty && responses.isEmpty }

  mutating func begin() -> Int {
    lastNumber += 1
    pending.insert(lastNumber)
    return lastNumber
  }

  /// Adds the response to a request; nil for a notification.
  mutating func finish(_ number: Int, _ response: Response?) {
    guard pending.remove(number) != nil else { preconditionFailure("a request has one response") }
    guard let response else { return }
    if case .sliced(let slices) = response { size += slices.remaining }
    responses.append(response)
  }

  /// Removes the next response and returns it; nil if there is none.
  mutating func takeResponse() -> Response? {
    guard let response = responses.popFirst() else { return nil }
    if case .sliced(let slices) = response { size -= slices.remaining }
    return response
  }
}
