internal import SegueCatalogProviders
internal import SegueSystem
public import SegueWire

/// Suggestions while a user types.
extension CatalogService {
  /// Finds the items that complete a text. An earlier request of the same group fails as `cancelled`. If suggestions
  /// are requested one shortly after another, and the cache has none, the provider is asked when the user has stopped
  /// typing.
  public func suggest(
    _ kind: CatalogItem.Kind, _ text: String, from name: String?, limit: Int, in group: CatalogRequestGroup,
    then: @escaping Completion<CatalogAnswer>
  ) {
    let now = MonotonicTime.now
    let isTyping = group.suggestion.map { now - $0.time < Self.typingDelay } ?? false
    if let last = group.suggestion {
      cancel(last.number, Failure(.cancelled, "a later request for suggestions has replaced this one"))
    }
    do throws(Failure) {
      let job = try job(.suggest(kind, text), from: name, page: PageRequest(limit: limit))
      let number = answer(
        job, refresh: false, in: group, typingDelay: isTyping ? Self.typingDelay : .zero, then: then)
      group.suggestion = (number, now)
    } catch {
      group.suggestion = nil
      then(.failure(error))
    }
  }

  /// The pause after which a user has stopped typing.
  private static let typingDelay = MediaTime.milliseconds(200)
}
