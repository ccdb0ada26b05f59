internal import Glibc
public import SegueSystem
internal import SegueWire

/// A small file in the runtime folder with the playback position. The folder is usually in memory, so that writing it
/// every few seconds wakes no disk. Written whole and renamed into place: a reader sees the old or the new, after a crash too.
public struct PositionFile: Sendable {
  public let path: FilePath

  public init(path: FilePath) { self.path = path }

  /// Whether the folder is in memory, so that writing the file waits for no disk.
  public var isInMemory: Bool { path.parent.isInMemory }

  /// Makes the folder if need be. Blocks in the file system.
  public func write(_ playhead: SavedPlayhead) throws(SystemError) {
    var json = JSONWriter()
    json.beginObject()
    json.member("entry", playhead.entry)
    json.member("position", playhead.position.nanoseconds)
    json.member("state", playhead.state.rawValue)
    json.member("time", playhead.time.nanoseconds)
    json.endObject()
    json.endLine()
    let draft = path.adding(".new")
    do {
      try SmallFile.write(json.bytes, to: draft)
    } catch  where error.code == ENOENT {
      try Folder.create(path.parent)
      try SmallFile.write(json.bytes, to: draft)
    }
    try Folder.rename(draft, path)
  }

  /// nil if there is none, or none that can be understood.
  public func read() -> SavedPlayhead? {
    guard let bytes = try? SmallFile.read(path, upTo: 4096), let json = try? JSON(parsing: bytes),
      let position = json["position"]?.integer, let time = json["time"]?.integer,
      let state = json["state"]?.string.flatMap(PlayState.init)
    else { return nil }
    return SavedPlayhead(
      entry: json["entry"]?.integer.flatMap(UInt64.init(exactly:)),
      position: MediaTime(nanoseconds: position).clamped(to: .zero ... .maximum),
      state: state, time: UnixTime(nanoseconds: time))
  }

  /// For an orderly end: the database knows all then.
  public func remove() { Folder.removeFile(path) }
}

extension SavedState {
  /// Takes over what the position file says, if that is newer.
  public mutating func prefer(_ playhead: SavedPlayhead?) {
    if let playhead, playhead.time > self.playhead.time { self.playhead = playhead }
  }
}
