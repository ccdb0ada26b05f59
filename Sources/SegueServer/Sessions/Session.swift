// Thread: the loop. A session never waits: it reads what is there, writes what is taken, and yields after its share.

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
  /// nil once closed.
  private var descriptor: Descriptor?
  private var source: IOGroup.Member?

  private var framer = LineFramer()
  /// The socket may hold input: it is told of once, when it comes.
  private var mayHaveInput = false
  /// The client has said its last; what it said before may still lie in the socket, with no more news of it.
  private var isEnding = false
  /// The client has said its last, and all of it was read.
  private var isAtEnd = false
  /// Nothing more is carried out; the connection goes when its output is taken.
  private var isRefusing = false
  /// The client is gone. What it asked for is carried out, and nobody is told.
  private var isDeaf = false

  /// The batch that is being answered.
  private var batch: BatchProgress?
  /// The answer of which the first slices were written; nothing else may be written before the last.
  private var longAnswer: SlicedResponse?
  /// A request was handed out whose answer has not come.
  private var isWaiting = false
  /// The answer of a request that took longer than its turn.
  private var lateAnswer: ((inout JSONWriter) -> Void)?
  private(set) var backlog = OutputBacklog()
  var subscription = Subscription()
  /// In the server's line for another turn.
  var isQueued = false
  /// What it holds of the daemon's memory, in bytes, as of its last turn.
  private(set) var held = 0

  init(_ descriptor: consuming Descriptor, server: Server) throws(SystemError) {
    let raw = descriptor.raw
    self.descriptor = consume descriptor
    self.server = server
    source = try IOGroup.Member(of: server.sockets, descriptor: raw, for: Self.interest) { [unowned self] readiness in
      becameReady(readiness)
    }
  }

  var isClosed: Bool { descriptor == nil }

  // MARK: Turns

  private func becameReady(_ readiness: Readiness) {
    if !readiness.isDisjoint(with: [.readable, .endOfInput, .hangUp, .error]) { mayHaveInput = true }
    if !readiness.isDisjoint(with: [.endOfInput, .hangUp, .error]) { isEnding = true }
    if !readiness.isDisjoint(with: [.hangUp, .error]) { isDeaf = true }
    // One that has more to do than a few requests has its place in the line, and what it sends does not move it up.
    if !isQueued { takeTurn(of: Self.stepsAtOnce, upTo: Self.outputAtOnce) }
  }

  /// Carries out requests up to the session's share of a turn, sends the answers, and settles what to wait for.
  func takeTurn(of steps: Int = stepsPerTurn, upTo mostOutput: Int = outputPerTurn) {
    guard !isClosed else { return }
    server.beginTurn(of: self)
    drain()
    if let lateAnswer {
      self.lateAnswer = nil
      write(lateAnswer)
    }
    var left = steps
    while mayContinue, continueAnswer() || carryOutNext() || read() {
      left -= 1
      if left == 0 || server.output.count >= mostOutput {
        server.queueTurn(of: self)
        break
      }
    }
    flush()
    sendOwedEvents()
    settle()
    server.endTurn()
  }

  /// Takes a turn though nobody has told that there is input: what came together with the order to end came in time.
  func takeLastTurn() {
    mayHaveInput = true
    takeTurn()
  }

  /// Nothing stands in the way of the next request.
  private var mayContinue: Bool { !isWaiting && !isRefusing && backlog.count <= Self.backPressure }

  /// Writes the next slice of a long answer; false when there is none.
  private func continueAnswer() -> Bool {
    guard var answer = longAnswer else { return false }
    longAnswer = nil
    guard !isDeaf else { return true }
    if !answer.isBegun { beginAnswer() }
    answer.writeSlice(into: &server.output)
    if answer.left > 0 { longAnswer = answer } else { endAnswer() }
    return true
  }

  /// Carries out the next request that was read; false when there is none.
  private func carryOutNext() -> Bool {
    if batch != nil {
      carryOutNextOfBatch()
      return true
    }
    let line = framer.next { line in
      if line.count > Self.longLine { server.hasUsedMuch = true }
      return Result { () throws(InvalidRequest) in try IncomingMessage(line: line) }
    }
    switch line {
    case .success(.plain(let request)):
      server.requests += 1
      carryOut(request)
    case .success(.single(let json)): carryOut(json)
    case .success(.batch(let requests)): batch = BatchProgress(requests: requests)
    case .failure(let invalid): refuse(invalid)
    case nil:
      guard framer.isOverrun else { return false }
      isRefusing = true
      let message = "a line is at most \(LineFramer.maximumLineLength) bytes long"
      refuse(InvalidRequest(.tooLarge, message, code: Failure.Kind.invalidRequest.code))
    }
    return true
  }

  private func carryOutNextOfBatch() {
    switch batch?.requests.next() {
    case .success(let json): return carryOut(json)
    case .failure(let invalid): return refuse(invalid)
    case nil: break
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
      carryOut(try Request(json))
    } catch {
      refuse(error)
    }
  }

  private func carryOut(_ request: Request) {
    isWaiting = true
    server.methods.carryOut(request, for: self)
  }

  // MARK: Answers

  /// Whether an answer can be written at once.
  var isInTurn: Bool { server.isTurn(of: self) }

  /// Whether the line under way is an answer that goes on, into which nothing else may be written.
  var isInAnswer: Bool { longAnswer != nil || batch?.hasAnswers == true }

  /// The notification that was handed out last is done.
  func complete() {
    precondition(isWaiting, "a request is answered once")
    isWaiting = false
    if !isInTurn { server.queueTurn(of: self) }
  }

  /// Writes the answer of the request that was handed out last, in the session's turn.
  func complete(_ answer: (inout JSONWriter) -> Void) {
    precondition(isWaiting, "a request is answered once")
    isWaiting = false
    write(answer)
  }

  /// Keeps that answer for a turn of the session, which it asks for.
  func completeLater(_ answer: @escaping (inout JSONWriter) -> Void) {
    precondition(isWaiting, "a request is answered once")
    isWaiting = false
    lateAnswer = answer
    server.queueTurn(of: self)
  }

  /// Writes that answer in slices, of which others are answered in between. In the session's turn or outside of it.
  func complete(_ answer: SlicedResponse) {
    precondition(isWaiting, "a request is answered once")
    isWaiting = false
    longAnswer = answer
    if !isInTurn { server.queueTurn(of: self) }
  }

  private func refuse(_ invalid: InvalidRequest) {
    write { $0.response(to: invalid.id, failure: invalid.failure) }
  }

  private func write(_ answer: (inout JSONWriter) -> Void) {
    // Ten thousand answers to somebody who is gone are not even put into words.
    guard !isDeaf else { return }
    beginAnswer()
    answer(&server.output)
    endAnswer()
  }

  private func beginAnswer() {
    guard let batch else { return }
    if batch.hasAnswers { server.output.comma() } else { server.output.beginArray() }
    self.batch?.hasAnswers = true
  }

  private func endAnswer() {
    if batch == nil { server.output.endLine() }
  }

  // MARK: The socket

  /// Reads once; false when there is nothing new to carry out.
  private func read() -> Bool {
    guard mayHaveInput, !isAtEnd, let descriptor = descriptor?.raw else { return false }
    switch server.read(from: descriptor, into: &framer) {
    case .some: return true
    case .last:
      mayHaveInput = isEnding
      return true
    case .nothing:
      mayHaveInput = false
      return false
    case .end:
      isAtEnd = true
      framer.end()
      return true
    case .gone:
      isAtEnd = true
      isDeaf = true
      framer.end()
      return true
    }
  }

  /// Sends what the turn has written, or keeps what the socket does not take.
  func flush() {
    defer { server.emptyOutput() }
    guard !isDeaf, !server.output.isEmpty, let descriptor = descriptor?.raw else { return }
    let result = server.output.withBytes { output in
      Result { () throws(SystemError) in
        let sent = backlog.isEmpty ? try sendAtOnce(output, to: descriptor) : 0
        if sent < output.count { backlog.append(UnsafeRawBufferPointer(rebasing: output[sent...])) }
      }
    }
    if case .failure = result { isDeaf = true }
  }

  private func drain() {
    guard !backlog.isEmpty, let descriptor = descriptor?.raw else { return }
    do throws(SystemError) { try backlog.drain(to: descriptor) } catch { isDeaf = true }
  }

  /// Closes the session if nothing is left to do, or sees to it that it hears when its output can go on.
  func settle() {
    guard !isClosed else { return }
    if isDeaf { (backlog, longAnswer) = (OutputBacklog(), nil) }
    let isDone = !isWaiting && !isQueued && backlog.isEmpty && longAnswer == nil
    if isDone && (isAtEnd || isRefusing) { return close() }
    account(for: framer.pending + (batch?.requests.size ?? 0) + backlog.count + (longAnswer?.left ?? 0))
    source?.interest = backlog.isEmpty ? Self.interest : Self.interest.union(.writable)
  }

  /// Sends what is taken at once, and closes the connection.
  func close() {
    guard !isClosed else { return }
    drain()
    source?.leave()
    source = nil
    descriptor = nil
    account(for: 0)
    server.remove(self)
  }

  private func account(for bytes: Int) {
    server.held += bytes - held
    held = bytes
  }

  // MARK: Limits

  private static let interest: Readiness = [.readable, .endOfInput]
  /// A session's share of a turn of the loop: some hundred microseconds.
  private static let stepsPerTurn = 64
  /// What is done as soon as it comes, before those who wait in line: so that who asks little is not kept waiting by a
  /// hundred who ask much.
  private static let stepsAtOnce = 8
  private static let outputAtOnce = 8 * 1024
  /// One that is read takes many times its length.
  private static let longLine = 16 * 1024
  private static let outputPerTurn = 64 * 1024
  /// More than this unread, and the client's requests wait (PROTOCOL.md, Transport).
  private static let backPressure = 1 << 20
}
