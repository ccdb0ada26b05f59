internal import SegueWorkerProtocol

/// The URLs from which a resource can be requested, one of which is tried after the other.
struct StreamSources {
  /// The URL that the worker or a playlist named. When it has been opened, its scope is that of its server.
  private(set) var source: NamedURL
  /// The URL to be requested: the source, or the one to which its redirects led.
  private(set) var target: NamedURL
  /// Whether a playlist named the source.
  private(set) var isFromPlaylist = false
  /// The sources that were not tried, and the URLs of those that were.
  private var candidates: [NamedURL]
  private var tried: Set<String>
  private let initial: [NamedURL]

  private static let maximumSources = 16

  /// Creates the sources that the request of a worker has, of which there is at least one.
  init(_ initial: [NamedURL]) {
    self.initial = initial
    (source, target, candidates) = (initial[0], initial[0], Array(initial.dropFirst()))
    tried = [source.url]
  }

  /// Whether no redirect led to the target.
  var isAtSource: Bool { target.url == source.url }

  /// Whether no further source is tried.
  var areTooMany: Bool { tried.count > Self.maximumSources }

  /// Turns to the next source. Returns false if there is none.
  mutating func turnToNext() -> Bool {
    while !areTooMany, !candidates.isEmpty {
      let next = candidates.removeFirst()
      guard tried.insert(next.url).inserted else { continue }
      (source, target) = (next, next)
      return true
    }
    return false
  }

  /// Begins with the first source again.
  mutating func restart() { self = StreamSources(initial) }

  /// Adds the URLs that a playlist names. They are tried before the others.
  mutating func add(_ urls: [String], namedBy scope: AddressScope) {
    candidates = urls.map { NamedURL(url: $0, namedBy: scope) } + candidates
    isFromPlaylist = true
  }

  /// Handles the first response to a request for the target.
  mutating func opened(by head: HTTPHead) {
    source.namedBy = head.firstScope
    candidates = []
    redirected(to: head)
  }

  /// Handles a response to a request for the target.
  mutating func redirected(to head: HTTPHead) { target = NamedURL(url: head.url, namedBy: head.scope) }

  /// Requests the source instead of the URL of a redirect, which may be valid for one connection or for a limited time.
  mutating func returnToSource() { target = source }
}
