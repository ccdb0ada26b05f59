internal import Glibc
internal import SegueSystem
internal import SegueWire

/// The spectrum and the levels of what is audible, as they are displayed: they rise at once and fall gradually.
///
/// It asks for the sound only while a view displays it. Without sound, everything falls to rest, and then nothing
/// changes any more.
struct SoundAnalysis {
  /// The level of a channel in decibels, relative to full scale.
  struct ChannelLevel: Equatable {
    fileprivate(set) var peak = SpectrumBands.silentLevel
    fileprivate(set) var rms = SpectrumBands.silentLevel
    /// The mean of the squares, from which `rms` is calculated.
    fileprivate var square: Float = 0
  }

  /// A level that a view displays.
  struct Band: Equatable {
    fileprivate(set) var level = SpectrumBands.silentLevel
    /// The highest level of the last moments.
    fileprivate(set) var peak = SpectrumBands.silentLevel
    /// The time for which the peak stands still.
    fileprivate var hold: Float = 0
  }

  /// The spectrum, from low to high frequencies.
  private(set) var bands = [Band](repeating: Band(), count: SpectrumBands.count)
  private(set) var left = ChannelLevel()
  private(set) var right = ChannelLevel()

  /// Whether the daemon was asked for the sound.
  private var isFollowed = false
  /// Whether the daemon has refused to send the sound over this connection.
  private(set) var isRefused = false
  /// The transform while the sound is displayed.
  private var transform: FourierTransform?
  /// The last samples of both channels together.
  private var samples: [Float] = []
  /// The number of the sample that comes next, and the rate.
  private var next: UInt64 = 0
  private var rate = 0
  /// The time of the last sound, and that of the last change of what is displayed.
  private var lastSound = MonotonicTime(nanoseconds: 0)
  private var lastChange = MonotonicTime(nanoseconds: 0)

  /// The number of samples of a spectrum.
  private static let length = 4_096
  /// The time without sound after which everything falls, and the time between two changes then.
  private static let patience = MediaTime.milliseconds(60)
  private static let step = MediaTime(nanoseconds: 1_000_000_000 / 30)
  /// The level below which nothing is displayed.
  static let lowestLevel: Float = -70
  /// The speeds in decibels per second.
  private static let fallOfBands: Float = 60
  private static let fallOfPeaks: Float = 25
  private static let fallOfMeters: Float = 20
  /// The time for which a peak stands still, and the time constant of the mean power, in seconds.
  private static let holdOfPeaks: Float = 0.4
  private static let timeOfMean: Float = 0.3

  // MARK: The daemon

  /// Returns the calls that begin or end the sound, after an event. `isShown`: whether a view displays it.
  mutating func prepare(isShown: Bool) -> [DaemonCall] {
    if !isShown { rest() }
    guard isShown != isFollowed, !isShown || !isRefused else { return [] }
    isFollowed = isShown
    return [.followSound(isShown)]
  }

  /// Takes over that a call has failed: the daemon is asked again over another connection.
  mutating func receiveFailure() { (isFollowed, isRefused) = (false, true) }

  /// Takes over the loss of the connection.
  mutating func disconnect() { (isFollowed, isRefused) = (false, false) }

  // MARK: The sound

  /// Takes over what was audible.
  mutating func update(_ sound: Sound, at now: MonotonicTime) {
    guard isFollowed, 1...384_000 ~= sound.sampleRate else { return }
    let (first, second) = (Self.samples(sound.left), Self.samples(sound.right))
    let count = min(first.count, second.count, Self.length)
    guard count > 0 else { return }
    if sound.first != next || sound.sampleRate != rate || samples.count != Self.length {
      samples = Array(repeating: 0, count: Self.length)
    }
    next = sound.first &+ UInt64(count)
    rate = sound.sampleRate
    lastSound = now
    let time = Float(count) / Float(rate)
    samples.removeFirst(count)
    for index in 0..<count { samples.append((first[index] + second[index]) / 2) }
    Self.update(&left, first[..<count], time)
    Self.update(&right, second[..<count], time)
    let transform = transform ?? FourierTransform(count: Self.length)
    self.transform = transform
    let levels = transform.withPowers(of: samples) { SpectrumBands.levels(of: $0, rate: Float(rate)) }
    show(levels, after: elapsed(until: now))
    lastChange = now
  }

  /// Lets everything fall if no sound has come for a while.
  mutating func advance(to now: MonotonicTime) {
    guard let change = nextChange, change <= now else { return }
    let time = elapsed(until: now)
    show(nil, after: time)
    Self.update(&left, [], time)
    Self.update(&right, [], time)
    lastChange = now
    if isAtRest { rest() }
  }

  /// Whether there is sound to display. The first samples come as late as the output plays them.
  var isAudible: Bool { transform != nil }

  /// The time at which the display changes without sound; nil if it is at rest.
  var nextChange: MonotonicTime? {
    transform == nil ? nil : max(lastSound + Self.patience, lastChange + Self.step)
  }

  private var isAtRest: Bool {
    max(left.peak, right.peak, left.rms, right.rms) <= Self.lowestLevel
      && bands.allSatisfy { max($0.level, $0.peak) <= Self.lowestLevel }
  }

  /// Displays silence, and frees the memory.
  private mutating func rest() {
    guard transform != nil else { return }
    transform = nil
    samples = []
    (left, right) = (ChannelLevel(), ChannelLevel())
    bands = Array(repeating: Band(), count: SpectrumBands.count)
  }

  /// Returns the time in seconds since the last change.
  private func elapsed(until now: MonotonicTime) -> Float {
    Float(min(max(0, (now - lastChange).seconds), 0.2))
  }

  /// Displays levels, or silence, after a time.
  private mutating func show(_ levels: [Float]?, after time: Float) {
    for index in bands.indices {
      var band = bands[index]
      band.level = max(levels?[index] ?? SpectrumBands.silentLevel, band.level - Self.fallOfBands * time)
      if band.level >= band.peak {
        (band.peak, band.hold) = (band.level, Self.holdOfPeaks)
      } else {
        band.hold -= time
        if band.hold <= 0 { band.peak = max(band.level, band.peak - Self.fallOfPeaks * time) }
      }
      bands[index] = band
    }
  }

  /// Adds the samples of a time, or silence, to the level of a channel.
  private static func update(_ level: inout ChannelLevel, _ samples: ArraySlice<Float>, _ time: Float) {
    var (peak, square): (Float, Float) = (0, 0)
    for sample in samples {
      peak = max(peak, abs(sample))
      square += sample * sample
    }
    if !samples.isEmpty { square /= Float(samples.count) }
    level.peak = max(decibels(peak), level.peak - fallOfMeters * time, SpectrumBands.silentLevel)
    level.square += (square - level.square) * (1 - expf(-time / timeOfMean))
    level.rms = decibels(level.square.squareRoot())
  }

  private static func decibels(_ amplitude: Float) -> Float { 20 * log10f(max(amplitude, 1e-5)) }

  /// Returns samples from -1 to 1 for those of an event.
  private static func samples(_ text: String) -> [Float] {
    let bytes = Base64.standard.decoded(text.utf8)
    return stride(from: 0, to: bytes.count - 1, by: 2).map { index in
      Float(Int16(bitPattern: UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8)) * 0x1p-15
    }
  }
}
