/// The layout of the shared memory. The producer has read untrusted data and may be compromised, so the consumer
/// validates every value.
///
/// ```
/// 0      header: cursors and flags, each on its own cache line
/// 4096   marker records, `markerCapacity` of `markerStride` bytes
/// 20480  PCM, `pcmCapacity` bytes, addressed modulo
/// ```
enum RingLayout {
  /// The number of bytes of PCM written since the creation of the ring. Written by the producer.
  static let writeCursor = 0
  /// The number of bytes of PCM read since the creation of the ring. Written by the consumer.
  static let readCursor = 64
  /// The number of marker records written. Written by the producer.
  static let markerWriteCursor = 128
  /// The number of marker records read. Written by the consumer.
  static let markerReadCursor = 192
  /// The number of unread bytes at which the producer wakes up, or `markerConsumed`, or `notWaiting`. Written by the
  /// producer.
  static let producerWaitCondition = 256
  /// 1 while the consumer waits for the `data` signal, otherwise 0. Written by the consumer.
  static let consumerIsWaiting = 320

  static let markers = 4096
  static let markerStride = 64
  static let markerCapacity = 256
  static let pcm = markers + markerStride * markerCapacity

  /// The value of `producerWaitCondition` while the producer does not wait.
  static let notWaiting = UInt64.max
  /// The value of `producerWaitCondition` while the producer waits for space for a marker.
  static let markerConsumed = UInt64.max - 1

  /// The number of bytes of PCM, a power of two: 23 s of CD audio, or 0.9 s of 5.1 at 192 kHz in 32 bit.
  static let pcmCapacity = 4 << 20
}
