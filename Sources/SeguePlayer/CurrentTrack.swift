internal import SegueSystem
internal import SegueWire

/// What is chosen to be heard, for as long as it is: it may have left the queue meanwhile.
struct CurrentTrack {
  let entry: EntryID
  let uri: String
  /// nil while it is not known, and where there is no end.
  var duration: MediaTime?
  /// nil before the file was opened.
  var chapters: [Chapter]?
}
