// Thread: the loop; the files themselves are opened on FileService's thread.

internal import SegueLibrary
internal import SegueLink
internal import SegueLoop
internal import SegueSystem
internal import SegueWire

/// A file ready to be passed to a worker, or a stream that the worker opens itself.
struct OpenedMedia: Sendable {
  var source: MediaSource
  /// nil for a stream.
  let file: OpenFile?
}

/// Turns a URI into what a worker can be given.
@MainActor
struct MediaOpener {
  private let files: FileService
  private let mailbox: Mailbox

  init(files: FileService, mailbox: Mailbox) {
    self.files = files
    self.mailbox = mailbox
  }

  /// `then` is called on the loop; for streams and for what is no URI before this returns.
  func open(_ uri: String, then: @escaping @MainActor @Sendable (Result<OpenedMedia, Failure>) -> Void) {
    let media: MediaURI
    do { media = try MediaURI(uri) } catch { return then(.failure(error)) }
    switch media {
    case .stream(let url):
      then(.success(OpenedMedia(source: MediaSource(name: url, url: url), file: nil)))
    case .file(let path, let range):
      let source = MediaSource(
        name: String(decoding: path.lastComponent, as: UTF8.self), rangeStart: range?.startTime ?? .zero,
        rangeEnd: range?.endTime)
      files.open(path) { [mailbox] result in
        mailbox.post { then(result.map { OpenedMedia(source: source, file: $0) }) }
      }
    }
  }

  /// Which worker can be given what is at `uri`.
  nonisolated static func role(for uri: String) -> WorkerRole {
    if case .stream = try? MediaURI(uri) { .network } else { .files }
  }
}
