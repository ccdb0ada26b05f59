import SegueState
import SegueSystem
import SegueWire

@testable import SeguePlayer

extension NewEntry {
  /// Returns an entry for `file:///music/NAME`, with the given tags.
  static func track(_ name: String, album: String? = nil, artist: String? = nil, error: String? = nil) -> NewEntry {
    var metadata = Metadata()
    metadata.album = album
    metadata.albumArtist = artist
    return NewEntry(
      uri: "file:///music/\(name)",
      info: EntryInfo(metadata: metadata, failure: error.map { Failure(.unplayable, .plain($0)) })
    )
  }
}

extension PlayQueue {
  /// Returns a queue of tracks named "0", "1", …
  static func numbered(_ count: Int, seed: UInt64 = 1) -> PlayQueue {
    var queue = PlayQueue(version: 0, seed: seed)
    queue.insert((0..<count).map { .track("\($0)") }, at: .end)
    return queue
  }

  /// Replaces all entries by `new`.
  @discardableResult
  mutating func replaceAll(_ new: [NewEntry]) -> (insertion: Insertion, removal: Removal) {
    var replacement = QueueReplacement()
    _ = prepare(new, for: &replacement)
    return replaceAll(replacement)
  }

  /// The names of the entries.
  var names: [String] { entries.map { $0.uri.split(separator: "/").last.map(String.init) ?? "" } }

  func name(_ id: EntryID?) -> String? { id.flatMap(index(of:)).map { names[$0] } }

  func id(_ name: String) -> EntryID? { names.firstIndex(of: name).map { entries[$0].id } }

  /// Returns the entries that are played from here to the end of the round, without the current one.
  func rest() -> [EntryID] {
    var copy = self
    copy.repeatMode = .off
    copy.consume = false
    var played: [EntryID] = []
    while let id = copy.advance(.next).entry, played.count <= count { played.append(id) }
    return played
  }
}

extension SavedStep {
  /// Does what the database does with a further part of a step.
  mutating func extend(by part: SavedStepExtension) {
    step = part.step
    insertions = (insertions + part.insertions).sorted { ($0.rank, $0.id) < ($1.rank, $1.id) }
    removals = part.removals
    ranks = (ranks + part.ranks).filter { !part.endedRanks.contains($0.id) }
    (current, position) = (part.current, part.position)
  }
}
