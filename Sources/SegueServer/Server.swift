// Thread: the loop. Owns every session and the buffers they share; must not block.

internal import Glibc
internal import SegueLibrary
public import SegueLoop
public import SeguePlayer
public import SegueSystem
internal import SegueWire

/// The socket's side of the daemon: sessions, their turns, and what they are told.
@MainActor
public final class Server {
  let loop: EventLoop
  let player: Player
  let methods: MethodTable
  let version: String
  private let shutdown: @MainActor () -> Void
  private var isShutdownDue = false

  /// What the sessions' sockets are watched by.
  let sockets: IOGroup
  private var door: Door?
  private var sessions: [ObjectIdentifier: Session] = [:]
  var requests: UInt64 = 0
  /// What the sessions hold of memory, in bytes: begun lines, batches, unread answers.
  var held = 0
  /// A line was read or an answer written in this turn that took a good deal of memory.
  var hasUsedMuch = false

  /// What the session whose turn it is writes; empty between turns.
  var output = JSONWriter()
  private var turn: Session?
  private var queue = FIFO<Session>()
  private var continuation: DeferredTask?
  /// Topics that changed in somebody's turn.
  private var changed: [Topic] = []
  private var statusAnswer = CachedStatus()
  /// The topics' states as they were last told, until they change.
  private var states: [Topic: [UInt8]] = [:]
  /// Writes long answers as JSON, so that the loop goes on meanwhile.
  private let encoder = SerialThread<Void>(name: "answers") {}
  private var input = [UInt8](repeating: 0, count: Server.inputCapacity)

  /// Serves the clients of `listener`. `shutdown` is called when one of them asks for the daemon's end.
  public init(
    loop: EventLoop, player: Player, listener: Listener, version: String, shutdown: @escaping @MainActor () -> Void
  ) throws(SystemError) {
    self.loop = loop
    self.player = player
    self.version = version
    self.shutdown = shutdown
    methods = MethodTable.standard
    sockets = try IOGroup(on: loop)
    continuation = try DeferredTask(on: loop) { [unowned self] in continueTurns() }
    door = try Door(listener, on: loop) { [unowned self] in welcome($0) }
  }

  /// The number of connections.
  var clients: Int { sessions.count }

  /// Takes no more clients, and carries out what those there are have asked for by now, as far as a turn each goes. To be
  /// followed by `close`.
  public func stopListening() {
    door = nil
    for session in Array(sessions.values) { session.takeLastTurn() }
  }

  /// Closes every connection; what a client has not taken is lost.
  public func close() {
    door = nil
    for session in Array(sessions.values) { session.close() }
    encoder.close()
  }

  // MARK: Clients

  /// Takes a client in, or sends it away with the reason.
  private func welcome(_ descriptor: consuming Descriptor) {
    do throws(SystemError) {
      let user = try UnixSocket.peerUser(of: descriptor.raw)
      guard user == getuid() || user == 0 else {
        Log.warning("a process of user \(user) was turned away from the socket")
        return
      }
      guard sessions.count < Self.mostClients else {
        return Door.refuse(descriptor, because: "\(Self.mostClients) clients are connected already")
      }
      let session = try Session(descriptor, server: self)
      sessions[ObjectIdentifier(session)] = session
    } catch {
      Log.warning("a client could not be taken in: \(error)")
    }
  }

  func remove(_ session: Session) { sessions[ObjectIdentifier(session)] = nil }

  // MARK: Turns

  func beginTurn(of session: Session) {
    precondition(turn == nil, "turns do not nest")
    turn = session
  }

  func isTurn(of session: Session) -> Bool { turn === session }

  func endTurn() {
    turn = nil
    if !changed.isEmpty { tellChanges() }
    if held > Self.mostHeld { sendLargestAway() }
    if hasUsedMuch {
      hasUsedMuch = false
      CurrentProcess.trimHeap()
    }
    if isShutdownDue {
      isShutdownDue = false
      shutdown()
    }
  }

  /// Asks the daemon to stop, once the turn's answers are sent.
  func requestShutdown() { isShutdownDue = true }

  /// Another turn for `session`, after everybody else who is ready.
  func queueTurn(of session: Session) {
    guard !session.isQueued else { return }
    session.isQueued = true
    queue.append(session)
    continuation?.raise()
  }

  /// Once round the line, or as far as time allows: those who come with a word in between do not wait for all of it.
  private func continueTurns() {
    let end = MonotonicTime.now + Self.round
    for _ in 0..<queue.count {
      guard let session = queue.popFirst() else { break }
      session.isQueued = false
      session.takeTurn()
      if MonotonicTime.now > end { break }
    }
    if !queue.isEmpty { continuation?.raise() }
  }

  /// Those who take all that each may, together take too much: whoever holds most goes, until it is bearable.
  private func sendLargestAway() {
    while held > Self.mostHeld, let largest = sessions.values.max(by: { $0.held < $1.held }), largest.held > 0 {
      Log.notice("a client that leaves \(largest.held) bytes lying is sent away: all hold \(held)")
      largest.close()
    }
    hasUsedMuch = true
  }

  /// Empties the shared output. What a single large answer needed is given back.
  func emptyOutput() {
    if output.count > Self.longOutput { hasUsedMuch = true }
    if output.count > Self.keptOutput { output = JSONWriter() } else { output.removeAll() }
  }

  // MARK: Events

  /// `topic` changed: its subscribers are told, the newest state only.
  public func publish(_ topic: Topic) {
    states[topic] = nil
    if !changed.contains(topic) { changed.append(topic) }
    if turn == nil { tellChanges() }
  }

  private func tellChanges() {
    let topics = changed
    changed = []
    for session in Array(sessions.values) where !session.subscription.topics.isEmpty {
      for topic in topics { session.subscription.note(topic) }
      session.tellEvents()
    }
  }

  /// The whole state of `topic`, as its events carry it.
  func state(of topic: Topic) -> [UInt8] {
    if let known = states[topic] { return known }
    var json = JSONWriter()
    switch topic {
    case .player: player.status.encode(into: &json)
    case .queue: player.summary.encode(into: &json)
    case .output: player.status.output.encode(into: &json)
    case .library: player.library.status.encode(into: &json)
    case .settings: player.settingList.encode(into: &json)
    }
    states[topic] = json.bytes
    return json.bytes
  }

  /// `Status` as it is answered, whether anything has changed or not since the last one.
  func encodedStatus() -> EncodedJSON { statusAnswer.current(of: player) }

  /// The methods' description, written once somebody asks for it.
  private(set) lazy var discovery: EncodedJSON = {
    var json = JSONWriter()
    OpenRPCDocument(methods: methods.methods, version: version).encode(into: &json)
    return EncodedJSON(json)
  }()

  /// Writes `value` as JSON on a thread of its own; `then` is called on the loop.
  func encode(_ value: some JSONEncodable, then: @escaping @MainActor (EncodedJSON) -> Void) {
    encoder.post { [mailbox = loop.mailbox] _ in
      let json = EncodedJSON(value)
      mailbox.post { then(json) }
    }
  }

  // MARK: Input

  /// What a read brought. After `last` the socket has nothing more: the next comes with news of it.
  enum Input {
    case some, last, nothing, end, gone
  }

  func read(from descriptor: Int32, into framer: inout LineFramer) -> Input {
    let count = Glibc.read(descriptor, &input, input.count)
    if count > 0 {
      input.withUnsafeBytes { framer.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      return count < input.count ? .last : .some
    }
    if count == 0 { return .end }
    return errno == EAGAIN ? .nothing : errno == EINTR ? .some : .gone
  }

  // MARK: Limits

  private static let mostClients = 1_024
  private static let inputCapacity = 64 * 1024
  private static let keptOutput = 256 * 1024
  private static let longOutput = 1 << 20
  /// Of all sessions together; a hundred of them may take all that one can.
  private static let mostHeld = 128 << 20
  private static let round = MediaTime.milliseconds(1)
}
