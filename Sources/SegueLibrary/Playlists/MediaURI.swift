public import SegueSystem
public import SegueWire

/// What an entry's URI names: a file, a part of one, or a stream.
public enum MediaURI: Hashable, Sendable {
  /// `range` is set for a track of a cue sheet.
  case file(FilePath, range: CueRange?)
  /// A URL that libavformat opens, as it was given.
  case stream(String)

  /// More than any server takes, and little enough for an order to a worker.
  static let longestURL = 16 * 1024

  /// What the worker opens (`DemuxerOptions`).
  static let streamSchemes: Set<String> = ["http", "https", "mms", "mmsh", "mmst", "rtmp", "rtmps", "rtmpt"]

  /// Throws what is wrong with `uri` in a sentence: a path without a scheme, a scheme that is not played, another
  /// machine's file.
  public init(_ uri: String) throws(Failure) {
    guard let scheme = Self.scheme(of: uri) else {
      throw Failure(.invalidParams, "\(uri): no URI; a file is named as file:///its/path, percent-encoded")
    }
    if scheme == "file" {
      guard let path = FileURI.decode(uri) else {
        throw Failure(.notFound, "\(uri): names no file of this machine")
      }
      self = .file(path, range: CueRange(fragmentOf: uri))
      return
    }
    guard Self.streamSchemes.contains(scheme) else {
      throw Failure(.notFound, "\(uri): the scheme \"\(scheme)\" is none that can be played")
    }
    if let fault = Self.fault(ofURL: uri, scheme: scheme) {
      throw Failure(.notFound, "\(uri): not a valid URL: \(fault)")
    }
    guard uri.utf8.count <= Self.longestURL else {
      throw Failure(.tooLarge, "a URL of \(uri.utf8.count) bytes: at most \(Self.longestURL) are taken")
    }
    self = .stream(uri)
  }

  /// Whether `uri`, which `MediaURI` has accepted before, names a file. Much cheaper than reading the URI once more.
  public static func isFile(_ uri: String) -> Bool { uri.utf8.starts(with: "file:".utf8) }

  /// The reason why `uri` is not a URL; nil if it is one.
  private static func fault(ofURL uri: String, scheme: String) -> String? {
    let mark = scheme + "://"
    guard uri.prefix(mark.count).lowercased() == mark else { return "\"//\" and a host must follow the scheme" }
    guard !uri.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else {
      return "white space and control characters must be percent-encoded"
    }
    return URLAuthority(startOf: uri.dropFirst(mark.count)).fault
  }

  /// As it is written in the queue; reading it again gives the same value.
  public var uri: String {
    switch self {
    case .file(let path, let range): FileURI.encode(path) + (range?.fragment ?? "")
    case .stream(let url): url
    }
  }

  /// What a track without a title is called: its file's name without the extension, or its URL.
  public static func displayName(of uri: String) -> String {
    if case .file(let path, _) = try? MediaURI(uri) { path.stem } else { uri }
  }

  /// In lower case; nil if `text` begins with none (RFC 3986, 3.1).
  static func scheme(of text: String) -> String? {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let name = text.utf8[..<colon]
    guard let first = name.first, isLetter(first),
      name.allSatisfy({ isLetter($0) || (0x30...0x39).contains($0) || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E })
    else { return nil }
    return String(text[..<colon]).lowercased()
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
}
