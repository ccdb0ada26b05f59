internal import SegueCatalog
internal import SegueLoop
internal import SegueSystem
public import SegueWire

/// Suggestions while a user types.
extension CatalogService {
  /// Finds the items that complete a text. An earlier request of the same client fails as `cancelled`. If a client requests
  /// suggestions one shortly after another, the provider is asked when the user has stopped typing.
  public func suggest(
    _ kind: Item.Kind, _ text: String, from name: String?, limit: Int, client: ObjectIdentifier,
    then: @escaping Completion<CatalogAnswer>
  ) {
    let isTyping = suggestions.replace(client)
    do throws(Failure) {
      let job = try job(.suggest(kind, text), from: name, page: PageRequest(limit: limit))
      let suggestion = Suggestion { [weak self] result in
        self?.suggestions.remove(client)
        then(result)
      }
      suggestions.add(suggestion, of: client)
      suggestion.cancelQuery = { [weak self] number in self?.cancel(number) }
      guard isTyping else { return start(suggestion, job) }
      suggestion.timer = try? Timer(on: loop) { [weak self, weak suggestion] in
        if let suggestion { self?.start(suggestion, job) }
      }
      suggestion.timer?.arm(after: SuggestionTable.typingDelay)
    } catch {
      then(.failure(error))
    }
  }

  private func start(_ suggestion: Suggestion, _ job: Job) {
    suggestion.query = answer(job, refresh: false) { [weak suggestion] in suggestion?.complete(with: $0) }
  }
}

/// A request for suggestions that has no response yet.
@MainActor
final class Suggestion {
  /// The timer until the provider is asked.
  var timer: Timer?
  /// The number of the query, once the provider was asked.
  var query: Int?
  var cancelQuery: @MainActor (Int) -> Void = { _ in }
  private var then: CatalogService.Completion<CatalogAnswer>?

  init(then: @escaping CatalogService.Completion<CatalogAnswer>) { self.then = then }

  func complete(with result: Result<CatalogAnswer, Failure>) {
    timer = nil
    let then = then
    self.then = nil
    then?(result)
  }

  func cancel() {
    if let query { cancelQuery(query) }
    complete(with: .failure(Failure(.cancelled, "a later request for suggestions has replaced this one")))
  }
}

/// The requests for suggestions, by client.
@MainActor
final class SuggestionTable {
  private var running: [ObjectIdentifier: Suggestion] = [:]
  /// The times of the last requests.
  private var times: [ObjectIdentifier: MonotonicTime] = [:]

  /// The pause after which a user has stopped typing.
  static let typingDelay = MediaTime.milliseconds(200)

  nonisolated init() {}

  /// Cancels the running request of a client. Returns whether the client has made one a short time ago.
  func replace(_ client: ObjectIdentifier) -> Bool {
    let now = MonotonicTime.now
    times = times.filter { now - $0.value < Self.typingDelay }
    let isTyping = times[client] != nil
    times[client] = now
    running.removeValue(forKey: client)?.cancel()
    return isTyping
  }

  func add(_ suggestion: Suggestion, of client: ObjectIdentifier) { running[client] = suggestion }

  func remove(_ client: ObjectIdentifier) { running[client] = nil }
}
