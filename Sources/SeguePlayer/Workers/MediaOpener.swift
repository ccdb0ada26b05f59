// Thread: the loop. Files are opened on FileService's thread.

internal import SegueFiles
internal import SegueLink
internal import SegueLoop
internal import SegueSystem
internal import SegueWire

/// An open file to be passed to a worker, or a stream that the worker opens itself.
struct OpenedMedia: Sendable {
  var source: MediaSource
  /// nil for a stream.
  let file: OpenFile?
}

/// An opener of URIs for workers.
@MainActor
struct MediaOpener {
  private let files: FileService
  private let mailbox: Mailbox

  init(files: FileService, mailbox: Mailbox) {
    self.files = files
    self.mailbox = mailbox
  }

  /// Opens a URI. `then` is called on the loop; for streams and for invalid URIs before this returns.
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

  /// Returns the role of the workers that can decode `uri`.
  nonisolated static func role(for uri: String) -> WorkerRole {
    if case .stream = try? MediaURI(uri) { .network } else { .files }
  }
}
