public import SegueLink

/// A picture that is not in the cache yet: what a worker is to be given for it.
public struct ArtLookup: Sendable {
  public let wish: CoverRequest
  /// What the picture is in.
  public let file: OpenFile
  /// The memory file that it is put into.
  public let target: OpenFile
  let key: ArtKey
  /// Where it may be found else, in order.
  let others: ArtCandidates
}

/// How far `ArtStore` has come.
public enum ArtSearchResult: Sendable {
  case cached(CachedArt)
  /// A worker has to look: `ArtStore.keep` or `ArtStore.goOn` takes what it says.
  case ask(ArtLookup)
  /// There is none.
  case none
}
