// Decoding thread only.
internal import CFFmpeg
internal import Glibc
internal import SegueSystem

/// A policy for the end of a network connection: libavformat reconnects to a radio station, and any other stream of
/// unknown length ends.
///
/// libavformat itself reconnects as long as the server responds. Without a limit, a file that is served without its
/// length, or a station's announcement for listeners abroad, would be repeated forever. Therefore a station has a few
/// attempts, and one more for every few minutes of playback.
struct ReconnectPolicy {
  private let io: UnsafeMutablePointer<AVIOContext>
  private let opened = MonotonicTime.now
  private let isStation: Bool
  private let hasEnd: Bool
  private var reconnectCount: Int64 = 0
  /// The bytes received over earlier connections, without ICY metadata.
  private var before: Int64 = 0
  /// Whether all attempts are used up. The next end of the connection is the end of the stream.
  private(set) var isExhausted = false

  private static let attempts: Int64 = 5
  private static let minutesPerAttempt: Int64 = 5

  init(_ io: UnsafeMutablePointer<AVIOContext>) {
    self.io = io
    isStation = io.text("icy_metadata_headers")?.isEmpty == false
    Self.set("reconnect_streamed", isStation, of: io)
    hasEnd = avio_size(io) >= 0
    Self.set("reconnect", isStation || hasEnd, of: io)
  }

  /// Returns whether the result `code` of a read is the end of the stream. libavformat reports an I/O error at the end
  /// of a stream of unknown length.
  func isEnd(_ code: Int32) -> Bool { code == segue_averror_eof || code == -EIO && !isStation && !hasEnd }

  /// Counts a new connection if there is one since the last call.
  mutating func update() {
    var received: Int64 = 0
    // libavformat's option `offset` begins at zero for every connection, and `pos` does not.
    guard isStation, av_opt_get_int(io, "offset", AV_OPT_SEARCH_CHILDREN, &received) >= 0 else { return }
    let before = io.pointee.pos - received
    if before > self.before { reconnectCount += 1 }
    self.before = before
    let played = (MonotonicTime.now - opened).nanoseconds / 60_000_000_000
    guard !isExhausted, reconnectCount >= Self.attempts + played / Self.minutesPerAttempt else { return }
    isExhausted = true
    Self.set("reconnect_streamed", false, of: io)
  }

  private static func set(_ option: String, _ on: Bool, of io: UnsafeMutablePointer<AVIOContext>) {
    // Protocols other than HTTP do not have these options.
    _ = av_opt_set_int(io, option, on ? 1 : 0, AV_OPT_SEARCH_CHILDREN)
  }
}

extension UnsafeMutablePointer<AVIOContext> {
  /// Returns the text of a protocol's option; nil if the protocol does not have it.
  func text(_ option: String) -> String? {
    var value: UnsafeMutablePointer<UInt8>?
    guard av_opt_get(self, option, AV_OPT_SEARCH_CHILDREN, &value) >= 0, let value else { return nil }
    defer { av_free(value) }
    return String(cString: value)
  }
}
