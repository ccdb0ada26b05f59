// Decoding thread only.
internal import SegueFFmpeg
internal import SegueSystem
internal import SegueWire

/// A record of what could not be decoded since the last frame that could. At the end of a track it says whether
/// decoding stopped before the end, and why. A damaged packet in the middle costs its own frames and is no stop.
struct DecodingDamage {
  private enum Cause {
    case packet
    /// The samples of a FLAC frame have another size, in bits, than the header states: libavcodec decodes no more.
    case sampleSize(from: Int, to: Int)
    case reading(String)
  }

  private var cause: Cause?
  /// Packets in a row that could not be decoded.
  private var count = 0
  private var isInputOver = false

  /// The most damaged packets in a row that are taken for the end of a truncated file.
  private static let mostTruncated = 2

  /// A frame was decoded: what was damaged before it was no stop.
  mutating func noteFrame() {
    guard !isInputOver else { return }
    cause = nil
    count = 0
  }

  /// No packet comes any more: what the decoder still gives is older than what was damaged last.
  mutating func noteEndOfInput() { isInputOver = true }

  /// The decoder could make nothing of `packet`.
  mutating func note(_ packet: Packet, of codec: Codec, bitDepth: Int?) {
    count += 1
    if case .sampleSize = cause { return }
    if codec == .flac, let bitDepth, let size = packet.flacSampleSize, size != bitDepth {
      cause = .sampleSize(from: bitDepth, to: size)
    } else if cause == nil {
      cause = .packet
    }
  }

  /// Reading on failed for good.
  mutating func note(_ failure: Failure) { cause = .reading(failure.message) }

  /// A length that a track is said to have.
  struct Stated {
    let duration: MediaTime?
    let kind: DurationKind
    /// Whether the length is certain enough to miss a part of the track though nothing was found damaged.
    let isCertain: Bool
  }

  /// Returns why the track stopped at `reached`; nil if it came to its end as far as can be told.
  func failure(at reached: MediaTime, of stated: Stated) -> Failure? {
    if let duration = stated.duration, !misses(duration - reached, of: stated) { return nil }
    let end: String
    switch (stated.duration, cause) {
    case (let duration?, _): end = "\(reached.clock) of \(duration.clock)"
    // Without a length only this is certain: there is more, and it cannot be read.
    case (nil, .reading): end = reached.clock
    case (nil, _): return nil
    }
    let reason =
      switch cause {
      case nil: "the file is truncated"
      case .packet where count <= Self.mostTruncated: "the file is truncated or damaged there"
      case .packet: "the rest of the file is damaged"
      case .sampleSize(let from, let to):
        "the size of its samples changes from \(from) to \(to) bits, which the decoder does not support"
      case .reading(let message): message
      }
    return Failure(.decodingStopped, "decoding stopped at \(end): \(reason)")
  }

  /// Encoders' delays and tags behind the audio make lengths differ a little; estimates differ by more.
  private func misses(_ part: MediaTime, of stated: Stated) -> Bool {
    switch (stated.kind, cause) {
    case (.unbounded, _), (.estimated, nil): false
    case (.exact, nil): stated.isCertain && part > .seconds(1)
    case (.exact, .some): part > MediaTime(seconds: stated.isCertain ? 0.01 : 0.1)
    case (.estimated, .some):
      part > max(MediaTime.seconds(1), MediaTime(seconds: (stated.duration?.seconds ?? 0) / 10))
    }
  }
}

extension Packet {
  /// The bits of a sample as the header of a FLAC frame states them (RFC 9639, 9.1.4); nil if the packet does not begin
  /// with one, or the header refers to STREAMINFO.
  fileprivate var flacSampleSize: Int? {
    guard bytes.count > 4, bytes[0] == 0xFF, bytes[1] & 0xFE == 0xF8 else { return nil }
    return [1: 8, 2: 12, 4: 16, 5: 20, 6: 24, 7: 32][bytes[3] >> 1 & 7]
  }
}
