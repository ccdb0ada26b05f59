import SeguePlayer
import SegueSystem
import SegueWire

extension NewEntry {
  /// `file:///music/NAME`, or a track of an album in a folder of its own.
  static func track(_ name: String, album: String? = nil, artist: String? = nil, error: String? = nil) -> NewEntry {
    var metadata = Metadata()
    metadata.album = album
    metadata.albumArtist = artist
    return NewEntry(
      uri: "file:///music/\(name)", info: EntryInfo(metadata: metadata, failure: error.map { Failure(.unplayable, $0) })
    )
  }
}

extension PlayQueue {
  /// A queue of tracks named "0", "1", …
  static func numbered(_ count: Int, seed: UInt64 = 1) -> PlayQueue {
    var queue = PlayQueue(seed: seed)
    queue.insert((0..<count).map { .track("\($0)") }, at: .end)
    return queue
  }

  /// What is in it, by name.
  var names: [String] { entries.map { $0.uri.split(separator: "/").last.map(String.init) ?? "" } }

  func name(_ id: EntryID?) -> String? { id.flatMap(index(of:)).map { names[$0] } }

  func id(_ name: String) -> EntryID? { names.firstIndex(of: name).map { entries[$0].id } }

  /// What will be heard from here to the end of the round, the current one not counted.
  func rest() -> [EntryID] {
    var copy = self
    copy.repeatMode = .off
    copy.consume = false
    var heard: [EntryID] = []
    while let id = copy.advance(.next).entry, heard.count <= count { heard.append(id) }
    return heard
  }
}
