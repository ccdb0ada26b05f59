internal import SegueSystem
internal import SegueWorkerProtocol

/// A URL to be requested.
struct NamedURL: Equatable {
  var url: String
  /// The scope of the server that named the URL; nil if a user named it. No transfer for it connects to an address that
  /// is nearer.
  var namedBy: AddressScope?
}

/// A GET request.
struct HTTPRequest {
  var target: NamedURL
  /// The header fields, as "Name: value".
  var headers: [String] = []
  /// Whether the server is asked directly even if the environment names a proxy.
  var isDirect = false
  /// The first byte to be sent; nil to request the whole resource without a range.
  var offset: Int64?
  /// The time in which the response must be complete; nil without a limit.
  var timeout: MediaTime?
  /// The number of redirects that are followed.
  var maximumRedirects = 5
  /// The cookies that are sent and received; nil for none.
  var cookies: CookieJar?
  /// Whether the server may compress the body. The delegate receives it decompressed.
  var acceptsCompression = false
  /// Whether the delegate receives responses with every status. Otherwise a status that is not a success is an error.
  var acceptsEveryStatus = false
}

/// The head of a response.
struct HTTPHead {
  let status: Int
  /// The URL after redirects.
  let url: String
  /// The scope of the address of the server that sent the response.
  let scope: AddressScope
  /// The scope of the address of the server that was asked first, before redirects.
  let firstScope: AddressScope
  let fields: HeaderFields

  /// Returns the value of the field `name`, which is in lower case. Of several fields of this name, it is the last one.
  subscript(name: String) -> String? { fields[name].map { String(decoding: $0, as: UTF8.self) } }

  /// Returns the value of the field `name` as it was sent, in an unknown charset.
  func bytes(of name: String) -> [UInt8]? { fields[name] }

  /// Whether the server is that of a station. Some servers send its fields with files, too, but no metadata. Some
  /// stations state the size of a file because some players require one.
  var isStation: Bool {
    fields.includesICY && (status != 206 || contentRange?.size == nil || self["icy-metaint"] != nil)
  }

  /// The media type in lower case without parameters, such as "audio/mpeg".
  var mediaType: String? {
    self["content-type"].map { type in
      String(type.prefix { $0 != ";" }).lowercased().filter { $0 != " " }
    }
  }

  /// Whether the media type is one of audio.
  var isAudio: Bool { mediaType.map { $0.hasPrefix("audio/") || $0 == "application/ogg" } ?? false }

  /// Returns whether a body of this media type is text for people or programs.
  static func isText(_ mediaType: String) -> Bool {
    mediaType.hasPrefix("text/")
      || ["application/json", "application/xml", "application/xhtml+xml"].contains(mediaType)
  }

  /// The length of the body in bytes, if it is stated and the body is not encoded.
  var contentLength: Int64? {
    guard (self["content-encoding"] ?? "identity").lowercased() == "identity" else { return nil }
    return self["content-length"].flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil }
  }

  /// Whether the head states a size or a position that no file has.
  var hasImplausibleSize: Bool {
    [contentLength, contentRange?.start, contentRange?.size].contains { $0 ?? 0 > FetchedResource.maximumSize }
  }

  /// The range of the resource that the body is, and the size of the whole resource if it is known, from
  /// `Content-Range: bytes 0-99/1000`.
  var contentRange: (start: Int64, size: Int64?)? {
    guard let text = self["content-range"]?.lowercased(), text.hasPrefix("bytes ") else { return nil }
    let parts = text.dropFirst(6).split(separator: "/", maxSplits: 1)
    guard let start = parts.first?.prefix(while: { $0 != "-" }), let start = Int64(start), start >= 0 else {
      return nil
    }
    let size = parts.count > 1 ? Int64(parts[1]) : nil
    return (start, size.flatMap { $0 > start ? $0 : nil })
  }

  /// Whether the body is compressed, which no request allows.
  var isCompressed: Bool {
    ["gzip", "x-gzip", "deflate", "compress", "br", "zstd"].contains(self["content-encoding"]?.lowercased())
  }

  /// Whether the server can send a part of the resource.
  var acceptsRanges: Bool { status == 206 || self["accept-ranges"]?.lowercased() == "bytes" }
}

/// The owner of a transfer. Its functions are called on the thread of the client.
protocol TransferDelegate: AnyObject {
  /// Handles the head of the last response, after redirects. Returns false to end the transfer without a further call.
  func transfer(_ transfer: Transfer, received head: HTTPHead) -> Bool
  /// Handles bytes of the body. Returns false if they cannot be taken now: they are passed again after `resume`.
  func transfer(_ transfer: Transfer, received bytes: UnsafeRawBufferPointer) -> Bool
  /// Handles the end of the transfer. If there was no head, it is a failure.
  func transfer(_ transfer: Transfer, ended result: Result<Void, TransferError>)
}
