/// The kind of the body of a response, judged by its first bytes and its head.
enum BodyKind: Equatable {
  case audio
  case webPage
  case playlist(RemotePlaylist.Format)

  /// The number of bytes with which every body can be judged.
  private static let sufficientSize = 1024

  /// Returns nil if more bytes are needed. `start` contains the bytes so far; `isWhole` states that there are no more.
  init?(_ start: [UInt8], isWhole: Bool, _ head: HTTPHead) {
    let text = (start.starts(with: [0xEF, 0xBB, 0xBF]) ? start[3...] : start[...]).drop {
      $0 == 0x20 || (0x09...0x0D).contains($0)
    }
    if !isWhole, start.count < Self.sufficientSize, Self.mayBeText(text.first) { return nil }
    let pathExtension = URLText.pathExtension(of: head.url)
    if let format = RemotePlaylist.format(start, mediaType: head.mediaType, pathExtension: pathExtension) {
      self = .playlist(format)
      return
    }
    let words = String(decoding: text.prefix(16), as: UTF8.self).lowercased()
    let isPage = ["<!doctype html", "<html", "<head", "<body", "<script"].contains { words.hasPrefix($0) }
    self = isPage || head.mediaType == "text/html" ? .webPage : .audio
  }

  /// Whether playlists or web pages may begin with `first`. The first byte of audio files is another one.
  private static func mayBeText(_ first: UInt8?) -> Bool {
    guard let first else { return true }
    // The last one begins the mark of UTF-8.
    return Array("#[<hH".utf8).contains(first) || first == 0xEF
  }
}
