internal import Glibc
public import SegueSystem
internal import SegueWire

/// A small file in the runtime folder with the playback position. The folder is usually in memory, so that writing the
/// file every few seconds wakes no disk. The file is replaced atomically: even after a crash, it has the old or the new
/// content.
public struct PositionFile: Sendable {
  public let path: FilePath

  public init(path: FilePath) { self.path = path }

  /// Whether the folder is in memory, so that writing the file waits for no disk.
  public var isInMemory: Bool { path.parent.isInMemory }

  /// Writes the file. Creates the folder if it is missing. Blocks in the file system.
  public func write(_ playhead: SavedPlayhead) throws(SystemError) {
    var json = JSONWriter()
    json.beginObject()
    json.member("entry", playhead.entry)
    json.member("position", playhead.position.nanoseconds)
    json.member("state", playhead.state.rawValue)
    json.member("time", playhead.time.nanoseconds)
    json.endObject()
    json.endLine()
    let temporary = path.adding(".new")
    do {
      try SmallFile.write(json.bytes, to: temporary)
    } catch  where error.code == ENOENT {
      try Folder.create(path.parent)
      try SmallFile.write(json.bytes, to: temporary)
    }
    try Folder.rename(temporary, path)
  }

  /// Returns the content of the file, or nil if the file is missing or malformed.
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

  /// Removes the file. After an orderly shutdown, the position is in the database.
  public func remove() { Folder.removeFile(path) }
}

extension SavedState {
  /// Replaces the playhead by that of the position file, if the latter is newer.
  public mutating func update(_ playhead: SavedPlayhead?) {
    if let playhead, playhead.time > self.playhead.time { self.playhead = playhead }
  }
}
