import Glibc
import SegueRing
import SegueSystem
import SegueTestKit
import Testing

/// Tests of the ring between two threads, and with a malicious producer.
struct RingTests {
  private let format = AudioFormat(sample: .signed16, rate: .cd, channels: .stereo)

  private func marker(_ kind: StreamMarker.Kind, _ generation: UInt32, at media: Int = 0) -> StreamMarker {
    StreamMarker(kind: kind, generation: Generation(generation), format: format, mediaFrame: Frames(media))
  }

  /// Pseudo-random bytes with a period of 65,537.
  private static let table: [UInt8] = {
    var state: UInt32 = 1
    let period = (0..<65_537).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(truncatingIfNeeded: state >> 24)
    }
    var table: [UInt8] = []
    while table.count < 65_537 + RingConsumer.capacity { table += period }
    return table
  }()

  private func pattern(_ start: Int, _ count: Int) -> [UInt8] { Array(Self.table[(start % 65_537)...].prefix(count)) }

  private func write(_ bytes: [UInt8], _ producer: inout RingProducer) -> Int {
    bytes.withUnsafeBytes { producer.write($0) }
  }

  private func read(_ count: Int, _ consumer: inout RingConsumer) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, taken in
      consumer.read(into: UnsafeMutableRawBufferPointer(buffer))
      taken = count
    }
  }

  private func show(_ consumer: borrowing RingConsumer, frameSize: Int = 1) throws -> String {
    switch try consumer.head(frameSize: frameSize) {
    case .marker(let marker): "\(marker.kind) \(marker.generation.number)"
    case .pcm(let count): "pcm \(count)"
    case .empty: "empty"
    }
  }

  @Test func markers_areReadWhereTheyWereWritten() throws {
    let ring = try SharedRing()
    var producer = RingProducer(ring)
    var consumer = RingConsumer(ring)
    #expect(try show(consumer) == "empty")
    producer.writeMarker(marker(.begin, 1))
    #expect(write(pattern(0, 100), &producer) == 100)
    producer.writeMarker(marker(.end, 1))
    var fast = marker(.begin, 2, at: 9)
    fast.speed = .fastest
    producer.writeMarker(fast)
    #expect(write(pattern(100, 60), &producer) == 60)
    #expect(try show(consumer) == "begin 1")
    consumer.consumeMarker()
    #expect(try show(consumer) == "pcm 100")
    #expect(read(40, &consumer) == pattern(0, 40))
    #expect(try show(consumer) == "pcm 60")
    consumer.skip(60)
    #expect(try show(consumer) == "end 1")
    consumer.consumeMarker()
    guard case .marker(let second) = try consumer.head() else {
      Issue.record("no marker")
      return
    }
    #expect(second == fast)
    consumer.consumeMarker()
    #expect(read(60, &consumer) == pattern(100, 60))
    #expect(try show(consumer) == "empty")
  }

  @Test func head_returnsWholeFrames() throws {
    let ring = try SharedRing()
    var producer = RingProducer(ring)
    var consumer = RingConsumer(ring)
    _ = write(pattern(0, 5), &producer)
    #expect(try show(consumer, frameSize: 6) == "empty")
    let waits = try consumer.prepareToWait(frameSize: 6)
    #expect(waits)
    _ = write(pattern(5, 8), &producer)
    producer.signal()
    #expect(isReadable(ring.data.raw))
    consumer.stopWaiting()
    #expect(!isReadable(ring.data.raw))
    #expect(try show(consumer, frameSize: 6) == "pcm 12")
    consumer.skip(12)
    producer.writeMarker(marker(.end, 1))
    #expect(throws: RingCorruption.self) { try show(consumer, frameSize: 6) }
  }

  @Test func fullRing_acceptsNoMoreAndLosesNothing() throws {
    let ring = try SharedRing()
    var producer = RingProducer(ring)
    var consumer = RingConsumer(ring)
    #expect(producer.free == RingConsumer.capacity)
    #expect(write(pattern(0, RingConsumer.capacity), &producer) == RingConsumer.capacity)
    #expect(write([1], &producer) == 0)
    #expect(read(7, &consumer) == pattern(0, 7))
    #expect(write(pattern(RingConsumer.capacity, 9), &producer) == 7)
    let waits = producer.prepareToWait(untilUnreadIsAtMost: RingConsumer.capacity - 8)
    #expect(waits)
    #expect(!isReadable(ring.space.raw))
    consumer.skip(8)
    #expect(isReadable(ring.space.raw))
    producer.stopWaiting()
    let waitsAgain = producer.prepareToWait(untilUnreadIsAtMost: RingConsumer.capacity)
    #expect(!waitsAgain)
  }

  @Test func markers_areLimitedByCapacity() throws {
    let ring = try SharedRing()
    var producer = RingProducer(ring)
    var consumer = RingConsumer(ring)
    for round in 0..<3 {
      var set = 0
      while producer.canWriteMarker {
        producer.writeMarker(marker(.begin, UInt32(round * 1000 + set + 1)))
        set += 1
      }
      for number in 1...set {
        #expect(try show(consumer) == "begin \(round * 1000 + number)")
        consumer.consumeMarker()
      }
    }
  }

  @Test func producerWithoutMarkerSpace_waitsUntilMarkerIsConsumed() throws {
    let ring = try SharedRing()
    var producer = RingProducer(ring)
    var consumer = RingConsumer(ring)
    producer.writeMarker(marker(.begin, 1))
    #expect(write(pattern(0, 8), &producer) == 8)
    let waitsTooEarly = producer.prepareToWaitForMarkerSpace()
    #expect(!waitsTooEarly)
    consumer.consumeMarker()
    while producer.canWriteMarker { producer.writeMarker(marker(.end, 1)) }
    let waits = producer.prepareToWaitForMarkerSpace()
    #expect(waits)
    consumer.skip(8)
    #expect(!isReadable(ring.space.raw))
    consumer.consumeMarker()
    #expect(isReadable(ring.space.raw))
    producer.stopWaiting()
    let fits = producer.canWriteMarker
    #expect(fits)
    #expect(!isReadable(ring.space.raw))
  }

  /// Two threads transfer frames of unusual sizes through several rounds of the ring. Each byte arrives once and in
  /// order, and neither thread misses a signal.
  @Test(arguments: [2, 6, 7 * 4, 32 * 4]) func twoThreads_transferEveryByte(_ frameSize: Int) throws {
    let ring = try SharedRing()
    let total = 3 * RingConsumer.capacity / frameSize * frameSize
    let thread = TestThread {
      var producer = RingProducer(ring)
      var written = 0
      var step = 1
      while written < total {
        let count = min(step * frameSize, total - written, producer.free / frameSize * frameSize)
        let bytes = pattern(written, count)
        written += bytes.withUnsafeBytes { producer.write($0) }
        producer.signal()
        step = step * 5 % 4093 + 1
        if producer.free < frameSize, producer.prepareToWait(untilUnreadIsAtMost: RingConsumer.capacity / 2) {
          waitUntilReadable(ring.space.raw)
          producer.stopWaiting()
        }
      }
      producer.writeMarker(marker(.end, 1))
      producer.signal()
    }
    var consumer = RingConsumer(ring)
    var taken = 0
    var wrong = 0
    reading: while true {
      switch try consumer.head(frameSize: frameSize) {
      case .pcm(let count):
        let piece = min(count, 40_000 / frameSize * frameSize)
        if read(piece, &consumer) != pattern(taken, piece) { wrong += 1 }
        taken += piece
      case .marker: break reading
      case .empty:
        if try consumer.prepareToWait(frameSize: frameSize) {
          #expect(waitUntilReadable(ring.data.raw), "the producer did not signal")
          consumer.stopWaiting()
        }
      }
    }
    thread.join()
    #expect(wrong == 0)
    #expect(taken == total)
  }

  /// Invalid words of the header and of records, as a malicious worker could write them.
  @Test(arguments: [
    // The write cursor: beyond the capacity, and before the read position.
    (offset: 0, value: UInt64(RingConsumer.capacity) + 101), (0, 50), (0, .max),
    // The marker cursor: more markers than the capacity, and fewer than before.
    (128, 300), (128, .max),
    // The first record: a position beyond the ring and before the read position; invalid frames, rate, format, kind and
    // layout.
    (4096, .max), (4096, 3), (4104, .max), (4120, 0), (4120, 1 | 0xFFFF_FFFF << 32), (4120, 0), (4128, .max),
    (4128, 0), (4112, .max),
  ])
  func invalidCursorsAndRecords_areCorruption(_ invalid: (offset: Int, value: UInt64)) throws {
    let ring = try SharedRing()
    let memory = try #require(mmap(nil, SharedRing.size, PROT_READ | PROT_WRITE, MAP_SHARED, ring.memory.raw, 0))
    defer { munmap(memory, SharedRing.size) }
    var producer = RingProducer(ring)
    var consumer = RingConsumer(ring)
    _ = write(pattern(0, 100), &producer)
    consumer.skip(100)
    producer.writeMarker(marker(.begin, 1))
    _ = write(pattern(100, 100), &producer)
    #expect(try show(consumer) == "begin 1")
    memory.storeBytes(of: invalid.value, toByteOffset: invalid.offset, as: UInt64.self)
    #expect(throws: RingCorruption.self) { try show(consumer) }
  }

  @Test(arguments: [0, 49, 301, .max]) func speedOutOfRange_isCorruption(speed: UInt16) throws {
    let ring = try SharedRing()
    let memory = try #require(mmap(nil, SharedRing.size, PROT_READ | PROT_WRITE, MAP_SHARED, ring.memory.raw, 0))
    defer { munmap(memory, SharedRing.size) }
    var producer = RingProducer(ring)
    let consumer = RingConsumer(ring)
    producer.writeMarker(marker(.begin, 1))
    #expect(try show(consumer) == "begin 1")
    memory.storeBytes(of: speed, toByteOffset: 4132, as: UInt16.self)
    #expect(throws: RingCorruption.self) { try show(consumer) }
  }

  /// A frame number beyond the maximum duration would overflow when it is converted to a time.
  @Test func frameBeyondMaximumDuration_isCorruption() throws {
    let ring = try SharedRing()
    var producer = RingProducer(ring)
    let consumer = RingConsumer(ring)
    producer.writeMarker(marker(.begin, 1, at: .max))
    #expect(throws: RingCorruption.self) { try show(consumer) }
  }

  @Test func ringOfWrongSizeOrUnsealed_isNotAdopted() throws {
    let ring = try SharedRing()
    let path = "/proc/self/fd/\(ring.memory.raw)"
    #expect(throws: SystemError.self) { try adopt(open("/dev/null", O_RDWR), ring) }
    #expect(throws: Never.self) { try adopt(open(path, O_RDWR), ring) }
  }

  private func adopt(_ raw: Int32, _ ring: SharedRing) throws {
    _ = try SharedRing(
      adopting: Descriptor(owning: raw), space: Descriptor(owning: dup(ring.space.raw)),
      data: Descriptor(owning: dup(ring.data.raw)))
  }

  private func isReadable(_ descriptor: Int32) -> Bool { waitUntilReadable(descriptor, milliseconds: 0) }

  @discardableResult
  private func waitUntilReadable(_ descriptor: Int32, milliseconds: Int32 = 20_000) -> Bool {
    var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&watched, 1, milliseconds) == 1
  }
}
