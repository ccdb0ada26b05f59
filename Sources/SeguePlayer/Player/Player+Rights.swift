internal import SegueFiles
internal import SegueLibrary
internal import SegueSQLite
public import SegueWire

/// What a client may name that is not a program of the user.
extension Player {
  /// Finds the first of `uris` that neither the library, the queue and its history, the favorites nor the history of
  /// plays contain; nil if there is none. Items of catalogues and `segue:` URIs always are permitted.
  ///
  /// - Parameter mayOpenStreams: Whether URLs of streams are permitted, too.
  public func findUnknown(
    _ uris: [String], mayOpenStreams: Bool, then: @escaping @MainActor (Result<String?, Failure>) -> Void
  ) {
    // The library is not read for what it does not decide.
    guard uris.contains(where: { MediaURI.isPermitted($0, mayOpenStreams: mayOpenStreams) == nil }) else {
      return then(.success(nil))
    }
    let (ids, store) = queue.entriesWithHistory
    let roots = scan.folders
    index.lookUp(
      { reader throws(StoreError) in
        var unknown: [String] = []
        for uri in uris where MediaURI.isPermitted(uri, mayOpenStreams: mayOpenStreams) != true {
          if try !reader.knows(uri, in: roots) { unknown.append(uri) }
        }
        let queued = unknown.isEmpty ? [] : store.uris(Set(unknown), among: ids)
        return unknown.first { !queued.contains($0) }
      }, then: then)
  }
}

extension MediaURI {
  /// Whether others may name a URI; nil if that depends on whether the user has what it names.
  fileprivate static func isPermitted(_ uri: String, mayOpenStreams: Bool) -> Bool? {
    if LibraryURI(uri) != nil { return true }
    switch try? MediaURI(uri) {
    case .item?: return true
    case .stream?: return mayOpenStreams ? true : nil
    case .file?, nil: return nil
    }
  }
}
