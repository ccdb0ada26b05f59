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
  private let lifetime = Lifetime()
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
    acceptor = try ConnectionAcceptor(listener, on: loop) { [unowned self] (client: consuming Descriptor) in
      addSession(client)
    }
    player.observe { [weak lifetime, unowned self] topic in
      if lifetime != nil { publish(topic) }
    }
    player.sound.onSound = { [weak lifetime, unowned self] in
      if lifetime != nil { publish(.sound) }
    }
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

  func remove(_ session: Session) {
    sessions[ObjectIdentifier(session)] = nil
    if session.subscription.topics.contains(.sound) { updateSoundDemand() }
  }

  /// Ends the turn of a session, and does what was put off until then.
  func endTurn() {
    scheduler.endTurn()
    topics.recordResponses(in: player)
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
    let topics = topics.takeNews(from: player) { topic in
      sessions.values.contains { $0.subscription.topics.contains(topic) }
    }
    guard !topics.isEmpty else { return }
    for session in Array(sessions.values) { session.notify(of: topics) }
  }

  /// Returns the whole state of `topic`, as its events carry it.
  func encodedState(of topic: Topic) -> [UInt8] { topics.encodedState(of: topic, in: player) }

  /// Records that a client is being sent the state of `topics`, because it has subscribed to them.
  func recordSubscription(to topics: Set<Topic>) { self.topics.recordSubscription(to: topics, in: player) }

  /// Has the sound monitored exactly while a client is subscribed to it.
  func updateSoundDemand() {
    player.sound.isWanted = sessions.values.contains { $0.subscription.topics.contains(.sound) }
  }

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

/// An object that exists as long as the server. A weak reference to the server itself would slow down each of the
/// references that every request takes: Swift counts them in a table beside the object then.
private final class Lifetime {}

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

/// The states of the topics, as the subscribers know them, and the topics that may have changed since.
@MainActor
private final class TopicStates {
  /// The states that all subscribers know, or are about to be sent. Those of topics without subscribers may be missing.
  private var known: [Topic: TopicState] = [:]
  private var encoded: [Topic: [UInt8]] = [:]
  private var changed: Set<Topic> = []

  var hasChanges: Bool { !changed.isEmpty }

  /// Records that the state of `topic` may have changed.
  func markChanged(_ topic: Topic) { changed.formUnion(Self.affected(by: [topic])) }

  /// Records that a client may have learned a state from a response before the subscribers are told. They are told even
  /// if the state is changed back until then.
  func recordResponses(in player: Player) {
    let changed = player.changedTopics
    guard !changed.isEmpty else { return }
    for topic in Self.affected(by: changed) {
      if let before = known[topic], TopicState(topic, of: player).isNews(after: before) { known[topic] = nil }
    }
  }

  /// Adds the topics whose states are parts of others: that of the output is a part of the player's.
  private static func affected(by topics: Set<Topic>) -> Set<Topic> {
    topics.contains(.player) ? topics.union([.output]) : topics
  }

  /// Returns the changed topics whose subscribers do not know the state yet, and marks all topics unchanged.
  func takeNews(from player: Player, hasSubscribers: (Topic) -> Bool) -> [Topic] {
    defer { changed = [] }
    return Topic.allCases.filter { topic in
      guard changed.contains(topic) else { return false }
      let before = known.removeValue(forKey: topic)
      guard hasSubscribers(topic) else { return false }
      let state = TopicState(topic, of: player)
      if let before, !state.isNews(after: before) {
        known[topic] = before
        return false
      }
      known[topic] = state
      encoded[topic] = nil
      return true
    }
  }

  func recordSubscription(to topics: Set<Topic>, in player: Player) {
    // The other subscribers are notified of a change that is pending, and the new one with them.
    let pending = Self.affected(by: player.changedTopics.union(changed))
    for topic in topics where known[topic] == nil && !pending.contains(topic) {
      known[topic] = TopicState(topic, of: player)
      encoded[topic] = nil
    }
  }

  /// Returns the whole state of `topic`, as its events carry it. It is encoded once after each change.
  func encodedState(of topic: Topic, in player: Player) -> [UInt8] {
    if let bytes = encoded[topic] { return bytes }
    var json = JSONWriter()
    (known[topic] ?? TopicState(topic, of: player)).encode(into: &json)
    encoded[topic] = json.bytes
    return json.bytes
  }
}

/// The whole state of a topic.
private enum TopicState {
  case player(Status)
  case queue(QueueSummary)
  case output(Output)
  case library(LibraryStatus)
  case settings(SettingList)
  case list(ListVersion)
  case sound(Sound)

  @MainActor
  init(_ topic: Topic, of player: Player) {
    self =
      switch topic {
      case .player: .player(player.status)
      case .queue: .queue(player.summary)
      case .output: .output(player.status.output)
      case .library: .library(player.libraryStatus.status)
      case .settings: .settings(player.settingList)
      case .favorites: .list(player.listVersions.favorites)
      case .playlists: .list(player.listVersions.playlists)
      case .ratings: .list(player.listVersions.ratings)
      case .history: .list(player.listVersions.history)
      case .sound: .sound(player.sound.sound)
      }
  }

  /// Whether a client that knows `before` learns something from this state of the same topic.
  func isNews(after before: TopicState) -> Bool {
    switch (self, before) {
    case (.player(let state), .player(let before)): state.isNews(after: before)
    case (.queue(let state), .queue(let before)): state != before
    case (.output(let state), .output(let before)): state.isNews(after: before)
    case (.library(let state), .library(let before)): state != before
    case (.settings(let state), .settings(let before)): state != before
    case (.list(let state), .list(let before)): state != before
    case (.player, _), (.queue, _), (.output, _), (.library, _), (.settings, _), (.list, _), (.sound, _): true
    }
  }

  func encode(into json: inout JSONWriter) {
    switch self {
    case .player(let state): state.encode(into: &json)
    case .queue(let state): state.encode(into: &json)
    case .output(let state): state.encode(into: &json)
    case .library(let state): state.encode(into: &json)
    case .settings(let state): state.encode(into: &json)
    case .list(let state): state.encode(into: &json)
    case .sound(let state): state.encode(into: &json)
    }
  }
}

extension Status {
  /// Whether a client that knows `before` learns something from this status: it calculates the position itself, and
  /// the latency and the buffered time vary all the time.
  fileprivate func isNews(after before: Status) -> Bool {
    let expected = before.position.map { $0 + .seconds((monotonic - before.monotonic).seconds * before.rate) }
    switch (position, expected) {
    case (let position?, let expected?):
      guard abs((position - expected).nanoseconds) <= (rate > 0 ? Self.tolerance.nanoseconds : 0) else { return true }
    case (nil, nil): break
    case (nil, _?), (_?, nil): return true
    }
    var state = self
    (state.position, state.monotonic, state.output.latency) = (before.position, before.monotonic, before.output.latency)
    if let buffered = before.stream?.buffered { state.stream?.buffered = buffered }
    return state != before
  }

  /// The error of a position that advances: the clock behind it is corrected from time to time.
  private static let tolerance = MediaTime.milliseconds(10)
}

extension Output {
  /// Whether a client that knows `before` learns something from this state but the latency, which varies all the time.
  fileprivate func isNews(after before: Output) -> Bool {
    var state = self
    state.latency = before.latency
    return state != before
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

  func endTurn() { current = nil }

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
