// Thread: the loop.

internal import SegueLibrary
internal import SegueSQLite
internal import SegueSystem
public import SegueWire

/// The last searches of the user in the library. `RecentSearches` has those in online catalogues.
@MainActor
public final class SearchMemory {
  private let index: LibraryIndex
  /// Searches that are not on disk yet, the newest last.
  private var unsaved: [String] = []

  init(_ index: LibraryIndex) { self.index = index }

  /// Records a search of the user. A query beyond the maximum size was not typed by a user.
  public func remember(_ query: String) {
    guard query.utf8.count <= LibraryReader.maximumQueryLength else { return }
    let now = UnixTime.now
    unsaved.append(query)
    index.write(
      { writer throws(StoreError) in try writer.addSearch(query, at: now) },
      then: { [weak self] _ in
        self?.unsaved.removeFirst()
      })
  }

  /// Finds the last searches that contain `text`, the newest first. Case is ignored.
  public func searches(containing text: String, then: @escaping Completion<SearchList>) {
    let unsaved = unsavedSearches(containing: text)
    index.read(
      { reader throws(StoreError) in .success(SearchList(unsaved, try reader.searches(containing: text))) }, then: then)
  }

  /// Returns the searches that contain `text` and are not on disk yet, the newest first.
  public func unsavedSearches(containing text: String) -> [String] {
    let sought = text.lowercased()
    return unsaved.suffix(LibraryReader.maximumSearches).reversed().filter {
      sought.isEmpty || $0.lowercased().contains(sought)
    }
  }
}

extension SearchList {
  /// Combines searches, each of them once, the newest first.
  public init(_ unsaved: [String], _ saved: [String]) {
    var seen: Set<String> = []
    let all = (unsaved + saved).filter { seen.insert($0.lowercased()).inserted }
    self.init(searches: Array(all.prefix(LibraryReader.maximumSearches)))
  }
}
