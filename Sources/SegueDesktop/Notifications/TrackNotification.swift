internal import SegueLoop
internal import SegueSystem
internal import SegueWire

/// What a notification says of the track that is heard (Desktop Notifications Specification 1.2).
struct TrackNotification: Equatable {
  /// The queue's entry.
  private let entry: UInt64
  private let title: String
  private let about: String
  /// A `file://` URI.
  private let cover: String?

  /// nil while nothing is heard.
  init?(_ status: Status) {
    guard status.state == .playing, status.rate == 1, let track = status.track else { return nil }
    let metadata = track.metadata
    entry = track.id
    // Of a station, what it plays.
    title = metadata.stream ?? metadata.title ?? track.uri
    let rest = [metadata.stream == nil ? nil : metadata.title, metadata.artist, metadata.album]
    about = rest.compactMap(\.self).joined(separator: " – ")
    cover = metadata.art.flatMap { $0.hasPrefix("file://") ? $0 : nil }
  }

  /// The arguments of `Notify`. `replaced`: the notification whose place it takes; 0 for none. `isMarkup`: whether the
  /// server reads the body as markup.
  func arguments(replacing replaced: UInt32, isMarkup: Bool) -> [BusValue] {
    var hints = [
      BusValue.Entry("desktop-entry", .string("segue")), BusValue.Entry("transient", .boolean(true)),
      // Low.
      BusValue.Entry("urgency", .byte(0)),
    ]
    if let cover { hints.append(BusValue.Entry("image-path", .string(cover))) }
    return [
      .string("Segue"), .uint32(replaced), .string("segue"), .string(title),
      .string(isMarkup ? about.escapedForMarkup(quotes: false) : about), .strings([]), .dictionary(hints),
      // For as long as the server finds right.
      .int32(-1),
    ]
  }
}
