// Thread: the loop.

internal import SegueLibrary
internal import SegueSQLite
internal import SegueWire
internal import SegueWorkerProtocol

/// A finder of the chapters of files.
@MainActor
struct ChapterFinder {
  let index: LibraryIndex
  let prober: Prober

  /// Finds chapters in the library or, if it does not know the file, in the file.
  func find(_ uri: String, then: @escaping @MainActor (Result<[Chapter], Failure>) -> Void) {
    index.lookUp(
      { reader throws(StoreError) -> [Chapter]? in
        try reader.track(uri) == nil ? nil : try reader.details(uri)?.chapters ?? []
      },
      then: { [prober] result in
        if case .success(.some(let chapters)) = result { return then(.success(chapters)) }
        prober.probe(uri) { found in then(found.map(\.chapters)) }
      })
  }
}
