// Thread: any. The thread of the output writes, and the loop reads. Writing is part of the audio path: it neither
// allocates nor locks nor waits.

internal import Glibc
public import SegueSystem
internal import Synchronization

/// A copy of the sound for those who show it: the output writes to it what it passes on to be played, and the loop
/// reads from it what is audible, as `SinkClock` says.
///
/// It keeps samples of two channels for as long as they may be audible: the last `capacity` ones. At a rate above
/// 48 kHz, a sample is the mean of several frames. Sample number n begins with frame n × `framesPerSample` of the
/// stream.
///
/// Each sample is an atomic word, so a reader that is too late gets newer samples, and never torn ones.
public final class SoundTap: Sendable {
  /// The number of samples that are kept: more than five seconds, and more than outputs buffer.
  private static let capacity = 1 << 18
  /// The highest rate of the samples.
  private static let maximumRate: UInt32 = 48_000
  private static let maximumChannels = 32

  // Proof: `Atomic<UInt32>` has the size and alignment of `UInt32` and no other state, and calloc aligns for both. The
  // pointer never changes.
  private nonisolated(unsafe) let words: UnsafeMutablePointer<Atomic<UInt32>>
  // Proof: used by `write` alone, on the thread of the output.
  private nonisolated(unsafe) let mixer: UnsafeMutablePointer<Mixer>

  public init() {
    guard let memory = calloc(Self.capacity, MemoryLayout<Atomic<UInt32>>.stride) else {
      fatalError("there is no memory for the samples")
    }
    words = memory.bindMemory(to: Atomic<UInt32>.self, capacity: Self.capacity)
    mixer = .allocate(capacity: 1)
    mixer.initialize(to: Mixer())
  }

  deinit {
    free(words)
    mixer.pointee.free()
    mixer.deallocate()
  }

  /// Returns the number of frames of the stream for each sample.
  public static func framesPerSample(at rate: SampleRate) -> Int64 {
    Int64((rate.hertz + maximumRate - 1) / maximumRate)
  }

  // MARK: Writing

  /// Writes frames of this format, the first of which is the frame `frame` of the stream. Must be called on the thread
  /// of the output.
  public func write(_ pcm: UnsafeRawBufferPointer, at frame: Frames, _ format: AudioFormat) {
    guard let base = pcm.baseAddress else { return }
    mixer.pointee.prepare(format)
    let size = format.bytesPerFrame
    var address = base
    var number = frame.count
    for _ in 0..<pcm.count / size {
      if let sample = mixer.pointee.add(address, number) {
        words[Int(truncatingIfNeeded: sample.number) & (Self.capacity - 1)].store(sample.word, ordering: .relaxed)
      }
      address += size
      number += 1
    }
  }

  // MARK: Reading

  /// Calls `body` with each sample of `numbers`, whose values have the whole range of their type. Samples that were not
  /// written have any value.
  public func read(_ numbers: Range<Int64>, _ body: (_ left: Int16, _ right: Int16) -> Void) {
    for number in numbers {
      let word = words[Int(truncatingIfNeeded: number) & (Self.capacity - 1)].load(ordering: .relaxed)
      body(Int16(truncatingIfNeeded: word), Int16(truncatingIfNeeded: word >> 16))
    }
  }

  /// Mixes the channels of frames to two channels, and several frames to one sample.
  private struct Mixer {
    private var format: AudioFormat?
    private var channels = 0
    private var framesPerSample: Int64 = 1
    /// The weights of each channel in the left and the right one.
    private let weights: UnsafeMutablePointer<(left: Float, right: Float)>
    /// The sum of the frames of the present sample, and their number.
    private var sum: (left: Float, right: Float) = (0, 0)
    private var count: Int64 = 0

    init() {
      weights = .allocate(capacity: SoundTap.maximumChannels)
      weights.initialize(repeating: (0, 0), count: SoundTap.maximumChannels)
    }

    func free() { weights.deallocate() }

    mutating func prepare(_ format: AudioFormat) {
      guard format != self.format else { return }
      self.format = format
      channels = min(Int(format.channels.count), SoundTap.maximumChannels)
      framesPerSample = SoundTap.framesPerSample(at: format.rate)
      count = 0
      var bit = 0
      for channel in 0..<channels {
        while bit < 64, format.channels.mask != 0, format.channels.mask & 1 << UInt64(bit) == 0 { bit += 1 }
        weights[channel] = Self.weight(ofPosition: format.channels.mask == 0 ? nil : bit, channel, of: channels)
        bit += 1
      }
    }

    /// Returns the weights of a channel: a left one is heard on the left, and what is between them on both sides. The
    /// numbers of the positions are those of `ChannelLayout.mask`; without positions, the first two channels count.
    private static func weight(
      ofPosition position: Int?, _ channel: Int, of count: Int
    ) -> (left: Float, right: Float) {
      if count == 1 { return (1, 1) }
      let half = Float(0.5).squareRoot()
      switch position ?? channel {
      case 0, 4, 6, 9, 12, 15: return (1, 0)
      case 1, 5, 7, 10, 14, 17: return (0, 1)
      case 2, 8, 11, 13, 16: return position == nil ? (0, 0) : (half, half)
      default: return (0, 0)
      }
    }

    /// Adds the frame number `number`. Returns the sample that it completes.
    mutating func add(_ frame: UnsafeRawPointer, _ number: Int64) -> (number: Int64, word: UInt32)? {
      let mixed = mix(frame)
      guard framesPerSample > 1 else { return (number, Self.word(mixed.left, mixed.right)) }
      let place = number % framesPerSample
      if place == 0 || count != place { (sum, count) = ((0, 0), 0) }
      // What begins in the middle of a sample counts as its beginning, too.
      if count == 0, place > 0 { (sum, count) = ((mixed.left * Float(place), mixed.right * Float(place)), place) }
      sum = (sum.left + mixed.left, sum.right + mixed.right)
      count += 1
      guard count == framesPerSample else { return nil }
      let scale = 1 / Float(framesPerSample)
      return (number / framesPerSample, Self.word(sum.left * scale, sum.right * scale))
    }

    private func mix(_ frame: UnsafeRawPointer) -> (left: Float, right: Float) {
      var result: (left: Float, right: Float) = (0, 0)
      for channel in 0..<channels {
        let value = value(frame, channel)
        result.left += value * weights[channel].left
        result.right += value * weights[channel].right
      }
      return result
    }

    /// Returns a value of a frame, from -1 to 1. One that is no number is silence.
    private func value(_ frame: UnsafeRawPointer, _ channel: Int) -> Float {
      switch format?.sample {
      case .signed16: Float(frame.loadUnaligned(fromByteOffset: 2 * channel, as: Int16.self)) * 0x1p-15
      case .signed32: Float(frame.loadUnaligned(fromByteOffset: 4 * channel, as: Int32.self)) * 0x1p-31
      case .float32: Self.finite(frame.loadUnaligned(fromByteOffset: 4 * channel, as: Float.self))
      case nil: 0
      }
    }

    private static func finite(_ value: Float) -> Float { value.isFinite ? value : 0 }

    private static func word(_ left: Float, _ right: Float) -> UInt32 {
      UInt32(integer(left)) | UInt32(integer(right)) << 16
    }

    /// Returns the bits of an integer of 16 bits.
    private static func integer(_ value: Float) -> UInt16 {
      let scaled = (value * 0x1p15).rounded()
      return UInt16(bitPattern: scaled >= 32_767 ? 32_767 : scaled > -32_768 ? Int16(scaled) : -32_768)
    }
  }
}
