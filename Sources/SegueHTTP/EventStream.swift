// Thread: the loop.

/// The body of a response that sends events to a page as they come (text/event-stream, "server-sent events" of HTML).
///
/// While the client takes nothing, a newer event with a name replaces an older one with the same name, so that the
/// memory for a client that has fallen asleep is limited by the number of names.
@MainActor
public final class EventStream {
  private var pending: [(name: String, text: String)] = []
  /// The bytes that were taken from `pending` and not sent yet.
  private var unsent: ArraySlice<UInt8> = []
  private(set) var isFinished = false
  /// Called when there is something to send to a client that has everything.
  var wake: (@MainActor () -> Void)?
  /// Called once when the client or the server has closed the connection.
  public var onClose: (@MainActor () -> Void)?

  public init() {}

  /// Sends an event, after those that wait. `text` is a line.
  public func send(_ name: String, _ text: String) {
    guard !isFinished else { return }
    pending.removeAll { $0.name == name }
    pending.append((name, text))
    wake?()
  }

  /// Ends the response after the events that wait.
  public func finish() {
    isFinished = true
    wake?()
  }

  /// Copies the next bytes of the events to `buffer`. Returns 0 if there are none.
  func take(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    if unsent.isEmpty, !pending.isEmpty {
      let text = pending.map { "event: \($0.name)\ndata: \($0.text)\n\n" }.joined()
      pending = []
      unsent = ArraySlice(text.utf8)
    }
    let part = unsent.prefix(buffer.count)
    buffer.copyBytes(from: part)
    unsent = unsent.dropFirst(part.count)
    return part.count
  }

  func close() {
    isFinished = true
    (pending, unsent, wake) = ([], [], nil)
    let onClose = onClose
    self.onClose = nil
    onClose?()
  }
}
