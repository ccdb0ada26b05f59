internal import Glibc
public import SegueRing
public import SegueSystem
public import SegueWire
public import SegueWorkerProtocol

/// A process of the real `segue-worker` or `segue-fetch`, with its socket and its ring. Only the thread of the test
/// uses it.
public final class WorkerProcess {
  public let pid: Int32
  public let ring: SharedRing
  private let link: LinkSocket
  private var consumer: RingConsumer
  /// All events so far, in order.
  public private(set) var events: [WorkerEvent] = []
  /// The sandbox mechanisms that the worker lacks; nil before it is ready.
  public private(set) var lacking: Set<SandboxMechanism>?
  /// The output that was read from the ring, in the order of the generations.
  public private(set) var decodedGenerations: [DecodedGeneration] = []
  private var hasEnded = false

  /// The output of one generation.
  public struct DecodedGeneration {
    public var generation: Generation
    /// The parts, one for each `begin` marker.
    public var parts: [Part] = []
    /// The position of the `end` marker; nil before it.
    public var end: Frames?

    /// The PCM of all parts.
    public var bytes: [UInt8] { parts.flatMap(\.bytes) }
  }

  public struct Part {
    public var format: AudioFormat
    public var mediaFrame: Frames
    public var speed: PlaybackSpeed
    /// Whether the worker stated that the source is in memory for some seconds.
    public var isSourceCached: Bool
    public var bytes: [UInt8] = []

    public var frames: Frames { Frames(bytes.count / format.bytesPerFrame) }
  }

  /// Starts a worker, which gets a ring first if `ring` is true, as decoding workers do. It has the environment of the
  /// test and `variables`. If `hasLandlock` is false, its kernel seems not to support Landlock.
  public init(
    _ role: WorkerRole = .files, ring wantsRing: Bool = true, variables: [String: String] = [:],
    hasLandlock: Bool = true
  ) throws {
    let (daemon, worker) = try LinkSocket.pair()
    link = daemon
    ring = try SharedRing()
    consumer = RingConsumer(ring)
    pid = try Self.spawn(role, worker.raw, variables, hasLandlock)
    if wantsRing { try link.send(WorkerCommand.ring, descriptors: [ring.memory.raw, ring.space.raw, ring.data.raw]) }
  }

  /// Kills the worker if it runs, and reaps it.
  deinit {
    guard !hasEnded else { return }
    kill(pid, SIGKILL)
    waitpid(pid, nil, 0)
  }

  /// Returns the path of a program that was built with the tests.
  public static func product(_ name: String) -> FilePath {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let own = FilePath(bytes: buffer[..<max(0, count)].map(UInt8.init(bitPattern:)))
    return own.parent.appending(name)
  }

  private static func spawn(
    _ role: WorkerRole, _ socket: Int32, _ variables: [String: String], _ hasLandlock: Bool
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // If the socket had the target number already, dup2 would leave it close-on-exec.
    let source = fcntl(socket, F_DUPFD_CLOEXEC, LinkSocket.workerDescriptor + 1)
    defer { close(source) }
    posix_spawn_file_actions_adddup2(&actions, source, LinkSocket.workerDescriptor)
    var pid: pid_t = 0
    let probe = [product("sandbox-probe").description, "--without-landlock", "run"]
    let command = (hasLandlock ? [] : probe) + [product(role.program).description, role.rawValue]
    let code = command[0].withCString { program in
      var arguments = command.map { strdup($0) } + [nil]
      var inherited: [UnsafeMutablePointer<CChar>?] = []
      while let variable = environ[inherited.count] { inherited.append(variable) }
      // As in the daemon, it loads the stub libraries, if `contrib/test` has made them.
      let stubs = role == .fetch ? [] : StubLibraries.variables(for: product(role.program))
      let added = (stubs + variables.map { "\($0.key)=\($0.value)" }).map { strdup($0) }
      defer { for string in arguments + added { free(string) } }
      var environment = added + inherited + [nil]
      return posix_spawn(&pid, program, &actions, nil, &arguments, &environment)
    }
    guard code == 0 else { throw SystemError("posix_spawn", command[0], code: code) }
    return pid
  }
}

extension WorkerProcess {
  /// Lets this worker play the stream at `url`, which it reads through the fetch process `fetcher`.
  public func open(
    _ url: String, as generation: UInt32 = 1, start: MediaTime = .zero, through fetcher: WorkerProcess
  ) throws {
    let ends = try LinkSocket.descriptorPair()
    defer {
      close(ends.nonblocking)
      close(ends.blocking)
    }
    try fetcher.link.send(FetchCommand.serve(url: url), descriptors: [ends.nonblocking])
    try link.send(
      WorkerCommand.open(Generation(generation), MediaSource(name: url, url: url), start: start),
      descriptors: [ends.blocking])
  }

  /// Lets this worker play the stream at `url`, to whose requests the test responds.
  public func open(
    _ url: String, as generation: UInt32 = 1, start: MediaTime = .zero, over peer: FetchPeer
  ) throws {
    try link.send(
      WorkerCommand.open(Generation(generation), MediaSource(name: url, url: url), start: start),
      descriptors: [peer.workerEnd.raw])
  }

  /// Sends a command, with the descriptor of the file at `path` if there is one.
  public func send(_ command: WorkerCommand, file path: FilePath? = nil) throws {
    try send(command, files: path.map { [$0] } ?? [])
  }

  /// Sends a command with the descriptors of the files at `paths`, and with the descriptors `more`.
  public func send(_ command: WorkerCommand, files: [FilePath], and more: [Int32] = []) throws {
    try send(message: command, files, more)
  }

  /// Sends a command to the fetch process, with the descriptors of the files at `paths`, and with the descriptors
  /// `more`.
  public func send(_ command: FetchCommand, files: [FilePath] = [], and more: [Int32] = []) throws {
    try send(message: command, files, more)
  }

  private func send(message: some LinkMessage, _ paths: [FilePath], _ more: [Int32]) throws {
    var raws: [Int32] = []
    defer { for raw in raws { close(raw) } }
    for path in paths {
      let raw = path.withCString { Glibc.open($0, O_RDONLY | O_CLOEXEC) }
      guard raw >= 0 else { throw SystemError("open", path.description) }
      raws.append(raw)
    }
    try link.send(message, descriptors: raws + more)
  }

  /// Waits for the next event of a worker without a ring.
  public func nextEvent() throws -> WorkerEvent {
    let count = events.count
    try wait(for: "an event", draining: false) { $0.events.count > count }
    return events[count]
  }

  /// Scans `paths` and returns the results in their order. It sends as many commands as necessary.
  public func scan(_ paths: [FilePath]) throws -> [ScanResult] {
    var results: [ScanResult] = []
    for start in stride(from: 0, to: paths.count, by: WorkerRequest.maximumScanFiles) {
      let some = Array(paths[start..<min(paths.count, start + WorkerRequest.maximumScanFiles)])
      try send(.request(ticket: UInt32(start), .scan(names: some.map(name))), files: some)
      while results.count < start + some.count {
        if case .response(UInt32(start), .scanned(let found)) = try nextEvent() { results += found }
      }
    }
    return results
  }

  public func open(
    _ generation: UInt32, _ path: FilePath, start: MediaTime = .zero, from: MediaTime = .zero, to: MediaTime? = nil,
    level: GainParameters = GainParameters(), rate: UInt32? = nil, fadeOut: MediaTime = .zero,
    speed: PlaybackSpeed = .normal
  ) throws {
    var source = MediaSource(
      name: name(of: path), rangeStart: from, rangeEnd: to, gain: level, rate: rate.map(SampleRate.init))
    (source.fadeOut, source.speed) = (fadeOut, speed)
    try send(.open(Generation(generation), source, start: start), file: path)
  }

  public func follow(
    _ generation: UInt32, _ path: FilePath, after: UInt32, start: MediaTime = .zero, from: MediaTime = .zero,
    to: MediaTime? = nil, level: GainParameters = GainParameters(), rate: UInt32? = nil, fadeOut: MediaTime = .zero,
    fadeIn: MediaTime = .zero, speed: PlaybackSpeed = .normal
  ) throws {
    var source = MediaSource(
      name: name(of: path), rangeStart: from, rangeEnd: to, gain: level, rate: rate.map(SampleRate.init))
    (source.fadeOut, source.fadeIn, source.speed) = (fadeOut, fadeIn, speed)
    try send(.follow(Generation(generation), source, after: Generation(after), start: start), file: path)
  }

  /// Lets the worker decode the file at `path`, which it decodes as `previous`, from another position. The response is
  /// `opened` or `sourceNeeded`.
  public func restart(
    _ generation: UInt32, of previous: UInt32, _ path: FilePath, start: MediaTime, rate: UInt32? = nil,
    speed: PlaybackSpeed = .normal
  ) throws {
    var source = MediaSource(name: name(of: path), rate: rate.map(SampleRate.init))
    source.speed = speed
    try send(.restart(Generation(generation), source, of: Generation(previous), start: start))
  }

  /// Lets the worker decode the stream at `url`, which it decodes as `previous`, from another position.
  public func restart(_ generation: UInt32, of previous: UInt32, _ url: String, start: MediaTime) throws {
    try send(
      .restart(Generation(generation), MediaSource(name: url, url: url), of: Generation(previous), start: start))
  }

  /// Whether the worker has asked for the source of the generation.
  public func needsSource(of generation: UInt32) -> Bool {
    events.contains(.decoding(Generation(generation), .sourceNeeded))
  }

  public func probe(_ ticket: UInt32, _ path: FilePath) throws {
    try send(.request(ticket: ticket, .probe(MediaSource(name: name(of: path)))), file: path)
  }

  private func name(of path: FilePath) -> String { String(decoding: path.lastComponent, as: UTF8.self) }
}

extension WorkerProcess {
  /// Receives events and, if `draining`, reads PCM until `condition` holds. Throws after a timeout, or if the worker
  /// ends.
  public func wait(
    for what: String, draining: Bool = true, until condition: (WorkerProcess) -> Bool
  ) throws {
    let deadline = MonotonicTime.now + defaultTimeout
    while true {
      if draining { try drain() }
      if condition(self) { return }
      guard deadline > .now else { throw Unexpected("timed out waiting for \(what); events: \(events)") }
      let isEmpty = draining ? try consumer.prepareToWait() : false
      if draining, !isEmpty { continue }
      var waiting = [
        pollfd(fd: link.raw, events: Int16(POLLIN), revents: 0),
        // poll(2) ignores negative descriptors.
        pollfd(fd: draining ? ring.data.raw : -1, events: Int16(POLLIN), revents: 0),
      ]
      poll(&waiting, until: deadline)
      if draining { consumer.stopWaiting() }
      if waiting[0].revents != 0 { try receive() }
    }
  }

  /// Waits for the `end` marker and the event `ended` of a generation, and returns its output.
  public func decodedGeneration(_ generation: UInt32) throws -> DecodedGeneration {
    let wanted = Generation(generation)
    try wait(for: "the end of \(wanted)") { worker in
      worker.decodedGenerations.contains { $0.generation == wanted && $0.end != nil }
        && worker.duration(of: generation) != nil
        || worker.failure(of: generation) != nil
    }
    guard let decoded = decodedGenerations.last(where: { $0.generation == wanted && $0.end != nil }) else {
      throw Unexpected("\(wanted) failed: \(failure(of: generation)?.message ?? "")")
    }
    return decoded
  }

  public func info(of generation: UInt32) -> MediaInfo? {
    for case .decoding(Generation(generation), .opened(let info)) in events { return info }
    return nil
  }

  public func failure(of generation: UInt32) -> Failure? {
    for case .decoding(Generation(generation), .failed(let failure)) in events { return failure }
    return nil
  }

  /// Returns the failure that stopped the decoding of a generation before its end.
  public func interruption(of generation: UInt32) -> Failure? {
    for case .decoding(Generation(generation), .incomplete(let failure)) in events { return failure }
    return nil
  }

  /// Returns the position from which a generation was kept for a crossfade, and the generation it fades into.
  public func fade(of generation: UInt32) -> (from: MediaTime, into: Generation)? {
    for case .decoding(Generation(generation), .faded(let time, let next)) in events { return (time, next) }
    return nil
  }

  public func duration(of generation: UInt32) -> MediaTime? {
    for case .decoding(Generation(generation), .ended(let duration)) in events { return duration }
    return nil
  }

  /// Waits for one event and records it.
  public func receive() throws {
    guard let packet = try link.receive() else { throw Unexpected("the worker has ended; events: \(events)") }
    guard let event = WorkerEvent(packet) else {
      throw Unexpected("not an event: \(String(decoding: packet.bytes, as: UTF8.self))")
    }
    if case .ready(let lacking) = event { self.lacking = lacking } else { events.append(event) }
  }

  /// Reads markers and at most `limit` bytes of PCM that are in the ring.
  public func drain(limit: Int = .max) throws {
    var left = limit
    while left > 0 {
      switch try consumer.head() {
      case .empty: return
      case .marker(let marker):
        consumer.consumeMarker()
        append(marker)
      case .pcm(let count):
        guard let last = decodedGenerations.indices.last, let part = decodedGenerations[last].parts.indices.last else {
          throw Unexpected("PCM before any marker")
        }
        var piece = [UInt8](repeating: 0, count: min(count, left))
        left -= piece.count
        piece.withUnsafeMutableBytes { consumer.read(into: $0) }
        decodedGenerations[last].parts[part].bytes += piece
      }
    }
  }

  private func append(_ marker: StreamMarker) {
    if decodedGenerations.last?.generation != marker.generation {
      decodedGenerations.append(DecodedGeneration(generation: marker.generation))
    }
    let last = decodedGenerations.count - 1
    switch marker.kind {
    case .begin:
      decodedGenerations[last].parts.append(
        Part(
          format: marker.format, mediaFrame: marker.mediaFrame, speed: marker.speed,
          isSourceCached: marker.isSourceCached))
    case .end: decodedGenerations[last].end = marker.mediaFrame
    }
  }
}

extension WorkerProcess {
  /// Waits until the ring is full and the worker sleeps, and returns the number of bytes in the ring.
  public func bufferedBytesWhenIdle() throws -> Int {
    try waitUntil("the worker sleeps until the ring is read") { consumer.isProducerWaiting }
    return Int(consumer.unread)
  }

  /// Waits until the process sleeps.
  public func waitUntilIdle() throws {
    try waitUntil("the worker sleeps") { state == "S" }
  }

  /// The state of the process, the third field of `/proc/PID/stat`.
  private var state: Character? {
    guard let file = fopen("/proc/\(pid)/stat", "r") else { return nil }
    defer { fclose(file) }
    var line = [UInt8](repeating: 0, count: 512)
    let text = String(decoding: line[..<fread(&line, 1, line.count, file)], as: UTF8.self)
    // The second field, the name of the program, is in parentheses and may contain any character.
    return text.lastIndex(of: ")").flatMap { text[$0...].dropFirst(2).first }
  }

  /// The processor time of the worker so far, which does not depend on the load of the machine.
  public var processorTime: MediaTime {
    get throws {
      var clock = clockid_t()
      var time = timespec()
      let code = clock_getcpuclockid(pid, &clock)
      guard code == 0, clock_gettime(clock, &time) == 0 else {
        throw SystemError("clock_getcpuclockid", "\(pid)", code: code == 0 ? errno : code)
      }
      return MediaTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
  }

  /// The number of bytes that the worker has read so far from files and from its socket (proc(5), `rchar`).
  public var bytesRead: Int64 {
    get throws {
      let path = "/proc/\(pid)/io"
      guard let file = fopen(path, "r") else { throw SystemError("open", path) }
      defer { fclose(file) }
      var line = [UInt8](repeating: 0, count: 512)
      let text = String(decoding: line[..<fread(&line, 1, line.count, file)], as: UTF8.self)
      let number = text.split(separator: "\n").first { $0.hasPrefix("rchar: ") }.flatMap { Int64($0.dropFirst(7)) }
      guard let number else { throw Unexpected("\(path): \(text)") }
      return number
    }
  }

  /// The maximum of the resident memory of the worker so far, in bytes (proc(5), `VmHWM`).
  public var peakMemory: Int {
    get throws {
      let path = "/proc/\(pid)/status"
      guard let file = fopen(path, "r") else { throw SystemError("open", path) }
      defer { fclose(file) }
      var bytes = [UInt8](repeating: 0, count: 4_096)
      let text = String(decoding: bytes[..<fread(&bytes, 1, bytes.count, file)], as: UTF8.self)
      let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
      guard let kilobytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) }) else {
        throw Unexpected("\(path): \(text)")
      }
      return kilobytes * 1_024
    }
  }

  /// Returns the process id. The caller must reap the process.
  public func release() -> Int32 {
    hasEnded = true
    return pid
  }
}
