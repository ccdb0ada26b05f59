// Thread: the loop.

internal import SegueState
internal import SegueWire

/// The last searches in online catalogues, which are offered as hints. The library has those in itself.
@MainActor
final class RecentSearches {
  /// The searches, the newest first.
  private(set) var searches: [String]
  private let persistence: StatePersistence

  private static let maximumCount = 5
  /// A text beyond this size was not typed by a user.
  private static let maximumSize = 512

  init(_ saved: [String], persistence: StatePersistence) {
    searches = Array(saved.prefix(Self.maximumCount))
    self.persistence = persistence
  }

  /// Adds a search, or moves it to the front. Case is ignored.
  func add(_ text: String) {
    guard text.utf8.count <= Self.maximumSize else { return }
    let others = searches.filter { $0.lowercased() != text.lowercased() }
    searches = Array(([text] + others).prefix(Self.maximumCount))
    persistence.save([.onlineSearches(searches)])
  }

  /// Returns the searches that contain a text. Case is ignored.
  func searches(containing text: String) -> [String] {
    let sought = text.lowercased()
    return sought.isEmpty ? searches : searches.filter { $0.lowercased().contains(sought) }
  }
}
