internal import SegueSystem
internal import SegueWire
internal import SegueWorkerProtocol

/// A resource as its first response describes it.
struct OpenedResource {
  let description: FetchedResource
  /// Whether the resource goes on for ever, so that every request begins at its current position.
  private(set) var isLive: Bool
  /// Whether the server sends the whole resource again, although only its end is missing. Segments are short enough to
  /// be sent again.
  let isSentWhole: Bool
  private let mediaType: String?
  private let mayBeLive: Bool

  /// A server that has determined the pace for this time before an error, or before an end, sends a live stream.
  /// Another server would send faster.
  private static let liveTimeBeforeError = MediaTime.seconds(10)
  private static let liveTimeBeforeEnd = MediaTime.seconds(600)

  init(_ description: FetchedResource, _ kind: StreamResource.Kind, _ head: HTTPHead) {
    self.description = description
    isLive = description.isStation
    isSentWhole = kind == .part && !description.isSeekable
    mediaType = head.mediaType
    mayBeLive = kind == .stream && description.size == nil && !head.acceptsRanges && head.isAudio
  }

  /// Whether the resource can be requested again after its connection was lost.
  var canContinue: Bool { isLive || isSentWhole || description.isSeekable }

  /// Returns the first byte to be requested if the worker has the bytes before `position`; nil for the whole resource.
  func offset(at position: Int64) -> Int64? { isLive || isSentWhole ? nil : position }

  /// Returns whether `position` is the end of the resource if its server ends it there.
  func isComplete(at position: Int64) -> Bool { description.size.map { position >= $0 } ?? !isLive }

  /// Recognises a live stream that its server does not call a station.
  mutating func attemptEnded(_ attempt: StreamAttempt, hasFailed: Bool) {
    guard mayBeLive else { return }
    isLive = isLive || attempt.isPacedByServer(for: hasFailed ? Self.liveTimeBeforeError : Self.liveTimeBeforeEnd)
  }

  /// Checks that a later response is about the same resource.
  func check(_ head: HTTPHead) throws(Failure) {
    if mediaType.map({ !HTTPHead.isText($0) }) ?? true, let text = head.mediaType.flatMap(TextKind.init(mediaType:)) {
      throw text.failure
    }
    guard !isLive, let size = description.size else { return }
    if let now = head.contentRange?.size ?? (isSentWhole ? head.contentLength : nil), now != size {
      throw Failure(.badResponse, "the file on the server has changed")
    }
  }
}
