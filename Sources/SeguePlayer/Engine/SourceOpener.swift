// Thread: the loop. The opener waits for no file.

internal import SegueFiles
internal import SegueLink
internal import SegueLoop
internal import SegueRing
internal import SegueSystem
internal import SegueWire

/// An opener of the sources of the plan, one at a time: it finds the gain of an entry, opens its source, and sets how the
/// worker decodes it.
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

  /// Opens the source of `item`, which is at `uri`, after the delay of the item. Replaces an earlier call.
  /// - Parameters:
  ///   - after: The generation that the worker joins it to, if it does.
  ///   - then: Called with the source, or with the reason why it cannot be opened; possibly before this returns.
  func open(
    _ item: Transport.Item, at uri: String, after: Generation? = nil,
    then: @escaping @MainActor (Result<OpenedMedia, Failure>) -> Void
  ) {
    generation = item.generation
    let open: @MainActor () -> Void = { [weak self] in
      self?.delegate?.findGain(of: item.entry) { [weak self] gain in
        self?.open(item, at: uri, mayHaveMoved: true) { [weak self] result in
          guard let self else { return }
          self.generation = nil
          then(
            result.map { media in
              var media = media
              self.setOptions(of: &media.source, for: item, after: after, gain)
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

  /// Prepares `source`, which is open, to be decoded as `item`, with nothing before it. Replaces an earlier call. `then` is
  /// called with the source, possibly before this returns.
  func prepare(
    _ source: MediaSource, for item: Transport.Item, then: @escaping @MainActor (MediaSource) -> Void
  ) {
    generation = item.generation
    delegate?.findGain(of: item.entry) { [weak self] gain in
      guard let self, self.generation == item.generation else { return }
      self.generation = nil
      var source = source
      self.setOptions(of: &source, for: item, after: nil, gain)
      then(source)
    }
  }

  private func setOptions(
    of source: inout MediaSource, for item: Transport.Item, after: Generation?, _ gain: GainParameters
  ) {
    source.gain = gain
    delegate?.setPlaybackOptions(of: &source, for: item.entry, after: after)
  }
}
