/// The limits that keep every response and event below 4 MiB, whatever the library, the queue and the playlists
/// contain.
///
/// A response repeats the id of its request, which may take 1 MiB. The lists of a response take at most 2 MiB. The
/// rest takes less than 1 MiB, including the first element of each list, which is written even if it exceeds the limit.
public enum ResponseLimits {
  /// The maximum number of bytes of all lists of a response together. A page that reaches it ends early.
  public static let listBytes = 2 << 20
  /// The maximum number of elements of a list without pages; a member `…Total` states the number of all elements.
  public static let listLength = 1_000
}
