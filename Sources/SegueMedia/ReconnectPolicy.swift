// Decoding thread only.
internal import CFFmpeg
internal import Glibc
internal import SegueSystem

/// Has a radio station taken up anew when its server hangs up, and lets whatever else has no known length end there.
///
/// libavformat does the asking, for as long as the server answers: a file that is served without its length, or the one
/// sentence a station has for listeners from abroad, would come round and round. So a station has a few attempts, and one
/// more for every few minutes it has played.
struct ReconnectPolicy {
  private let io: UnsafeMutablePointer<AVIOContext>
  private let opened = MonotonicTime.now
  private let isStation: Bool
  private let hasEnd: Bool
  private var count: Int64 = 0
  /// Bytes that came over earlier connections, less ICY metadata.
  private var before: Int64 = 0
  /// Asked too often: the next end is the last.
  private(set) var isExhausted = false

  private static let attempts: Int64 = 5
  private static let minutesPerAttempt: Int64 = 5

  init(_ io: UnsafeMutablePointer<AVIOContext>) {
    self.io = io
    isStation = Self.text("icy_metadata_headers", of: io)?.isEmpty == false
    Self.set("reconnect_streamed", isStation, of: io)
    hasEnd = avio_size(io) >= 0
    Self.set("reconnect", isStation || hasEnd, of: io)
  }

  /// Whether `code`, of a read, is the end. Of a stream without a known length libavformat says that it broke off.
  func isEnd(_ code: Int32) -> Bool { code == segue_averror_eof || code == -EIO && !isStation && !hasEnd }

  /// Looks whether the connection is another than before.
  mutating func watch() {
    var received: Int64 = 0
    // That counts anew with every connection, the position does not.
    guard isStation, av_opt_get_int(io, "offset", AV_OPT_SEARCH_CHILDREN, &received) >= 0 else { return }
    let before = io.pointee.pos - received
    if before > self.before { count += 1 }
    self.before = before
    let played = (MonotonicTime.now - opened).nanoseconds / 60_000_000_000
    guard !isExhausted, count >= Self.attempts + played / Self.minutesPerAttempt else { return }
    isExhausted = true
    Self.set("reconnect_streamed", false, of: io)
  }

  private static func set(_ option: String, _ on: Bool, of io: UnsafeMutablePointer<AVIOContext>) {
    // Other protocols than HTTP have no such option.
    _ = av_opt_set_int(io, option, on ? 1 : 0, AV_OPT_SEARCH_CHILDREN)
  }

  private static func text(_ option: String, of io: UnsafeMutablePointer<AVIOContext>) -> String? {
    var value: UnsafeMutablePointer<UInt8>?
    guard av_opt_get(io, option, AV_OPT_SEARCH_CHILDREN, &value) >= 0, let value else { return nil }
    defer { av_free(value) }
    return String(cString: value)
  }
}
