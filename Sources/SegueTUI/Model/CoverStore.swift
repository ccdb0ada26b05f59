internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// A picture that the daemon is asked for.
struct WantedCover: Hashable {
  let uri: String
  let size: Art.Size
  let format: Art.Format
}

/// The pictures of the items on the screen. They are requested when they are displayed, a few at a time, and a limited
/// number of them is kept.
struct CoverStore {
  private enum Content {
    case requested
    /// There is none, as the daemon said at this time.
    case missing(MonotonicTime)
    case loaded(Art)
  }

  /// The maximum number of requests at the same time, so that requests for rows that are no longer displayed do not
  /// delay others for long.
  private static let maximumRequests = 6
  /// The maximum number of pictures whose paths are kept.
  private static let maximumCount = 512
  /// The time after which a missing picture is requested again.
  private static let retryTime = MediaTime.seconds(60)

  private var contents: [WantedCover: (content: Content, use: UInt64)] = [:]
  private var requestCount = 0
  /// The number of uses so far, which orders the pictures by their last use.
  private var useCount: UInt64 = 0

  /// Returns the pictures among those of the screen that have to be requested now, and remembers that they are.
  mutating func prepare(_ requests: [WantedCover], at now: MonotonicTime) -> [WantedCover] {
    var needed: [WantedCover] = []
    useCount += 1
    for request in requests {
      switch contents[request]?.content {
      case .requested, .loaded:
        contents[request]?.use = useCount
        continue
      case .missing(let time) where now - time < Self.retryTime: continue
      case .missing, nil: break
      }
      guard requestCount < Self.maximumRequests else { continue }
      requestCount += 1
      contents[request] = (.requested, useCount)
      needed.append(request)
    }
    if contents.count > Self.maximumCount { removeOldest() }
    return needed
  }

  /// Takes over a response; nil if there is no picture.
  mutating func receive(_ art: Art?, for request: WantedCover, at now: MonotonicTime) {
    guard case .requested = contents[request]?.content else { return }
    requestCount -= 1
    contents[request]?.content = art.map(Content.loaded) ?? .missing(now)
  }

  /// Takes over that the file of a picture cannot be read. It is requested again later, as if there was none.
  mutating func forget(_ path: FilePath, at now: MonotonicTime) {
    for (request, entry) in contents {
      if case .loaded(let art) = entry.content, FilePath(art.path) == path {
        contents[request]?.content = .missing(now)
      }
    }
  }

  /// Forgets the requests, because the connection to the daemon is lost.
  mutating func disconnect() {
    requestCount = 0
    contents = contents.filter { if case .requested = $0.value.content { false } else { true } }
    forgetMissing()
  }

  /// Has pictures requested again that there were none of.
  mutating func forgetMissing() {
    contents = contents.filter { if case .missing = $0.value.content { false } else { true } }
  }

  /// Returns a picture if it is loaded.
  func art(for request: WantedCover) -> Art? {
    if case .loaded(let art) = contents[request]?.content { art } else { nil }
  }

  /// Returns whether there is no picture, or one that could not be read.
  func isMissing(_ request: WantedCover) -> Bool {
    if case .missing = contents[request]?.content { true } else { false }
  }

  /// Removes the half of the pictures whose last use is the oldest.
  private mutating func removeOldest() {
    let uses = contents.values.map(\.use).sorted()
    let limit = uses[uses.count / 2]
    contents = contents.filter { request, entry in
      if case .requested = entry.content { return true }
      return entry.use > limit
    }
  }
}

extension SharedState {
  /// Returns the picture of an item if it is loaded and the terminal displays pictures.
  func cover(of uri: String, _ size: Art.Size) -> Art? {
    coverRequest(uri, size).flatMap(covers.art)
  }

  /// Returns whether it is known that there is no picture of an item.
  func isCoverMissing(of uri: String, _ size: Art.Size) -> Bool {
    coverRequest(uri, size).map(covers.isMissing) ?? true
  }

  /// Returns the calls for the pictures of items that are displayed and not loaded.
  mutating func prepareCovers(of uris: some Sequence<String>, _ size: Art.Size) -> [DaemonCall] {
    covers.prepare(uris.compactMap { coverRequest($0, size) }, at: now).map(DaemonCall.cover)
  }

  private func coverRequest(_ uri: String, _ size: Art.Size) -> WantedCover? {
    graphics.map { WantedCover(uri: uri, size: $0.displayedSize(size), format: $0.pictureFormat) }
  }
}
