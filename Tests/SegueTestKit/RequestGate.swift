// Thread: the test's, which opens the gate. The threads of connections wait. The state is guarded by a lock.
internal import SegueSystem
internal import Synchronization

/// A gate that holds requests, so that a test decides when they are answered.
final class RequestGate: Sendable {
  private let state = Mutex(State())

  private struct State {
    /// The beginnings of the paths that are held.
    var paths: Set<String> = []
    var waiting: [(path: String, semaphore: Semaphore)] = []
  }

  /// Holds requests whose path begins with `path` from now on.
  func close(_ path: String) { state.withLock { _ = $0.paths.insert(path) } }

  /// Lets the requests that were held because of `path` continue; nil for all requests.
  func open(_ path: String? = nil) {
    state.withLock { state in
      if let path { state.paths.remove(path) } else { state.paths = [] }
      for held in state.waiting where path == nil || held.path == path { held.semaphore.signal() }
      state.waiting.removeAll { path == nil || $0.path == path }
    }
  }

  /// Blocks while the gate is closed for a request.
  func pass(_ target: some StringProtocol) {
    let semaphore: Semaphore? = state.withLock { state in
      guard let path = state.paths.first(where: target.hasPrefix) else { return nil }
      let semaphore = Semaphore()
      state.waiting.append((path, semaphore))
      return semaphore
    }
    semaphore?.wait()
  }
}
