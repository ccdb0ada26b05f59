internal import Glibc
internal import SegueSystem
internal import SegueWorkerProtocol

/// The responses to a worker. A worker that is busy receives them later.
struct ResponseQueue {
  private let socket: LinkSocket
  /// The responses for which the socket has no room.
  private var waiting: [(response: FetchResponse, descriptor: SharedDescriptor?)] = []
  /// Whether the worker has ended, or lets too many responses wait.
  private(set) var isBroken = false

  private static let maximumCount = 4 * StreamChannel.maximumResources

  init(_ socket: LinkSocket) { self.socket = socket }

  var isEmpty: Bool { waiting.isEmpty }

  mutating func send(_ response: FetchResponse, descriptor: SharedDescriptor?) {
    if waiting.isEmpty, pass(response, descriptor) { return }
    if let subject = response.subject { waiting.removeAll { $0.response.subject == subject } }
    waiting.append((response, descriptor))
    isBroken = isBroken || waiting.count > Self.maximumCount
  }

  /// Sends the responses that wait, as far as there is room.
  mutating func flush() {
    let sent = waiting.prefix { pass($0.response, $0.descriptor) }.count
    waiting.removeFirst(sent)
  }

  /// Returns false if there is no room.
  private mutating func pass(_ response: FetchResponse, _ descriptor: SharedDescriptor?) -> Bool {
    do {
      try socket.send(response, descriptors: [descriptor?.raw].compactMap(\.self))
    } catch {
      if error.code == EAGAIN { return false }
      isBroken = true
    }
    return true
  }
}

extension FetchResponse {
  /// Something that changes, of which only the last state counts for a worker that is behind.
  fileprivate enum Subject: Equatable {
    case connection(UInt32)
    case metadata(UInt32)
  }

  /// The subject of the response; nil if every such response counts.
  fileprivate var subject: Subject? {
    switch self {
    case .interrupted(let id), .resumed(let id): .connection(id)
    case .metadata(let id, _, _): .metadata(id)
    case .opened, .failed, .ended: nil
    }
  }
}
