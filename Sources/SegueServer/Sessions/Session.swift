// Thread: the loop. A session never waits: it carries out the requests that were read, and yields after its share of a
// turn.

internal import SegueCatalogService
internal import SeguePlayer
internal import SegueSystem
internal import SegueWire

/// The session of one client: it carries out the client's requests and sends the responses and events.
///
/// Requests are carried out one after the other, so that responses come in order and `queue.add` is finished before the
/// `play` after it. A request that takes time delays the other requests of its session, but no other session. Only
/// requests that read from other machines and change nothing are detached: those after them are not delayed.
@MainActor
final class Session {
  unowned let server: Server
  private let connection: ClientConnection
  /// The batch that is carried out.
  private var batch: Batch?
  private var request = RequestState.none
  private var detached = DetachedRequests()
  /// The response to a detached request that is written in slices. Nothing else may be written before the last slice.
  private var detachedSlices: SlicedResponse?
  /// The requests to online catalogues for the client.
  let catalogRequests = CatalogRequestGroup()
  private(set) var subscription = Subscription()
  /// What the client may do. Rights that were given up do not return.
  private(set) var rights = Rights.all
  /// The number of bytes of the daemon's memory that the session holds, as of its last turn.
  private(set) var heldBytes = 0

  private struct Batch {
    var requests: RequestBatch
    /// Whether the array of responses was begun. Nothing but responses of this batch may be written until it ends.
    var isArrayOpen = false
  }

  /// The state of the request that was dispatched last.
  private enum RequestState {
    /// The response was written, or there is no request.
    case none
    /// The method has not responded yet.
    case pending
    /// The method responded outside the session's turn; the response is written in the next turn.
    case responded((inout JSONWriter) -> Void)
    /// The response is written in slices. Nothing else may be written before the last slice.
    case sending(SlicedResponse)
  }

  init(_ descriptor: consuming Descriptor, server: Server) throws(SystemError) {
    self.server = server
    connection = ClientConnection(descriptor, reader: server.reader)
    try connection.watch(in: server.sockets) { [unowned self] in becameReady() }
  }

  // MARK: Turns

  private func becameReady() {
    // A queued session keeps its place, and new input does not move it forward.
    if !server.scheduler.isQueued(self) { takeTurn(.immediate) }
  }

  /// Carries out requests up to `share`, sends the responses and the pending events, and closes the session if it is
  /// finished.
  func takeTurn(_ share: TurnScheduler.Share) {
    guard !connection.isClosed else { return }
    server.scheduler.beginTurn(of: self)
    connection.sendBacklog()
    writePendingResponse()
    writeDetachedResponses()
    var steps = 0
    while connection.hasRoom, writeSlice() || canContinue && (carryOutNext() || connection.read()) {
      writePendingResponse()
      writeDetachedResponses()
      steps += 1
      if steps == share.steps || server.output.count >= share.output {
        server.scheduler.enqueue(self)
        break
      }
    }
    flush()
    sendPendingEvents()
    closeOrUpdate()
    server.endTurn()
  }

  /// Takes a turn although the loop has not announced input, for requests that arrived together with the request to
  /// shut down.
  func takeLastTurn() {
    connection.expectInput()
    takeTurn(.queued)
  }

  /// Whether the next request may be carried out.
  private var canContinue: Bool {
    switch request {
    case .pending: false
    case .none, .responded, .sending: connection.acceptsRequests && !detached.isFull
    }
  }

  /// Closes the session if nothing is left to do. Otherwise updates the account of its memory and the events for which
  /// its socket is watched.
  private func closeOrUpdate() {
    guard !connection.isClosed else { return }
    if connection.isPeerClosed {
      catalogRequests.cancel()
      connection.discardBacklog()
      if case .sending = request { request = .none }
      detachedSlices = nil
    }
    if isFinished { return close() }
    // Cancelling may have answered the request that was waited for, and the socket announces nothing more: without
    // another turn, the session would stay for ever.
    if connection.isPeerClosed, canContinue { server.scheduler.enqueue(self) }
    updateHeldBytes(connection.heldBytes + (batch?.requests.size ?? 0) + unwrittenBytes)
    connection.updateInterest()
  }

  private var isFinished: Bool {
    guard connection.isInputFinished, !connection.hasBacklog, !server.scheduler.isQueued(self), detached.isEmpty,
      detachedSlices == nil
    else { return false }
    switch request {
    case .none, .responded: return true
    case .pending, .sending: return false
    }
  }

  private var unwrittenBytes: Int {
    let sending = if case .sending(let response) = request { response.remaining } else { 0 }
    return sending + (detachedSlices?.remaining ?? 0) + detached.size
  }

  /// Sends what the socket takes at once, and closes the connection.
  func close() {
    guard !connection.isClosed else { return }
    connection.close()
    catalogRequests.cancel()
    updateHeldBytes(0)
    server.remove(self)
  }

  private func updateHeldBytes(_ bytes: Int) {
    server.memory.replace(heldBytes, with: bytes)
    heldBytes = bytes
  }

  // MARK: Requests

  /// Carries out the next request that was read. Returns false if there is none.
  private func carryOutNext() -> Bool {
    if batch != nil {
      carryOutNextOfBatch()
      return true
    }
    let line = connection.nextLine { line in
      if line.count > Self.longLine { server.memory.markLargeAllocation() }
      return Result { () throws(InvalidRequest) in try IncomingMessage(line: line) }
    }
    switch line {
    case .success(.plain(let request)): carryOut(request)
    case .success(.single(let json)): carryOut(json)
    case .success(.batch(let requests)): batch = Batch(requests: requests)
    case .failure(let invalid): refuse(invalid)
    case nil:
      guard connection.hasOverlongLine else { return false }
      connection.rejectInput()
      refuse(
        InvalidRequest(
          .tooLarge, "the line is longer than \(LineFramer.maximumLineLength) bytes",
          code: Failure.Kind.invalidRequest.code))
    }
    return true
  }

  private func carryOutNextOfBatch() {
    switch batch?.requests.next() {
    case .success(let json): return carryOut(json)
    case .failure(let invalid): return refuse(invalid)
    case nil: break
    }
    if batch?.isArrayOpen == true {
      server.output.write {
        $0.endArray()
        $0.endLine()
      }
    }
    batch = nil
  }

  private func carryOut(_ json: JSON) {
    do throws(InvalidRequest) {
      carryOut(try Request(json))
    } catch {
      server.countRequest()
      refuse(error)
    }
  }

  private func carryOut(_ request: Request) {
    server.countRequest()
    self.request = .pending
    server.methods.carryOut(request, for: self)
  }

  // MARK: Responses

  /// Whether a response can be written at once.
  var isInTurn: Bool { server.scheduler.isTurn(of: self) }

  /// Finishes the request that was dispatched last without a response, because it was a notification.
  func finishNotification() {
    finishRequest(.none)
    if !isInTurn { server.scheduler.enqueue(self) }
  }

  /// Writes the response to the request that was dispatched last. The session has the turn.
  func respond(_ write: (inout JSONWriter) -> Void) {
    finishRequest(.none)
    writeResponse(write)
  }

  /// Keeps the response to the request that was dispatched last for the session's next turn.
  func respondLater(_ write: @escaping (inout JSONWriter) -> Void) {
    finishRequest(.responded(write))
    server.scheduler.enqueue(self)
  }

  /// Writes the response to the request that was dispatched last in slices; other sessions have turns in between.
  func respond(inSlices response: SlicedResponse) {
    finishRequest(.sending(response))
    if !isInTurn { server.scheduler.enqueue(self) }
  }

  private func finishRequest(_ next: RequestState) {
    guard case .pending = request else { preconditionFailure("a request has one response") }
    request = next
  }

  /// Writes the response that a method has sent outside the session's turn.
  private func writePendingResponse() {
    guard detachedSlices == nil, case .responded(let write) = request else { return }
    request = .none
    writeResponse(write)
  }

  /// Writes the next slice of a long response. Returns false if there is none.
  private func writeSlice() -> Bool {
    if detachedSlices != nil {
      writeDetachedSlice()
      return true
    }
    guard case .sending(var response) = request else { return false }
    request = .none
    guard !connection.isPeerClosed else { return true }
    if !response.isBegun { beginResponse() }
    server.output.write { response.writeSlice(into: &$0) }
    if response.remaining > 0 { request = .sending(response) } else { endResponse() }
    return true
  }

  // MARK: Detached requests

  /// Lets the requests after the one that is being carried out not wait for it. Returns the number for its response, or
  /// nil if it is part of a batch.
  func detachRequest() -> Int? {
    guard batch == nil else { return nil }
    finishRequest(.none)
    return detached.begin()
  }

  /// Keeps the response to a detached request for the session's next turn; nil for a notification.
  func respond(toDetached number: Int, _ response: DetachedRequests.Response?) {
    detached.finish(number, response)
    server.scheduler.enqueue(self)
  }

  /// Writes the responses to detached requests, unless another response was begun and not ended. The first long one is
  /// begun with the next slice.
  private func writeDetachedResponses() {
    while !isInResponse, let response = detached.takeResponse() {
      switch response {
      case _ where connection.isPeerClosed: break
      case .whole(let write):
        server.output.write(write)
        server.output.write { $0.endLine() }
      case .sliced(let response): detachedSlices = response
      }
    }
  }

  private func writeDetachedSlice() {
    guard var response = detachedSlices else { return }
    detachedSlices = nil
    guard !connection.isPeerClosed else { return }
    server.output.write { response.writeSlice(into: &$0) }
    if response.remaining > 0 { detachedSlices = response } else { server.output.write { $0.endLine() } }
  }

  private func refuse(_ invalid: InvalidRequest) {
    writeResponse { $0.response(to: invalid.id, failure: invalid.failure) }
  }

  private func writeResponse(_ write: (inout JSONWriter) -> Void) {
    // A client that is gone may have left thousands of requests; their responses are not even encoded.
    guard !connection.isPeerClosed else { return }
    beginResponse()
    server.output.write(write)
    endResponse()
  }

  private func beginResponse() {
    guard let batch else { return }
    server.output.write { if batch.isArrayOpen { $0.comma() } else { $0.beginArray() } }
    self.batch?.isArrayOpen = true
  }

  private func endResponse() {
    if batch == nil { server.output.write { $0.endLine() } }
  }

  /// Sends the output of the turn.
  private func flush() {
    connection.send(server.output)
    server.output.removeAll()
  }

  // MARK: Events

  func subscribe(to topics: Set<Topic>) {
    subscription.add(topics)
    server.recordSubscription(to: topics)
    if topics.contains(.sound) { server.updateSoundDemand() }
  }

  /// Whether the client sees the last searches, and adds to them.
  var keepsSearches: Bool { rights >= .control }

  /// Restricts the client to a role. Throws `denied` if it has given up rights that the role includes.
  func restrict(to role: Role) throws(Failure) {
    let restricted = Rights(role)
    try rights.require(restricted, for: "`\(role.rawValue)`")
    rights = restricted
    unsubscribe(from: subscription.topics.filter { rights < $0.rights })
  }

  func unsubscribe(from topics: Set<Topic>) {
    subscription.remove(topics)
    if topics.contains(.sound) { server.updateSoundDemand() }
  }

  /// Sends events for those of `topics` to which the client is subscribed. Called when no session has the turn.
  func notify(of topics: [Topic]) {
    guard !subscription.topics.isEmpty else { return }
    for topic in topics { subscription.markChanged(topic) }
    sendPendingEvents()
    closeOrUpdate()
  }

  /// Sends the pending events, unless the client has not taken all output yet: then they stay pending, and a newer
  /// event of a topic replaces an older one.
  private func sendPendingEvents() {
    guard subscription.hasPendingEvents, !connection.isClosed, !connection.hasBacklog, !isInResponse else { return }
    for (topic, sequence) in subscription.takePendingEvents() {
      let state = server.encodedState(of: topic)
      server.output.write { $0.event(topic: topic.rawValue, sequence: sequence, data: state) }
    }
    flush()
  }

  /// Whether a response was begun and not ended, so that nothing else may be written.
  private var isInResponse: Bool {
    if case .sending = request { true } else { batch?.isArrayOpen == true || detachedSlices != nil }
  }

  /// The length of a line, in bytes, above which its parsed values take much memory.
  private static let longLine = 16 * 1024
}

/// A client's subscription to topics, with the events that were not sent to it yet.
struct Subscription {
  private(set) var topics: Set<Topic> = []
  /// The number of the last event, sent or pending; 0 before the first event.
  private(set) var sequence: UInt64 = 0
  /// The numbers of the pending events. A newer event of a topic replaces an older one.
  private var pending: [Topic: UInt64] = [:]

  var hasPendingEvents: Bool { !pending.isEmpty }

  mutating func add(_ topics: Set<Topic>) { self.topics.formUnion(topics) }

  mutating func remove(_ topics: Set<Topic>) {
    self.topics.subtract(topics)
    for topic in topics { pending[topic] = nil }
  }

  /// Adds a pending event for `topic` if the client is subscribed to it.
  mutating func markChanged(_ topic: Topic) {
    guard topics.contains(topic) else { return }
    sequence += 1
    pending[topic] = sequence
  }

  /// Removes the pending events and returns them, ordered by number.
  mutating func takePendingEvents() -> [(topic: Topic, sequence: UInt64)] {
    defer { pending = [:] }
    return pending.map { (topic: $0.key, sequence: $0.value) }.sorted { $0.sequence < $1.sequence }
  }
}
