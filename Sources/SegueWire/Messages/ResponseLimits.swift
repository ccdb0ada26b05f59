/// The limits that keep every answer and event below 4 MiB, whatever is in the library, the queue and the playlists.
///
/// An answer repeats the id of its request, which may take 1 MiB; its lists take 2 MiB at most, and the rest of it, with
/// the one element that a list always has, less than the last.
public enum ResponseLimits {
  /// The bytes that the lists of an answer take together. A page that reaches it ends early.
  public static let listBytes = 2 << 20
  /// The most elements of a list that is not asked for by pages; `…Total` says how many there are.
  public static let listLength = 1_000
}
