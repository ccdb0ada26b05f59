// Thread: the loop. A session never waits: it reads what is there, writes what is taken, and yields after its share.

internal import Glibc
internal import SegueLoop
internal import SegueSystem
internal import SegueWire

/// One client's connection.
///
/// Its requests are carried out one after the other, so that answers come in order and `queue.add` is done before the
/// `play` behind it; one whose answer takes time holds up this session and no other.
@MainActor
final class Session {
  unowned let server: Server
  /// nil once the client is gone or sent away.
  private var descriptor: Descriptor?
  private var source: IOSource?

  private var framer = LineFramer()
  /// The batch that is being answered.
  private(set) var batch: BatchProgress?
  private var phase = Phase.open
  /// The answer of a request that took longer than its turn.
  private var lateAnswer: ((inout JSONWriter) -> Void)?
  /// A request was handed out whose answer has not come.
  private var isWaiting = false
  private(set) var backlog = OutputBacklog()
  var subscription = Subscription()
  /// In the server's line for another turn.
  var isQueued = false

  /// How much of the connection is left.
  private enum Phase: Equatable {
    case open
    /// The client sends nothing more; what it asked for is answered.
    case ended
    /// Nothing more is carried out; what was answered is still sent.
    case closing
    /// The client is gone. What it asked for is carried out, and nobody is told.
    case deaf
    case closed
  }

  init(_ descriptor: consuming Descriptor, server: Server) throws(SystemError) {
    let raw = descriptor.raw
    self.descriptor = consume descriptor
    self.server = server
    source = try IOSource(on: server.loop, descriptor: raw, for: .readable) { [unowned self] readiness in
      becameReady(readiness)
    }
  }

  var isClosed: Bool { phase == .closed }

  // MARK: Turns

  private func becameReady(_ readiness: Readiness) {
    if readiness.contains(.hangUp) || readiness.contains(.error) {
      goDeaf()
    } else if readiness.contains(.readable) {
      read()
    }
    takeTurn()
  }

  /// Carries out requests up to the session's share of a turn, sends the answers, and settles what to wait for.
  func takeTurn() {
    guard !isClosed else { return }
    server.beginTurn(of: self)
    drain()
    if let lateAnswer {
      self.lateAnswer = nil
      write(lateAnswer)
    }
    var left = Self.requestsPerTurn
    while mayContinue, left > 0, server.output.bytes.count < Self.outputPerTurn, carryOutNext() { left -= 1 }
    if left == 0 || server.output.bytes.count >= Self.outputPerTurn { server.queueTurn(of: self) }
    flush()
    sendOwedEvents()
    settle()
    server.endTurn()
  }

  /// Nothing stands in the way of the next request.
  private var mayContinue: Bool {
    !isWaiting && phase != .closing && phase != .closed && backlog.count <= Self.backPressure
  }

  /// Carries out one request, or reads one line; false when there is none.
  private func carryOutNext() -> Bool {
    if batch != nil {
      carryOutNextOfBatch()
      return true
    }
    let line = framer.next { line in Result { () throws(InvalidRequest) in try Incoming(line: line) } }
    switch line {
    case .success(.single(let json)): carryOut(json)
    case .success(.batch(let requests)): batch = BatchProgress(requests)
    case .failure(let invalid): refuse(invalid)
    case nil:
      guard framer.isOverrun else { return false }
      let message = "a line is at most \(LineFramer.longestLine) bytes long"
      refuse(InvalidRequest(.tooLarge, message, code: Failure.Kind.invalidRequest.code))
      if phase != .deaf { phase = .closing }
      return false
    }
    return true
  }

  private func carryOutNextOfBatch() {
    if let request = batch?.next() {
      carryOut(request)
      return
    }
    if batch?.hasAnswers == true {
      server.output.endArray()
      server.output.endLine()
    }
    batch = nil
  }

  private func carryOut(_ json: JSON) {
    server.requests += 1
    do throws(InvalidRequest) {
      let request = try Request(json)
      isWaiting = true
      server.methods.carryOut(request, for: self)
    } catch {
      refuse(error)
    }
  }

  // MARK: Answers

  /// Whether an answer can be written at once.
  var isInTurn: Bool { server.isTurn(of: self) }

  /// Writes the answer of the request that was handed out last, in the session's turn; nil for a notification.
  func complete(_ answer: ((inout JSONWriter) -> Void)?) {
    precondition(isWaiting, "a request is answered once")
    isWaiting = false
    if let answer { write(answer) }
  }

  /// Keeps that answer for a turn of the session, which it asks for.
  func completeLater(_ answer: ((inout JSONWriter) -> Void)?) {
    precondition(isWaiting, "a request is answered once")
    isWaiting = false
    lateAnswer = answer
    server.queueTurn(of: self)
  }

  private func refuse(_ invalid: InvalidRequest) {
    write { $0.response(to: invalid.id, failure: invalid.failure) }
  }

  private func write(_ answer: (inout JSONWriter) -> Void) {
    guard let batch else {
      answer(&server.output)
      server.output.endLine()
      return
    }
    if batch.hasAnswers { server.output.comma() } else { server.output.beginArray() }
    self.batch?.hasAnswers = true
    answer(&server.output)
  }

  // MARK: The socket

  private func read() {
    // The rest waits in the kernel until what is here has been carried out.
    guard phase == .open, wantsInput, let descriptor = descriptor?.raw else { return }
    switch server.read(from: descriptor, into: &framer) {
    case .some: break
    case .none: break
    case .end:
      framer.end()
      phase = .ended
    case .gone: goDeaf()
    }
  }

  /// Input is taken while it is carried out at once; beyond that only a little ahead.
  private var wantsInput: Bool {
    let isHeldUp = isWaiting || batch != nil || isQueued || backlog.count > Self.backPressure
    return !isHeldUp || framer.pending < Self.inputAhead
  }

  /// Sends what the turn has written, or keeps what the socket does not take.
  func flush() {
    defer { server.emptyOutput() }
    guard let descriptor = descriptor?.raw, !server.output.bytes.isEmpty else { return }
    if !backlog.isEmpty {
      backlog.append(server.output.bytes)
      return
    }
    do throws(SystemError) {
      let sent = try SegueServer.write(server.output.bytes[...], to: descriptor)
      if sent < server.output.bytes.count { backlog.append(server.output.bytes[sent...]) }
    } catch {
      goDeaf()
    }
  }

  private func drain() {
    guard !backlog.isEmpty, let descriptor = descriptor?.raw else { return }
    do throws(SystemError) { try backlog.drain(to: descriptor) } catch { goDeaf() }
  }

  /// Waits for what the session needs next, or closes it when that is nothing.
  func settle() {
    let isDone = !isWaiting && !isQueued && batch == nil && backlog.isEmpty
    if isDone && phase != .open && phase != .closed { return close() }
    var interest: Readiness = []
    if phase == .open && wantsInput && backlog.count <= Self.backPressure { interest.insert(.readable) }
    if !backlog.isEmpty { interest.insert(.writable) }
    source?.interest = interest
  }

  /// The client is gone: its last words are read, and nothing is sent any more.
  private func goDeaf() {
    guard phase != .closed, phase != .deaf, let descriptor = descriptor?.raw else { return }
    if phase == .open { while case .some = server.read(from: descriptor, into: &framer) {} }
    framer.end()
    phase = .deaf
    letGo()
  }

  func close() {
    guard !isClosed else { return }
    phase = .closed
    letGo()
    server.remove(self)
  }

  private func letGo() {
    source = nil
    descriptor = nil
    backlog = OutputBacklog()
  }

  // MARK: Limits

  /// A session's share of a turn of the loop: some hundred microseconds.
  private static let requestsPerTurn = 64
  private static let outputPerTurn = 64 * 1024
  /// More than this unread, and the client's requests wait (PROTOCOL.md, Transport).
  private static let backPressure = 1 << 20
  /// Input that is read while requests wait.
  private static let inputAhead = 64 * 1024
}
