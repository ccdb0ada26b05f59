// Thread: the loop.

internal import SegueCatalogProviders
internal import SegueSystem
internal import SegueWire

/// The requests to online catalogues that are made for one purpose: those of a client, or those of an addition to the
/// queue. They are cancelled together, with those of the groups within the group.
@MainActor
public final class CatalogRequestGroup {
  /// Whether the requests were cancelled. Further ones fail with `unavailable`.
  public var isCancelled: Bool { wasCancelled || parent?.isCancelled == true }
  private var wasCancelled = false
  private let parent: CatalogRequestGroup?
  private var cancellations: [Int: @MainActor () -> Void] = [:]
  private let remembersFailures: Bool
  /// The failures of providers, by their names.
  private var failures: [String: Failure] = [:]

  /// The number of the last request for suggestions, and its time.
  var suggestion: (number: Int, time: MonotonicTime)?

  /// - Parameter parent: The group whose requests include those of this one.
  /// - Parameter remembersFailures: Whether a provider that cannot be reached is not asked again. Its further requests
  ///   fail with the same reason, unless the cache has a result.
  nonisolated public init(within parent: CatalogRequestGroup? = nil, remembersFailures: Bool = false) {
    self.parent = parent
    self.remembersFailures = remembersFailures
  }

  /// Ends all requests, which fail with `unavailable`.
  public func cancel() {
    wasCancelled = true
    // The last ones first: most of them were not sent yet, and must not be sent when the first ones end.
    let all = cancellations.sorted { $0.key > $1.key }
    cancellations = [:]
    for (_, cancel) in all { cancel() }
  }

  /// Adds a request. `cancel` ends it.
  func add(_ number: Int, cancel: @escaping @MainActor () -> Void) {
    cancellations[number] = cancel
    parent?.add(number, cancel: cancel)
  }

  func remove(_ number: Int) {
    cancellations[number] = nil
    parent?.remove(number)
  }

  /// Returns the reason why a provider is not asked again; nil if it may be asked.
  func failure(of provider: some CatalogProvider) -> Failure? { failures[provider.name] }

  /// Records the result of a request to a provider.
  func record(_ failure: Failure, of provider: some CatalogProvider) {
    if remembersFailures, failure.concernsProvider { failures[provider.name] = failure }
  }
}

extension Failure {
  /// Whether the failure concerns all requests to the provider, not only the one that failed.
  fileprivate var concernsProvider: Bool {
    [.offline, .timeout, .rateLimited, .unavailable, .busy, .denied, .certificate].contains(kind)
  }
}
