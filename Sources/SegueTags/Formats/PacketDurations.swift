/// The durations of the packets of a track of an MP4 file, in the time scale of the track.
struct PacketDurations {
  /// The number of packets, and the sum of their durations.
  private(set) var count: Int64 = 0
  private(set) var total: Int64 = 0
  /// The duration of the first packet.
  private var first: Int64 = 0
  /// Whether the last packet is shorter than the first one.
  private var endsShort = false
  /// Whether a packet before the last one has another duration than the first one.
  private var varies = false

  /// The maximum sum and number, which no genuine file reaches. Sums of a few such values do not overflow.
  private static let maximumTotal: Int64 = 1 << 60

  /// Adds `number` packets, each of which has `duration`. Returns false if the sum is too large.
  mutating func add(_ number: Int64, of duration: Int64) -> Bool {
    guard number > 0 else { return true }
    let (product, overflow) = number.multipliedReportingOverflow(by: duration)
    guard !overflow, product <= Self.maximumTotal - total, number <= Self.maximumTotal - count else { return false }
    if count == 0 { first = duration }
    if endsShort || duration > first || duration < first && number > 1 { varies = true }
    endsShort = duration < first
    count += number
    total += product
    return true
  }

  /// Returns whether each packet has `duration`, except the last one, which may be shorter. Only then do the timestamps
  /// of a codec whose packets have a constant length count the frames that are decoded.
  func areAll(_ duration: Int64) -> Bool {
    count == 1 ? first <= duration : !varies && first == duration
  }
}
