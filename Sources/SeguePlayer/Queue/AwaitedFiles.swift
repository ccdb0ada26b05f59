// Thread: "probes". There may be a million entries: adding one of them to a dictionary may take as long as adding all
// of them again, and sorting and freeing them takes tens of milliseconds.

internal import SegueLibrary
internal import SegueSystem
internal import SegueWire
internal import SegueWorkerProtocol

/// The entries whose files the scan reads.
struct AwaitedFiles {
  private var entries: [String: EntryID] = [:]
  /// Entries that have the same URIs as those of `entries`.
  private var duplicates: [EntryID] = []

  /// Adds entries and the URIs of their files.
  mutating func add(_ new: [(uri: String, id: EntryID)]) {
    for (uri, id) in new {
      if let other = entries.updateValue(id, forKey: uri) { duplicates.append(other) }
    }
  }

  /// Removes the entries whose files the scan has read, and returns what it has found. Tracks of cue sheets wait for
  /// the end of the scan.
  mutating func remove(_ files: [ScannedFile]) -> [(EntryID, ProbeOutcome)] {
    files.compactMap { file in
      guard file.cueTracks.isEmpty, case .success(let facts) = file.result,
        let id = entries.removeValue(forKey: FileURI.encode(file.path))
      else { return nil }
      return (id, .info(facts.info))
    }
  }

  /// Removes all entries, and returns their ids in ascending order.
  mutating func removeAll() -> [EntryID] {
    defer { self = AwaitedFiles() }
    return (entries.values + duplicates).sorted()
  }
}
