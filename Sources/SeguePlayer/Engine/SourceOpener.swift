// Thread: the loop. The opener waits for no file.

internal import SegueFiles
internal import SegueLoop
internal import SegueRing
internal import SegueSystem
internal import SegueWire
internal import SegueWorkerProtocol

/// An opener of the sources of the plan, one at a time: it finds the gain of a track, opens its source, and sets how
/// the worker decodes it.
@MainActor
final class SourceOpener {
  weak var delegate: (any EngineDelegate)?

  /// The one generation whose source is being opened, or will be after a delay.
  private(set) var generation: Generation? {
    didSet {
      guard generation != oldValue else { return }
      delayed = nil
      delayTimer?.disarm()
    }
  }
  private let opener: MediaOpener
  /// Opens the source of `generation` after its delay.
  private var delayed: (@MainActor () -> Void)?
  private var delayTimer: Timer?

  init(loop: EventLoop, opener: MediaOpener) throws(SystemError) {
    self.opener = opener
    delayTimer = try Timer(on: loop) { [weak self] in self?.delayed?() }
  }

  /// Forgets the generation whose source is being opened.
  func cancel() { generation = nil }

  /// Opens the source of an item, which is at `uri`, after the delay of the item. Replaces an earlier call.
  /// - Parameters:
  ///   - isJoined: Whether the worker joins it to the track before.
  ///   - then: Called with the source, or with the reason why it cannot be opened; possibly before this returns.
  func open(
    _ request: DecodeRequest, at uri: String, isJoined: Bool,
    then: @escaping @MainActor (Result<OpenedMedia, Failure>) -> Void
  ) {
    let item = request.item
    generation = item.generation
    let open: @MainActor () -> Void = {
      request.findGain { [weak self] gain in
        self?.open(item, at: uri, mayHaveMoved: true) { [weak self] result in
          self?.generation = nil
          then(
            result.map { media in
              var media = media
              media.source = request.applied(to: media.source, gain: gain, isJoined: isJoined)
              return media
            })
        }
      }
    }
    guard item.delay > .zero else { return open() }
    delayed = open
    delayTimer?.arm(after: item.delay)
  }

  /// Opens the source of `item`, which is at `uri`, or where it has moved. Calls `then` unless the call was replaced.
  private func open(
    _ item: Transport.Item, at uri: String, mayHaveMoved: Bool,
    then: @escaping @MainActor (Result<OpenedMedia, Failure>) -> Void
  ) {
    guard generation == item.generation else { return }
    opener.open(uri) { [weak self] result in
      guard let self, self.generation == item.generation else { return }
      guard mayHaveMoved, case .failure(let failure) = result, failure.kind == .notFound, MediaURI.isFile(uri) else {
        return then(result)
      }
      self.delegate?.findMovedFile(of: item.entry) { [weak self] moved in
        guard let self, self.generation == item.generation else { return }
        guard let moved, moved != uri else { return then(result) }
        self.open(item, at: moved, mayHaveMoved: false, then: then)
      }
    }
  }

  /// Prepares `source`, which is open, to be decoded as an item with nothing before it. Replaces an earlier call.
  /// `then` is called with the source, possibly before this returns.
  func prepare(_ source: MediaSource, for request: DecodeRequest, then: @escaping @MainActor (MediaSource) -> Void) {
    generation = request.item.generation
    request.findGain { [weak self] gain in
      guard let self, self.generation == request.item.generation else { return }
      self.generation = nil
      then(request.applied(to: source, gain: gain, isJoined: false))
    }
  }
}
