internal import SegueSystem
public import SegueWire

/// A track of the queue or of the library.
public protocol Titled {
  var uri: String { get }
  var metadata: Metadata { get }
}

extension QueueEntry: Titled {}
extension ListedTrack: Titled {}

extension Titled {
  /// The title to display: the current title of a live stream, else the title tag, else the file name or the URI.
  public var title: String {
    if let stream = metadata.stream, !stream.isEmpty { return stream.visible }
    if let title = metadata.title, !title.isEmpty { return title.visible }
    return (FileURI.decode(uri)?.stem ?? WebURL.withoutUser(WebURL.readable(uri))).visible
  }

  public var artist: String { (metadata.artist ?? metadata.artists.first ?? "").visible }
}

extension Metadata {
  /// The album with its year, such as `Low Tide (2024)`; empty without an album.
  public var albumAndYear: String {
    let album = (album ?? "").visible
    guard !album.isEmpty, let year else { return album }
    return "\(album) (\(year))"
  }
}
