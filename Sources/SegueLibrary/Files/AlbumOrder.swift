internal import SegueSystem
public import SegueWire

/// The order of a folder's tracks: by disc, then track number, then name. A track without a number comes after those of
/// its disc that have one; without a disc it is of the first. Answers the indices of `tracks`, sorted.
public func albumOrder(_ tracks: [(metadata: Metadata, uri: String)]) -> [Int] {
  let keys = tracks.map { track in
    let name = FileURI.decode(track.uri).map { Array($0.lastComponent) } ?? Array(track.uri.utf8)
    return (track.metadata.disc ?? 1, track.metadata.track ?? .max, NaturalName(name))
  }
  // Tracks of one cue sheet without numbers share a name: they keep their order.
  return tracks.indices.sorted { a, b in
    keys[a] < keys[b] || (keys[a] == keys[b] && a < b)
  }
}
