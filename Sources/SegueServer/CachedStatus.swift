// Thread: the loop.

internal import SeguePlayer
internal import SegueSystem
internal import SegueWire

/// The last `Status` that was answered, as bytes.
///
/// It stays true while nothing changes: `position` is that of `monotonic`, and a reader extrapolates. It is made anew
/// all the same after ten milliseconds, because the clock it was made by is corrected now and then.
@MainActor
struct CachedStatus {
  private var answer = EncodedJSON(JSONWriter())
  private var revision: UInt64?
  private var made = MonotonicTime(nanoseconds: 0)

  private static let lifetime = MediaTime.milliseconds(10)

  mutating func current(of player: Player) -> EncodedJSON {
    let now = MonotonicTime.now
    if revision != player.revision || now - made > Self.lifetime {
      var json = JSONWriter()
      player.status.encode(into: &json)
      answer = EncodedJSON(json)
      // Asking may have found a change.
      revision = player.revision
      made = now
    }
    return answer
  }
}
