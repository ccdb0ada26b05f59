internal import SegueLoop
internal import SegueSystem
internal import SegueWire

/// The contents of the notification about the current track (Desktop Notifications Specification 1.2).
struct TrackNotification: Equatable {
  /// The entry in the queue.
  private let entry: UInt64
  private let title: String
  private let body: String
  /// The `file://` URI of the cover.
  private let cover: String?

  /// Returns nil unless a track is playing.
  init?(_ status: Status) {
    guard status.state == .playing, status.rate > 0, let track = status.track else { return nil }
    let metadata = track.metadata
    entry = track.id
    // The title of a radio station is the title of the current song.
    title = metadata.stream ?? metadata.title ?? track.uri
    let rest = [metadata.stream == nil ? nil : metadata.title, metadata.artist, metadata.album]
    body = rest.compactMap(\.self).joined(separator: " – ")
    cover = metadata.art.flatMap { $0.hasPrefix("file://") ? $0 : nil }
  }

  /// Returns the arguments of `Notify`.
  /// - Parameters:
  ///   - replacedID: The notification to replace; 0 for none.
  ///   - supportsMarkup: Whether the server interprets the body as markup.
  func arguments(replacing replacedID: UInt32, supportsMarkup: Bool) -> [BusValue] {
    var hints = [
      BusValue.Entry("desktop-entry", .string("segue")), BusValue.Entry("transient", .boolean(true)),
      // The urgency is low.
      BusValue.Entry("urgency", .byte(0)),
    ]
    if let cover { hints.append(BusValue.Entry("image-path", .string(cover))) }
    return [
      .string("Segue"), .uint32(replacedID), .string("segue"), .string(title),
      .string(supportsMarkup ? body.escapedForMarkup(quotes: false) : body), .strings([]), .dictionary(hints),
      // The server chooses the timeout.
      .int32(-1),
    ]
  }
}
