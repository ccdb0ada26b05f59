// Thread: the loop. Files are opened on FileService's thread.

internal import SegueCatalogService
internal import SegueFiles
internal import SegueLoop
internal import SegueRing
internal import SegueSystem
internal import SegueWire
internal import SegueWorkerProtocol

/// An open file or stream to be passed to a worker.
struct OpenedMedia: Sendable {
  var source: MediaSource
  let input: Input

  enum Input: Sendable {
    case file(OpenFile)
    /// The channel to the fetch process through which a worker reads the stream.
    case stream(SharedDescriptor)
  }

  var isFile: Bool { if case .file = input { true } else { false } }

  /// The descriptor that is sent with the command.
  var descriptor: Int32 {
    switch input {
    case .file(let file): file.raw
    case .stream(let channel): channel.raw
    }
  }
}

/// An opener of URIs for workers.
@MainActor
struct MediaOpener {
  private let files: FileService
  private let fetcher: Fetcher
  private let resolve: Resolve
  private let mailbox: Mailbox

  /// A function that finds the address of the stream of an item of an online catalogue.
  typealias Resolve =
    @MainActor (CatalogItemURI, @escaping CatalogService.Completion<CatalogService.StreamAddress>) -> Void

  init(files: FileService, fetcher: Fetcher, mailbox: Mailbox, resolve: @escaping Resolve) {
    self.files = files
    self.fetcher = fetcher
    self.resolve = resolve
    self.mailbox = mailbox
  }

  /// Opens a URI. `then` is called on the loop; for URLs and for invalid URIs before this returns.
  func open(_ uri: String, then: @escaping @MainActor @Sendable (Result<OpenedMedia, Failure>) -> Void) {
    let media: MediaURI
    do { media = try MediaURI(uri) } catch { return then(.failure(error)) }
    switch media {
    case .stream(let url): then(openStream(url, namedBy: nil))
    case .item(let uri):
      resolve(uri) { result in
        then(result.flatMap { openStream($0.url, namedBy: $0.scope) })
      }
    case .file(let path, let range):
      let source = MediaSource(
        name: String(decoding: path.lastComponent, as: UTF8.self), rangeStart: range?.startTime ?? .zero,
        rangeEnd: range?.endTime)
      files.open(path) { [mailbox] result in
        mailbox.post { then(result.map { OpenedMedia(source: source, input: .file($0)) }) }
      }
    }
  }

  private func openStream(_ url: String, namedBy scope: AddressScope?) -> Result<OpenedMedia, Failure> {
    Result { () throws(Failure) in
      let channel = try fetcher.openChannel(for: url, namedBy: scope)
      return OpenedMedia(source: MediaSource(name: url, url: url), input: .stream(channel))
    }
  }

  /// Returns the role of the workers that can decode `uri`.
  nonisolated static func role(for uri: String) -> WorkerRole {
    switch try? MediaURI(uri) {
    case .stream, .item: .stream
    case .file, nil: .files
    }
  }
}

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
