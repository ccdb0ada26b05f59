// Thread: the loop. Files are opened on FileService's thread.

internal import SegueCatalogService
internal import SegueFiles
internal import SegueLoop
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
