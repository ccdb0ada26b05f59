internal import SegueClientKit
internal import SegueRPC
internal import SegueSystem
internal import SegueWire

/// A small cover with its size in pixels.
struct Cover {
  let art: Art

  var path: FilePath { FilePath(art.path) }

  /// Returns the box for the cover, which is scaled up or down to the maximum number of columns and rows.
  func box(_ terminal: GraphicsTerminal, maximum: (columns: Int, rows: Int)) -> PictureBox {
    PictureBox(art.width, art.height, cell: terminal.cellSize, maximum: maximum, scalesUp: true)
  }
}

extension VerbContext {
  /// The maximum time that covers delay the text.
  private static let coverTimeout = MediaTime.milliseconds(1_500)
  /// The maximum number of covers that are requested at the same time, so that those that are needed no more after
  /// `coverTimeout` do not delay requests of other clients for long.
  private static let maximumCoverRequests = 6

  /// Returns the covers of items by their URIs, as files that the terminal displays. They are requested at the same
  /// time; covers that do not arrive within `coverTimeout` and those that do not exist are missing.
  func covers(of uris: [String], for terminal: GraphicsTerminal) throws(ClientError) -> [String: Cover] {
    try covers(of: uris, as: terminal.pictureFormat)
  }

  /// Returns whether a track or an album has a cover, in its files or beside them, that arrives within `coverTimeout`.
  func hasCover(_ uri: String) throws(ClientError) -> Bool { try !covers(of: [uri], as: nil).isEmpty }

  private func covers(of uris: [String], as format: Art.Format?) throws(ClientError) -> [String: Cover] {
    let connection = try connection()
    let deadline = MonotonicTime.now + Self.coverTimeout
    var rest = uris[...]
    var pending: [Int: String] = [:]
    var covers: [String: Cover] = [:]
    while true {
      while pending.count < Self.maximumCoverRequests, let uri = rest.popFirst() {
        pending[try send(EncodedRequest(ArtRequest(uri: uri, size: .small, format: format)))] = uri
      }
      guard !pending.isEmpty else { return covers }
      let next = try reporting { () throws(ConnectionError) in
        try connection.nextResponse(toOneOf: Set(pending.keys)) {
          if case .readable = connection.wait(until: deadline) { true } else { false }
        }
      }
      guard let (id, result) = next else { return covers }
      guard let uri = pending.removeValue(forKey: id), let art = result.map({ Art($0) }) else { continue }
      covers[uri] = Cover(art: art)
    }
  }
}
