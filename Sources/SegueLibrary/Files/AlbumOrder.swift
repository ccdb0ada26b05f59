public import SegueWire

/// The order of a folder's tracks: by disc, then track number, then name. Tracks without a number come after those with
/// one; those without a disc count as disc 1. The indices of `tracks`, sorted.
public func albumOrder(_ tracks: [(metadata: Metadata, uri: String)]) -> [Int] { Array(tracks.indices) }
