/// The shared memory's shape. Everything here is written by a process that has read foreign bytes: the consumer checks
/// every number that comes out of it.
///
/// ```
/// 0      header: cursors and flags, each on its own cache line
/// 4096   chunk records, `chunkCapacity` of `chunkStride` bytes
/// 20480  PCM, `pcmCapacity` bytes, addressed modulo
/// ```
enum RingLayout {
  /// Bytes of PCM written since the ring was made. Producer's.
  static let writeCursor = 0
  /// Bytes of PCM read since the ring was made. Consumer's.
  static let readCursor = 64
  /// Chunk records written. Producer's.
  static let chunkWriteCursor = 128
  /// Chunk records read. Consumer's.
  static let chunkReadCursor = 192
  /// The producer sleeps until no more than this many bytes are unread, or until `aMarkIsTaken`; `awake` while it does
  /// not. Producer's.
  static let producerSleepsUntil = 256
  /// 1 while the consumer has run dry and wants a `data` signal, else 0. Consumer's.
  static let consumerIsDry = 320

  static let chunks = 4096
  static let chunkStride = 64
  static let chunkCapacity = 256
  static let pcm = chunks + chunkStride * chunkCapacity

  /// `producerSleepsUntil` while the producer is at work.
  static let awake = UInt64.max
  /// `producerSleepsUntil` while it waits for room for a mark, which reading PCM does not make.
  static let aMarkIsTaken = UInt64.max - 1

  /// 4 MiB: 23 s of CD audio, 0.9 s of 5.1 at 192 kHz in 32 bit. A power of two.
  static let pcmCapacity = 4 << 20
}
