internal import SegueSystem
internal import SegueWire

/// A track, queued or listed.
protocol Titled {
  var uri: String { get }
  var metadata: Metadata { get }
}

extension Track: Titled {}
extension ListedTrack: Titled {}

extension Titled {
  /// The title; for what has none, the file's name or the URI. A live stream's own title comes first.
  var title: String {
    if let stream = metadata.stream, !stream.isEmpty { return stream.visible }
    if let title = metadata.title, !title.isEmpty { return title.visible }
    return (FileURI.decode(uri)?.stem ?? uri).visible
  }

  var artist: String { (metadata.artist ?? metadata.artists.first ?? "").visible }

  /// `Title — Artist`, whichever there is.
  func heading(_ style: Style) -> String { artist.isEmpty ? title : "\(title) \(style.dash) \(artist)" }
}

extension Int {
  /// A place in the queue, counted from 0, as people count.
  var fromOne: Int { Swift.min(self, .max - 1) + 1 }

  /// This in units of `unit`, to the nearest.
  func rounded(to unit: Int) -> Int { self / unit + (self % unit * 2 >= unit ? 1 : 0) }
}

/// A URI as a person would write it: a path where it is one.
func place(_ uri: String) -> String { (FileURI.decode(uri)?.description ?? uri).visible }
