// Thread: the loop. The server owns every session and the objects that sessions share; it must not block.

internal import Glibc
public import SegueLoop
public import SeguePlayer
public import SegueSystem
internal import SegueWire

/// The JSON-RPC server on the daemon's socket: it accepts clients, owns their sessions and notifies subscribers.
@MainActor
public final class Server {
  let loop: EventLoop
  let player: Player
  let version: String
  let methods = MethodTable.standard
  private let shutdown: @MainActor () -> Void
  private var isShutdownRequested = false

  private var acceptor: ConnectionAcceptor?
  private var sessions: [ObjectIdentifier: Session] = [:]
  /// The number of requests since the start.
  private(set) var requests: UInt64 = 0
  private var cachedStatus = CachedStatus()
  private let topics = TopicStates()
  /// A thread that encodes long responses, so that the loop continues meanwhile.
  private let encoder = SerialThread<Void>(name: "encoder") {}

  // The objects that the sessions share.
  let sockets: IOGroup
  let scheduler: TurnScheduler
  let memory: SessionMemory
  let output: TurnOutput
  let reader = SocketReader()

  /// Creates a server for the clients of `listener`. It calls `shutdown` when a client requests the end of the daemon.
  public init(
    loop: EventLoop, player: Player, listener: Listener, version: String, shutdown: @escaping @MainActor () -> Void
  ) throws(SystemError) {
    self.loop = loop
    self.player = player
    self.version = version
    self.shutdown = shutdown
    sockets = try IOGroup(on: loop)
    scheduler = try TurnScheduler(on: loop)
    memory = SessionMemory()
    output = TurnOutput(memory: memory)
    scheduler.onTurnEnd = { [unowned self] in turnEnded() }
    acceptor = try ConnectionAcceptor(listener, on: loop) { [unowned self] (client: consuming Descriptor) in
      addSession(client)
    }
    player.observe { [weak self] topic in self?.publish(topic) }
  }

  /// The number of connected clients.
  var clients: Int { sessions.count }

  func countRequest() { requests += 1 }

  /// Stops accepting clients and gives every session one last turn for the requests that have arrived. The caller then
  /// calls `close`.
  public func stopListening() {
    acceptor = nil
    for session in Array(sessions.values) { session.takeLastTurn() }
  }

  /// Closes every connection. Output that a client has not taken is lost.
  public func close() {
    acceptor = nil
    for session in Array(sessions.values) { session.close() }
    encoder.close()
  }

  // MARK: Sessions

  /// Creates a session for a new client, or refuses it with a reason.
  private func addSession(_ descriptor: consuming Descriptor) {
    do throws(SystemError) {
      let user = try UnixSocket.peerUser(of: descriptor.raw)
      guard user == getuid() || user == 0 else {
        Log.warning("refused a connection of user \(user)")
        return
      }
      guard sessions.count < Self.maximumClients else {
        return ConnectionAcceptor.refuse(
          descriptor, because: LocalizableMessage("\(Self.maximumClients) clients are already connected"))
      }
      let session = try Session(descriptor, server: self)
      sessions[ObjectIdentifier(session)] = session
    } catch {
      Log.warning("cannot accept a client: \(error)")
    }
  }

  func remove(_ session: Session) { sessions[ObjectIdentifier(session)] = nil }

  private func turnEnded() {
    if topics.hasChanges { notifySubscribers() }
    if memory.isOverLimit { evictLargestClients() }
    memory.trimIfNeeded()
    if isShutdownRequested {
      isShutdownRequested = false
      shutdown()
    }
  }

  /// Disconnects the clients that hold the most memory until all clients together hold less than the limit.
  private func evictLargestClients() {
    while memory.isOverLimit, let largest = sessions.values.max(by: { $0.heldBytes < $1.heldBytes }),
      largest.heldBytes > 0
    {
      Log.notice("evicting a client that holds \(largest.heldBytes) bytes: all clients hold \(memory.total) bytes")
      largest.close()
    }
    memory.markLargeAllocation()
  }

  /// Requests the end of the daemon after the responses of the current turn are sent.
  func requestShutdown() { isShutdownRequested = true }

  // MARK: Events

  /// Notifies the subscribers of `topic` that it changed. If a session has the turn, they are notified after the turn.
  func publish(_ topic: Topic) {
    topics.markChanged(topic)
    if !scheduler.isInTurn { notifySubscribers() }
  }

  private func notifySubscribers() {
    let changed = topics.takeChanges()
    for session in Array(sessions.values) { session.notify(of: changed) }
  }

  /// Returns the whole state of `topic`, as its events carry it.
  func state(of topic: Topic) -> [UInt8] { topics.state(of: topic, in: player) }

  // MARK: Encoded values

  /// The current `Status`.
  func encodedStatus() -> EncodedJSON { cachedStatus.current(of: player) }

  /// The OpenRPC document, which is encoded when it is first requested.
  private(set) lazy var discovery: EncodedJSON = {
    var json = JSONWriter()
    json.raw(ProtocolDocument.text(version: version).utf8)
    return EncodedJSON(json)
  }()

  /// Encodes `value` on another thread and calls `completion` on the loop.
  func encodeOffLoop(_ value: some JSONEncodable, then completion: @escaping @MainActor (EncodedJSON) -> Void) {
    encoder.post { [mailbox = loop.mailbox] _ in
      let json = EncodedJSON(value)
      mailbox.post { completion(json) }
    }
  }

  private static let maximumClients = 1_024
}

/// A cache of the encoded `Status`.
///
/// The cached status stays valid while the player does not change: its `position` belongs to its `monotonic`, and
/// clients extrapolate. It is nevertheless encoded again after ten milliseconds, because the clock behind the position
/// is corrected from time to time.
@MainActor
private struct CachedStatus {
  private var status = EncodedJSON(JSONWriter())
  private var revision: UInt64?
  private var encodedAt = MonotonicTime(nanoseconds: 0)

  private static let lifetime = MediaTime.milliseconds(10)

  mutating func current(of player: Player) -> EncodedJSON {
    let now = MonotonicTime.now
    if revision != player.revision || now - encodedAt > Self.lifetime {
      var json = JSONWriter()
      player.synchronize()
      player.status.encode(into: &json)
      status = EncodedJSON(json)
      // Synchronizing may have changed the revision.
      revision = player.revision
      encodedAt = now
    }
    return status
  }
}

/// The encoded states of the topics, and the topics that changed since the subscribers were notified.
@MainActor
private final class TopicStates {
  private var states: [Topic: [UInt8]] = [:]
  private var changed: [Topic] = []

  var hasChanges: Bool { !changed.isEmpty }

  func markChanged(_ topic: Topic) {
    states[topic] = nil
    if !changed.contains(topic) { changed.append(topic) }
  }

  /// Returns the changed topics and marks them unchanged.
  func takeChanges() -> [Topic] {
    defer { changed = [] }
    return changed
  }

  /// Returns the whole state of `topic`, as its events carry it. It is encoded once after each change.
  func state(of topic: Topic, in player: Player) -> [UInt8] {
    if let known = states[topic] { return known }
    var json = JSONWriter()
    switch topic {
    case .player: player.status.encode(into: &json)
    case .queue: player.summary.encode(into: &json)
    case .output: player.status.output.encode(into: &json)
    case .library: player.libraryStatus.status.encode(into: &json)
    case .settings: player.settingList.encode(into: &json)
    case .favorites: player.listVersions.favorites.encode(into: &json)
    case .playlists: player.listVersions.playlists.encode(into: &json)
    case .ratings: player.listVersions.ratings.encode(into: &json)
    case .history: player.listVersions.history.encode(into: &json)
    }
    states[topic] = json.bytes
    return json.bytes
  }
}

/// A scheduler that gives sessions turns one after the other, so that a busy client does not delay the others.
///
/// A session takes a turn at once when input arrives, and queues for another turn when its share of the turn is used
/// up.
@MainActor
final class TurnScheduler {
  /// The share of a turn that a session may use.
  struct Share {
    let steps: Int
    /// The number of bytes of output.
    let output: Int

    /// The share of a session whose input has just arrived. It is small, so that a client with few requests does not
    /// wait for a hundred clients with many requests.
    static let immediate = Share(steps: 8, output: 8 * 1024)
    /// The share of a session that was queued: some hundred microseconds.
    static let queued = Share(steps: 64, output: 64 * 1024)
  }

  private var current: Session?
  private var queue = Deque<Session>()
  private var queued: Set<ObjectIdentifier> = []
  private var continuation: DeferredTask?
  /// A closure that is called after every turn, when no session has the turn.
  var onTurnEnd: @MainActor () -> Void = {}

  init(on loop: EventLoop) throws(SystemError) {
    continuation = try DeferredTask(on: loop) { [unowned self] in runQueue() }
  }

  /// Whether any session has the turn.
  var isInTurn: Bool { current != nil }

  func isTurn(of session: Session) -> Bool { current === session }

  func beginTurn(of session: Session) {
    precondition(current == nil, "turns do not nest")
    current = session
  }

  func endTurn() {
    current = nil
    onTurnEnd()
  }

  func isQueued(_ session: Session) -> Bool { queued.contains(ObjectIdentifier(session)) }

  /// Queues `session` for a turn after all other sessions that are queued.
  func enqueue(_ session: Session) {
    guard queued.insert(ObjectIdentifier(session)).inserted else { return }
    queue.append(session)
    continuation?.schedule()
  }

  /// Gives each queued session one turn, as far as the time limit allows. The others follow in a later iteration of the
  /// loop, after the sessions with new input.
  private func runQueue() {
    let deadline = MonotonicTime.now + Self.maximumTimePerIteration
    for _ in 0..<queue.count {
      guard let session = queue.popFirst() else { break }
      queued.remove(ObjectIdentifier(session))
      session.takeTurn(.queued)
      if MonotonicTime.now > deadline { break }
    }
    if !queue.isEmpty { continuation?.schedule() }
  }

  private static let maximumTimePerIteration = MediaTime.milliseconds(1)
}

/// A task that runs in a later iteration of the loop, after the events that are already pending. It can be scheduled
/// many times before it runs once.
///
/// It uses an event counter and not sd-event's defer source: a defer source that schedules itself while it runs stays
/// the oldest pending source and runs again before all others.
@MainActor
private final class DeferredTask {
  private let counter: EventCounter
  private var source: IOSource?
  private var isScheduled = false

  init(on loop: EventLoop, handler: @escaping @MainActor () -> Void) throws(SystemError) {
    counter = try EventCounter()
    // An edge-triggered source reports every raise, so that the counter need not be cleared.
    source = try IOSource(on: loop, descriptor: counter.raw, of: counter, for: [.readable, .onChange]) {
      [unowned self] _ in
      isScheduled = false
      handler()
    }
  }

  func schedule() {
    guard !isScheduled else { return }
    isScheduled = true
    counter.raise()
  }
}
