// Thread: the loop.

internal import SegueCatalogProviders
internal import SegueState
internal import SegueWire

/// The last searches in online catalogues, which are offered as hints. The library has those in itself.
@MainActor
final class RecentSearches {
  /// The searches, the newest first.
  private(set) var searches: [String]
  private let persistence: StatePersistence

  private static let maximumCount = 5

  init(_ saved: [String], persistence: StatePersistence) {
    searches = Array(saved.prefix(Self.maximumCount))
    self.persistence = persistence
  }

  /// Adds a search, as it was sent, or moves it to the front. Case is ignored.
  func add(_ text: String) {
    guard let term = try? CatalogQuery.term(text) else { return }
    let others = searches.filter { $0.lowercased() != term.lowercased() }
    searches = Array(([term] + others).prefix(Self.maximumCount))
    persistence.save([.onlineSearches(searches)])
  }

  /// Returns the searches that contain a text. Case is ignored.
  func searches(containing text: String) -> [String] {
    let sought = text.lowercased()
    return sought.isEmpty ? searches : searches.filter { $0.lowercased().contains(sought) }
  }
}
