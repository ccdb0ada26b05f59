internal import SegueSystem
internal import SegueWire

/// The current track of playback. It is kept while it is played, though its entry may have left the queue.
struct CurrentTrack {
  let entry: EntryID
  let uri: String
  /// The duration; nil if it is unknown, or unbounded.
  var duration: MediaTime?
  /// The chapters; nil before the file was opened.
  var chapters: [Chapter]?
}
