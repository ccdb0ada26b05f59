internal import SegueWire

/// The kind of the body of a response, judged by its first bytes and its head.
enum BodyKind: Equatable {
  case audio
  case text(TextKind)
  case playlist(RemotePlaylist.Format)

  /// The number of bytes with which every body can be judged.
  private static let sufficientSize = 1024

  /// Returns nil if more bytes are needed. `start` contains the bytes so far; `isWhole` states that there are no more.
  init?(_ start: [UInt8], isWhole: Bool, _ head: HTTPHead) {
    let text = (start.starts(with: [0xEF, 0xBB, 0xBF]) ? start[3...] : start[...]).drop {
      $0 == 0x20 || (0x09...0x0D).contains($0)
    }
    let isCalledText = head.mediaType.map(HTTPHead.isText) == true
    if !isWhole, start.count < Self.sufficientSize, isCalledText || Self.mayBeText(text.first) || Self.isUTF16(start) {
      return nil
    }
    let pathExtension = URLText.pathExtension(of: head.url)
    if let format = RemotePlaylist.format(start, mediaType: head.mediaType, pathExtension: pathExtension) {
      self = .playlist(format)
    } else {
      // Some servers call everything text, audio too.
      self = Self.isText(start) ? TextKind(text, mediaType: head.mediaType).map { .text($0) } ?? .audio : .audio
    }
  }

  /// Whether texts may begin with `first`. The first byte of audio files is another one.
  private static func mayBeText(_ first: UInt8?) -> Bool {
    guard let first else { return true }
    // The last one begins the mark of UTF-8.
    return Array("#[{<hH".utf8).contains(first) || first == 0xEF
  }

  /// Whether `bytes` begin with the mark of UTF-16.
  private static func isUTF16(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
  }

  /// Whether `bytes` contain no control characters but white space and escapes.
  private static func isText(_ bytes: [UInt8]) -> Bool {
    bytes.prefix(sufficientSize).allSatisfy { $0 >= 0x20 || (0x09...0x0D).contains($0) || $0 == 0x1B }
  }
}

/// The kind of a text that a server sends in place of audio.
enum TextKind {
  case webPage, json, xml, other

  /// Creates the kind of a body with this beginning. Returns nil if nothing but the absence of control characters makes
  /// it a text.
  init?(_ start: ArraySlice<UInt8>, mediaType: String?) {
    let words = String(decoding: start.prefix(16), as: UTF8.self).lowercased()
    if ["<!doctype html", "<html", "<head", "<body", "<script"].contains(where: words.hasPrefix) {
      self = .webPage
    } else if words.hasPrefix("<") {
      self = mediaType == "text/html" ? .webPage : .xml
    } else if let kind = mediaType.flatMap(TextKind.init(mediaType:)) {
      self = kind
    } else if words.hasPrefix("{") || words.hasPrefix("[") {
      self = .json
    } else {
      return nil
    }
  }

  /// Creates the kind of a body of this media type. Returns nil if it is not that of a text.
  init?(mediaType: String) {
    switch mediaType {
    case "text/html", "application/xhtml+xml": self = .webPage
    case "application/json": self = .json
    case "application/xml", "text/xml": self = .xml
    default:
      guard HTTPHead.isText(mediaType) else { return nil }
      self = .other
    }
  }

  /// The failure of a request for audio.
  var failure: Failure {
    switch self {
    case .webPage: Failure(.badResponse, "the server sends a web page instead of audio")
    case .json: Failure(.badResponse, "the server sends JSON instead of audio")
    case .xml: Failure(.badResponse, "the server sends XML instead of audio")
    case .other: Failure(.badResponse, "the server sends a text instead of audio")
    }
  }
}
