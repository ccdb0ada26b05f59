// Thread: any. `FakeOutput` posts commands and reads the published clock. The thread of the output, in `FakePlayback`,
// does everything else.
internal import Glibc
public import SegueOutput
internal import SegueRing
public import SegueSystem
internal import SegueWire
internal import Synchronization

/// An output without a sound server: it plays the PCM of rings in real time, and keeps what it has played.
public final class FakeOutput: AudioOutput {
  /// The PCM that was played, in pieces, as `Recorder` records it.
  public let played: EventLog<Recorder.Piece>
  private let published = PublishedClock()
  private let messages: MessageQueue<Message>
  private let deliver: @Sendable (SinkEvent) -> Void
  private let isEnded = Atomic(false)
  // Proof: set in `init`, used once, by the caller of `shutdown` that ends the output.
  nonisolated(unsafe) private var thread: TestThread?

  fileprivate enum Message: Sendable {
    case command(SinkCommand)
    case end
  }

  /// The latency of an output whose test needs no other.
  public static let usualLatency = MediaTime.milliseconds(20)

  /// - Parameters:
  ///   - hasServer: Whether there is a sound server with one sink. Without one, nothing is played.
  ///   - latency: The time from the first PCM of a sound until it is audible.
  ///   - deliver: Called on the thread of the output.
  public init(
    hasServer: Bool = true, latency: MediaTime = usualLatency, deliver: @escaping @Sendable (SinkEvent) -> Void
  ) {
    guard let messages = try? MessageQueue<Message>() else { fatalError("this process has no more descriptors") }
    self.messages = messages
    self.deliver = deliver
    played = EventLog()
    thread = TestThread { [published, played] in
      var playback = FakePlayback(
        hasServer: hasServer, latency: latency, clock: published, played: played, deliver: deliver)
      while playback.perform(messages.takeAll()) { playback.wait(for: messages.raw) }
    }
  }

  deinit { shutdown() }

  public func send(_ command: SinkCommand) {
    guard isEnded.load(ordering: .relaxed) else { return messages.post(.command(command)) }
    let reason = LocalizableMessage("the output was closed")
    switch command {
    case .play: deliver(.streamRefused(reason))
    case .listSinks(let token): deliver(.sinksUnavailable(token: token, reason: reason))
    default: break
    }
  }

  public var clock: SinkClock { published.current }

  public func shutdown() {
    guard !isEnded.exchange(true, ordering: .relaxed) else { return }
    messages.post(.end)
    thread?.join()
    published.publish(SinkClock())
  }
}

/// The state of a fake output, on its thread.
private struct FakePlayback {
  /// A ring and its one consumer.
  private final class Source {
    let ring: SharedRing
    var consumer: RingConsumer

    init(_ ring: SharedRing) {
      self.ring = ring
      consumer = RingConsumer(ring)
    }
  }

  /// A generation of which not all PCM has been read.
  private struct Part {
    let generation: Generation
    let source: Source
    var hasBegun = false
    var isInputEnded = false
  }

  private let hasServer: Bool
  private let latency: MediaTime
  private let published: PublishedClock
  private let played: EventLog<Recorder.Piece>
  private let deliver: @Sendable (SinkEvent) -> Void

  /// The generations to be played, of which the first is being read.
  private var parts: [Part] = []
  /// The generations that were read completely, and the frames of the stream at which they end.
  private var ends: [(generation: Generation, end: Frames)] = []
  private var clock = SinkClock()
  private var format: AudioFormat?
  /// The PCM that was read and has not been played.
  private var unplayed: [UInt8] = []
  private var playedFrames = Frames.zero
  private var announced: Set<UInt32> = []
  /// The generation at whose end the sound has ended.
  private var finished: Generation?
  private var isPaused = false
  private var isOpen = false
  private var isWaiting = false
  private var volume: (percent: Int, isMuted: Bool, balance: String?) = (100, false, nil)
  /// The tap to which the PCM is written, too.
  private var tap: SoundTap?

  /// The length of PCM that is read before it is played.
  private static let lead = MediaTime.milliseconds(40)
  private static let sink = StreamSink(
    device: "test", description: "Output of the test", sampleRate: 44_100, channels: 2, format: "s16le")

  init(
    hasServer: Bool, latency: MediaTime, clock: PublishedClock, played: EventLog<Recorder.Piece>,
    deliver: @escaping @Sendable (SinkEvent) -> Void
  ) {
    self.hasServer = hasServer
    self.latency = latency
    published = clock
    self.played = played
    self.deliver = deliver
  }

  /// Executes messages and plays what is there. Returns false after the last message.
  mutating func perform(_ messages: [FakeOutput.Message]) -> Bool {
    for message in messages {
      switch message {
      case .command(let command): execute(command)
      case .end: return false
      }
    }
    play()
    return true
  }

  /// Waits for a message, for PCM, or for the time at which more PCM is read or the end has been played.
  mutating func wait(for wakeup: Int32) {
    var descriptors = [pollfd(fd: wakeup, events: Int16(POLLIN), revents: 0)]
    if let ring = parts.first?.source.ring, isWaiting {
      descriptors.append(pollfd(fd: ring.data.raw, events: Int16(POLLIN), revents: 0))
    }
    let left = clock.unplayed(at: .now)
    let pause = isWaiting || parts.isEmpty ? left : left - Self.lead + .milliseconds(20)
    poll(&descriptors, until: clock.isRunning && left > .zero ? .now + max(.milliseconds(1), pause) : nil)
    if isWaiting {
      parts.first?.source.consumer.stopWaiting()
      isWaiting = false
    }
  }

  // MARK: Commands

  private mutating func execute(_ command: SinkCommand) {
    switch command {
    case .play(let generation, let ring, let paused):
      discard()
      guard hasServer else {
        let reason = LocalizableMessage("no sound server")
        return deliver(.lost(.server, reason: reason, position: nil))
      }
      isPaused = paused
      append(generation, ring)
    case .enqueue(let generation, let ring, let previous):
      guard previous == finished || cut(after: previous) else { return }
      append(generation, ring)
    case .finish(let previous): _ = cut(after: previous)
    case .endOfInput(let generation):
      if let index = parts.firstIndex(where: { $0.generation == generation }) { parts[index].isInputEnded = true }
    case .pause: setPaused(true)
    case .resume: setPaused(false)
    case .stop: discard()
    case .release:
      discard()
      if isOpen { deliver(.closed) }
      isOpen = false
    case .volume(let percent, let number):
      volume.percent = percent
      reportVolume(after: number)
    case .mute(let isMuted, let number):
      volume.isMuted = isMuted
      reportVolume(after: number)
    case .balance(let balance): volume.balance = balance
    case .listSinks(let token): listSinks(token)
    case .tap(let tap):
      self.tap = tap
      clock.tapStart = nil
      published.publish(clock)
    case .fadeLength, .endFade, .device, .properties: break
    }
  }

  private func reportVolume(after number: UInt64) {
    deliver(.volume(percent: volume.percent, muted: volume.isMuted, balance: volume.balance, after: number))
  }

  private func listSinks(_ token: UInt64) {
    guard hasServer else {
      return deliver(.sinksUnavailable(token: token, reason: LocalizableMessage("no sound server")))
    }
    let sink = SinkDescription(
      index: 0, name: Self.sink.device, description: Self.sink.description, isDefault: true, isCurrent: true,
      sampleRate: Self.sink.sampleRate, channels: Self.sink.channels, format: Self.sink.format)
    deliver(.sinks(token: token, [sink]))
  }

  /// Removes everything, and forgets the position.
  private mutating func discard() {
    record()
    parts = []
    isPaused = false
    finished = nil
    reset(after: nil)
  }

  private mutating func reset(after end: SinkClock.Position?) {
    ends = []
    unplayed = []
    playedFrames = .zero
    announced = []
    format = nil
    clock = SinkClock()
    clock.end = end
    published.publish(clock)
  }

  private mutating func append(_ generation: Generation, _ ring: SharedRing) {
    let known = parts.last { $0.source.ring === ring }?.source
    parts.append(Part(generation: generation, source: known ?? Source(ring)))
  }

  /// Removes what follows a generation, and what was read of it. Returns false if nothing is known of the generation.
  private mutating func cut(after generation: Generation) -> Bool {
    record()
    if let index = parts.firstIndex(where: { $0.generation == generation }) {
      parts.removeSubrange((index + 1)...)
      return true
    }
    guard let boundary = ends.first(where: { $0.generation == generation }) else { return false }
    parts = []
    ends.removeAll { $0.end > boundary.end }
    guard boundary.end > playedFrames else {
      // A later generation plays already: what follows replaces it at once.
      reset(after: nil)
      ends = [(generation, .zero)]
      return true
    }
    let bytes = Int((clock.written - boundary.end).count) * clock.bytesPerFrame
    unplayed.removeLast(min(bytes, unplayed.count))
    for segment in clock.segments where segment.start >= boundary.end {
      announced.remove(segment.generation.number)
    }
    clock.segments.removeAll { $0.start >= boundary.end }
    clock.written = boundary.end
    return true
  }

  private mutating func setPaused(_ paused: Bool) {
    guard paused != isPaused else { return }
    record()
    isPaused = paused
    anchor(isRunning: !paused && !clock.segments.isEmpty)
    if !paused { emitResumption() }
  }

  // MARK: Playing

  private mutating func play() {
    record()
    do throws(RingCorruption) {
      try read()
    } catch {
      guard let part = parts.first else { return }
      parts = []
      deliver(.ringCorrupted(part.generation, error.part))
    }
    record()
    if parts.isEmpty, let last = ends.last, clock.unplayed(at: .now) == .zero, !isPaused {
      let position = clock.latestPosition(at: .now)
      reset(after: position)
      finished = last.generation
      deliver(.finished(last.generation))
    }
  }

  /// Reads PCM and markers as far as the lead allows.
  private mutating func read() throws(RingCorruption) {
    while let part = parts.first {
      let frameSize = format?.bytesPerFrame ?? 1
      switch try part.source.consumer.head(frameSize: part.hasBegun ? frameSize : 1) {
      case .marker(let marker) where marker.generation.number < part.generation.number:
        part.source.consumer.consumeMarker()
      case .marker(let marker) where marker.generation.number > part.generation.number:
        guard part.isInputEnded else { return }
        finishPart()
      case .marker(let marker):
        switch marker.kind {
        case .begin:
          guard begin(part, marker) else { return }
        case .end:
          part.source.consumer.consumeMarker()
          finishPart()
        }
      case .pcm(let count):
        guard part.hasBegun, let format else {
          part.source.consumer.skip(count)
          continue
        }
        let room = format.rate.frames(in: Self.lead - clock.unplayed(at: .now))
        let size = min(count, Int(room.count) * format.bytesPerFrame)
        guard size > 0 else { return }
        append(size, of: part.source)
      case .empty:
        if part.isInputEnded {
          finishPart()
        } else if try part.source.consumer.prepareToWait(frameSize: part.hasBegun ? frameSize : 1) {
          isWaiting = true
          return waitForPCM()
        }
      }
    }
  }

  /// Begins a generation. Returns false if the one before has another format and has not been played to its end.
  private mutating func begin(_ part: Part, _ marker: StreamMarker) -> Bool {
    if let format, format != marker.format {
      guard clock.unplayed(at: .now) == .zero else { return false }
      reset(after: clock.latestPosition(at: .now))
    }
    part.source.consumer.consumeMarker()
    parts[0].hasBegun = true
    format = marker.format
    clock.rate = marker.format.rate
    clock.bytesPerFrame = marker.format.bytesPerFrame
    clock.segments.append(
      SinkClock.Segment(
        start: clock.written, generation: part.generation, mediaFrame: marker.mediaFrame, speed: marker.speed))
    if !isOpen { deliver(.opened(Self.sink)) }
    isOpen = true
    return true
  }

  private mutating func append(_ size: Int, of source: Source) {
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      source.consumer.read(
        into: UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<size]))
      count = size
    }
    let wasDry = clock.unplayed(at: .now) == .zero
    if let tap, let format {
      bytes.withUnsafeBytes { tap.write($0, at: clock.written, format) }
      clock.tapStart = clock.tapStart ?? clock.written
    }
    unplayed += bytes
    if wasDry { anchor(isRunning: !isPaused, after: latency) }
    clock.awaitsPCM = false
    clock.stall = nil
    clock.written += Frames(size / clock.bytesPerFrame)
    clock.latency = clock.unplayed(at: .now)
    published.publish(clock)
    if wasDry, !isPaused { emitResumption() } else { announce() }
  }

  private mutating func finishPart() {
    let part = parts.removeFirst()
    ends.append((part.generation, clock.written))
  }

  /// Handles that the ring is empty. The output has run dry when everything that was read has been played.
  private mutating func waitForPCM() {
    if !clock.awaitsPCM {
      clock.awaitsPCM = true
      published.publish(clock)
    }
    guard clock.stall == nil, !clock.segments.isEmpty, !isPaused, clock.unplayed(at: .now) == .zero else { return }
    clock.stall = clock.written
    published.publish(clock)
    deliver(.ranDry)
  }

  /// Lets the clock continue from the frame that is audible now, or stand there.
  private mutating func anchor(isRunning: Bool, after delay: MediaTime = .zero) {
    clock.anchor = SinkClock.Anchor(time: .now + delay, frame: clock.streamFrame(at: .now)?.frame ?? .zero)
    clock.isRunning = isRunning
    published.publish(clock)
  }

  /// Announces the times at which generations begin.
  private mutating func announce() {
    for segment in clock.segments {
      guard let time = clock.time(of: segment.start), announced.insert(segment.generation.number).inserted else {
        continue
      }
      deliver(.scheduled(segment.generation, at: time))
    }
  }

  private mutating func emitResumption() {
    announce()
    if let resumption = clock.resumption(after: .now) {
      deliver(.resumed(resumption.generation, at: resumption.time))
    }
  }

  /// Records what was played meanwhile, and forgets the generations before the one that is audible.
  private mutating func record() {
    guard let frame = clock.streamFrame(at: .now)?.frame, frame > playedFrames else { return }
    let bytes = min(unplayed.count, Int((frame - playedFrames).count) * clock.bytesPerFrame)
    playedFrames = frame
    if bytes > 0 { played.append(Recorder.Piece(time: .now, bytes: Array(unplayed[..<bytes]))) }
    unplayed.removeFirst(bytes)
    while clock.segments.count > 1, clock.segments[1].start <= frame { clock.segments.removeFirst() }
  }
}
