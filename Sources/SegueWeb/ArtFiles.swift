internal import Glibc
internal import SegueHTTP
internal import SegueSystem

/// The pictures in the cache of the daemon, which pages show. Nothing else in the file system can be read through it.
struct ArtFiles {
  /// The folder of the cache: it has folders with names of two digits, which have the files.
  let folder: FilePath

  /// The largest picture that is sent, in bytes.
  private static let maximumSize: Int64 = 32 << 20

  /// Returns the response to a request for the picture `name`, such as `7e/4da5ec1624910b7e-360x360.jpeg`.
  func response(to name: Substring) -> HTTPResponse {
    guard Self.isValid(name) else { return HTTPResponse(404) }
    let path = folder.appending(String(name))
    let raw = path.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) }
    guard raw >= 0 else { return HTTPResponse(404) }
    let file = SharedDescriptor(Descriptor(owning: raw))
    guard let status = file.descriptor.status, status.st_mode & S_IFMT == S_IFREG, status.st_size <= Self.maximumSize,
      let type = Self.type(of: file)
    else { return HTTPResponse(404) }
    // The name of a picture changes with its content. A file that somebody made for the cache is no page.
    return HTTPResponse(
      200,
      headers: [
        ("Content-Type", type), ("Cache-Control", "private, max-age=31536000, immutable"),
        ("Content-Security-Policy", "sandbox"),
      ], body: .file(file, size: UInt64(status.st_size)))
  }

  /// Whether a name is one that the cache uses: two hexadecimal digits, a slash, and letters, digits, hyphens and dots.
  static func isValid(_ name: Substring) -> Bool {
    let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].count == 2, parts[0].allSatisfy(isHexDigit) else { return false }
    return (1...100).contains(parts[1].count) && parts[1].first != UInt8(ascii: ".")
      && parts[1].allSatisfy { isHexDigit($0) || "ghijklmnopqrstuvwxyz-.".utf8.contains($0) }
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool { "0123456789abcdef".utf8.contains(byte) }

  /// Returns the media type by the first bytes of a file; nil if it is no picture.
  private static func type(of file: SharedDescriptor) -> String? {
    var bytes = [UInt8](repeating: 0, count: 12)
    guard pread(file.raw, &bytes, bytes.count, 0) == bytes.count else { return nil }
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "image/png" }
    if bytes.starts(with: Array("GIF8".utf8)) { return "image/gif" }
    if bytes.starts(with: Array("RIFF".utf8)), bytes[8...].elementsEqual("WEBP".utf8) { return "image/webp" }
    return nil
  }
}
