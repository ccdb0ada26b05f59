internal import SegueLink

/// A text of the index that has no sort key yet, or one of another order than the rest.
struct PendingSortKey {
  /// As the table `unsorted` has it.
  enum Kind: Int64 {
    case track = 1
    case artist, album, albumArtist, genre
  }

  var kind: Kind
  /// The row's: of an album's texts its part's.
  var id: Int64
  var text: CollationInput
}
