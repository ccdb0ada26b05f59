internal import SegueClientKit

extension Titled {
  /// Returns `Title — Artist`, or the title alone if the artist is unknown.
  func heading(_ style: Style) -> String { artist.isEmpty ? title : "\(title) \(style.dash) \(artist)" }
}
