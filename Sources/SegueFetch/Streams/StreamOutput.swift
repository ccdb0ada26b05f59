internal import SegueSystem
internal import SegueWire

/// The bytes of a resource on their way to the worker: audio through a socket, and ICY metadata beside it.
final class StreamOutput {
  let socket: BodySocket
  /// The offset in the resource of the next byte.
  private(set) var position: Int64
  /// The number of bytes of the response that the worker has already.
  private var surplus: Int64 = 0
  private var splitter: ICYSplitter?
  /// The last ICY metadata. Stations repeat them.
  private var metadata: [UInt8] = []

  /// The state after some bytes.
  enum State {
    case isOpen
    /// The resource ends before the last of the bytes.
    case isComplete
    /// The worker has closed its socket.
    case isClosed
  }

  /// Creates the output of the bytes from `offset` on.
  init(from offset: Int64) throws(Failure) {
    position = offset
    socket = try BodySocket()
  }

  /// Begins with a response.
  /// - Parameters:
  ///   - isWhole: Whether the worker has the first bytes of the response already.
  ///   - hasMetadata: Whether ICY metadata were requested. A server may send their field with other bodies as well.
  func begin(_ head: HTTPHead, isWhole: Bool, hasMetadata: Bool) {
    let interval = hasMetadata ? head["icy-metaint"].flatMap { Int($0) } : nil
    splitter = interval.flatMap { ICYSplitter(interval: $0) }
    surplus = isWhole ? position : 0
  }

  /// Sends bytes of a resource of `size` bytes. Calls `report` with ICY metadata and the number of bytes of audio
  /// before them.
  func send(
    _ bytes: UnsafeRawBufferPointer, of size: Int64?, _ report: (_ metadata: [UInt8], _ offset: Int64) -> Void
  ) -> State {
    let known = Int(min(surplus, Int64(bytes.count)))
    surplus -= Int64(known)
    // A body without a length, or one that the server does not keep to, may be longer than the stated resource.
    let left = size.map { Int(clamping: max(0, $0 - position)) } ?? .max
    let new = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(known).prefix(left))
    position += Int64(new.count)
    let end = bytes.count - known > left ? State.isComplete : .isOpen
    guard splitter != nil else { return pass(new) ? end : .isClosed }
    for part in splitter?.split(new) ?? [] {
      switch part {
      case .audio(let range):
        if !pass(UnsafeRawBufferPointer(rebasing: new[range])) { return .isClosed }
      case .metadata(let text):
        guard !text.isEmpty, text != metadata else { continue }
        metadata = text
        report(text, socket.written)
      }
    }
    return end
  }

  private func pass(_ bytes: UnsafeRawBufferPointer) -> Bool { bytes.isEmpty || socket.send(bytes) }
}
