/// A splitter of the body of a station into audio and ICY metadata: after every `interval` bytes of audio there is a
/// byte with the length of the metadata in units of 16 bytes, and the metadata.
struct ICYSplitter {
  /// A part of the body.
  enum Part: Equatable {
    case audio(Range<Int>)
    case metadata([UInt8])
  }

  private let interval: Int
  private var state = State.audio(left: 0)
  private var collected: [UInt8] = []

  private enum State {
    case audio(left: Int)
    case length
    case metadata(left: Int)
  }

  /// The intervals that occur are some kilobytes.
  private static let intervals = 1...(1 << 24)

  /// Creates the splitter of a body that begins with audio. Returns nil if `interval`, the value of the header field
  /// `icy-metaint`, is not plausible.
  init?(interval: Int) {
    guard Self.intervals.contains(interval) else { return nil }
    self.interval = interval
    state = .audio(left: interval)
  }

  /// Splits the next bytes of the body. The ranges of audio are indices of `bytes`.
  mutating func split(_ bytes: UnsafeRawBufferPointer) -> [Part] {
    var parts: [Part] = []
    var index = 0
    while index < bytes.count {
      switch state {
      case .audio(let left):
        let count = min(left, bytes.count - index)
        parts.append(.audio(index..<index + count))
        index += count
        state = count < left ? .audio(left: left - count) : .length
      case .length:
        let length = Int(bytes[index]) * 16
        index += 1
        state = length > 0 ? .metadata(left: length) : .audio(left: interval)
      case .metadata(let left):
        let count = min(left, bytes.count - index)
        collected += bytes[index..<index + count]
        index += count
        if count < left {
          state = .metadata(left: left - count)
        } else {
          parts.append(.metadata(Array(collected.prefix { $0 != 0 })))
          collected = []
          state = .audio(left: interval)
        }
      }
    }
    return parts
  }
}
