// Thread: the loop.

internal import SegueLibrary
internal import SegueSystem
internal import SegueWire

/// Where long tracks were left, by URI. Kept in the library's file; here, what is in it by now.
@MainActor
final class Bookmarks {
  private let library: MusicLibrary
  private var positions: [String: MediaTime] = [:]
  /// Whoever asked before they were read the first time.
  private var waiting: [@MainActor () -> Void]? = []
  /// What is not on disk yet, the newest last; and what was set since the reading that is under way began.
  private var unsaved: [(number: Int, uri: String, position: MediaTime?)] = []
  private var recent: [String: MediaTime?]?
  private var lastNumber = 0

  init(_ library: MusicLibrary) {
    self.library = library
  }

  /// Called when they have been read, the first time or again.
  var onLoad: @MainActor () -> Void = {}

  /// Where `uri` was left; nil if it was not, or was heard to its end.
  subscript(uri: String) -> MediaTime? { positions[uri] }

  /// `then` is called before this returns once they have been read, which takes a moment after the daemon's start.
  func whenRead(_ then: @escaping @MainActor () -> Void) {
    if waiting == nil { then() } else { waiting?.append(then) }
  }

  func set(_ uri: String, _ position: MediaTime?) {
    guard positions[uri] != position else { return }
    positions[uri] = position
    recent?.updateValue(position, forKey: uri)
    lastNumber += 1
    let number = lastNumber
    unsaved.append((number, uri, position))
    library.write(
      { writer throws(StoreError) in try writer.setBookmark(uri, position) },
      then: { [weak self] result in
        self?.unsaved.removeAll { $0.number == number }
        if case .failure(let failure) = result { Log.warning("where \(uri) was left is not kept: \(failure.message)") }
      })
  }

  /// Reads them.
  func load() {
    recent = [:]
    for (_, uri, position) in unsaved { recent?.updateValue(position, forKey: uri) }
    library.lookUp(
      { reader throws(StoreError) in try reader.bookmarks() }, then: { [weak self] in self?.take($0) })
  }

  private func take(_ result: Result<[String: MediaTime], Failure>) {
    let recent = recent ?? [:]
    self.recent = nil
    if case .success(var found) = result {
      for (uri, position) in recent { found[uri] = position }
      positions = found
    }
    let waiting = waiting ?? []
    self.waiting = nil
    for then in waiting { then() }
    onLoad()
  }

  /// Reads them again: what they name may have been moved.
  func reload() {
    if recent == nil, waiting == nil, !positions.isEmpty { load() }
  }
}
