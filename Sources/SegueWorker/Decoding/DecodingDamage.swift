// Thread: the decoding thread.
internal import SegueFFmpeg
internal import SegueSystem
internal import SegueTags
internal import SegueWire

/// A record of the damage since the last frame that was decoded. At the end of a track it states whether decoding
/// stopped before the end of the file, and why. A damaged packet in the middle only costs its own frames.
struct DecodingDamage {
  private enum Cause {
    case packet
    /// The sample size of a FLAC frame, in bits, differs from that of the header. libavcodec decodes no further frames.
    case sampleSize(from: Int, to: Int)
    case reading(LocalizableMessage)
  }

  private var cause: Cause?
  /// The number of consecutive packets that could not be decoded.
  private var count = 0
  private var isEndOfInput = false

  /// The maximum number of consecutive damaged packets that are taken for the end of a truncated file.
  private static let maximumTruncatedPackets = 2

  /// Records that a frame was decoded, so that earlier damage did not stop decoding.
  mutating func recordDecodedFrame() {
    guard !isEndOfInput else { return }
    cause = nil
    count = 0
  }

  /// Records the end of the input. The frames that the decoder still returns are older than the last damage.
  mutating func recordEndOfInput() { isEndOfInput = true }

  /// Records that the decoder rejected `packet`.
  mutating func recordDamage(of packet: Packet, codec: Codec, bitDepth: Int?) {
    count += 1
    if case .sampleSize = cause { return }
    if codec == .flac, let bitDepth, let size = packet.flacSampleSize, size != bitDepth {
      cause = .sampleSize(from: bitDepth, to: size)
    } else if cause == nil {
      cause = .packet
    }
  }

  /// Records that the file cannot be read any further.
  mutating func recordReadError(_ failure: Failure) { cause = .reading(failure.localizableMessage) }

  /// How certain it is that a part is missing if less is decoded than the headers state and no damage was found.
  enum Certainty {
    /// Everything that was encoded is known. A part can only be missing if a page of the container is.
    case pages
    /// The headers count the frames, or the durations of packets. A few packets in the middle may be damaged.
    case packets
    /// The headers may state another length than there is.
    case none

    /// The longest part that may be missing if no damage was found.
    var tolerance: MediaTime {
      switch self {
      case .pages: .milliseconds(20)
      case .packets, .none: .seconds(1)
      }
    }
  }

  /// The length that the headers or an estimate state for a track.
  struct StatedLength {
    let duration: MediaTime?
    let kind: DurationKind
    /// How certain the length is.
    let certainty: Certainty
    /// The reason why a part may be missing.
    let shortfall: Shortfall
    /// Whether the end of the file shows that audio is missing, even if all of the stated length is there.
    let endsEarly: Bool
  }

  /// Returns the reason why decoding stopped at `reached`. If the track ended as expected, returns nil.
  func failure(at reached: MediaTime, of stated: StatedLength) -> Failure? {
    let missing = stated.duration.map { $0 - reached }
    guard stated.endsEarly || missing.map({ isMissing($0, of: stated) }) ?? isReadError else { return nil }
    // A file that does not state how much is missing may state the length of what it contains.
    let end: LocalizableMessage =
      if let duration = stated.duration, duration > reached, duration.clock != reached.clock {
        LocalizableMessage("\(reached.clock) of \(duration.clock)")
      } else {
        .plain(reached.clock)
      }
    let reason: LocalizableMessage =
      switch cause {
      case nil:
        switch stated.shortfall {
        case .truncation: LocalizableMessage("the file is truncated")
        case .missingPart: LocalizableMessage("a part of the file is missing or damaged")
        case .damagedEnd: LocalizableMessage("the rest of the file is damaged")
        case .formatChange: LocalizableMessage("the format of the audio changes there, which FFmpeg does not support")
        }
      case .packet where count <= Self.maximumTruncatedPackets:
        LocalizableMessage("the file is truncated or damaged there")
      case .packet: LocalizableMessage("the rest of the file is damaged")
      case .sampleSize(let from, let to):
        LocalizableMessage(
          "the size of its samples changes from \(from) to \(to) bits, which the decoder does not support")
      case .reading(let message):
        // libavformat reports a read error at the end of a truncated file.
        stated.endsEarly ? LocalizableMessage("the file is truncated") : message
      }
    return Failure(.decodingStopped, "decoding stopped at \(end): \(reason)")
  }

  /// Whether a read error shows that more audio follows.
  private var isReadError: Bool { if case .reading = cause { true } else { false } }

  /// Returns whether `part`, the difference between the stated and the decoded length, is missing audio. Small
  /// differences result from encoder delays and tags after the audio, and larger ones from estimates.
  private func isMissing(_ part: MediaTime, of stated: StatedLength) -> Bool {
    switch (stated.kind, cause) {
    case (.unbounded, _), (.estimated, nil): false
    case (.exact, nil): part > stated.certainty.tolerance
    case (.exact, .some): part > MediaTime(seconds: stated.certainty == .none ? 0.1 : 0.01)
    case (.estimated, .some):
      part > max(MediaTime.seconds(1), MediaTime(seconds: (stated.duration?.seconds ?? 0) / 10))
    }
  }
}

extension Packet {
  /// The bits of a sample that the header of a FLAC frame states (RFC 9639, 9.1.4). If the packet does not begin with
  /// such a header, or the header refers to STREAMINFO, this is nil.
  fileprivate var flacSampleSize: Int? {
    guard bytes.count > 4, bytes[0] == 0xFF, bytes[1] & 0xFE == 0xF8 else { return nil }
    return [1: 8, 2: 12, 4: 16, 5: 20, 6: 24, 7: 32][bytes[3] >> 1 & 7]
  }
}
