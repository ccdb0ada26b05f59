public import SegueLink

/// A picture that is not in the cache yet: what a worker is to be given for it.
public struct ArtQuestion: Sendable {
  public let wish: CoverWish
  /// What the picture is in.
  public let file: OpenFile
  /// The memory file that it is put into.
  public let target: OpenFile
  let key: ArtKey
  /// Where it may be found else, in order.
  let others: ArtSources
}

/// How far `ArtStore` has come.
public enum ArtStep: Sendable {
  case cached(CachedArt)
  /// A worker has to look: `ArtStore.keep` or `ArtStore.goOn` takes what it says.
  case ask(ArtQuestion)
  /// There is none.
  case none
}
