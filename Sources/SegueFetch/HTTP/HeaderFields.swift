internal import SegueSystem

/// The fields of the head of a response that are of use. Others are not kept, because a server may send thousands of
/// them.
struct HeaderFields {
  private var values: [String: [UInt8]] = [:]
  /// Whether there is a field whose name begins with "icy-" or "ice-", as the servers of stations send them.
  private(set) var includesICY = false

  private static let names: Set<String> = [
    "accept-ranges", "cache-control", "content-encoding", "content-length", "content-range", "content-type", "date",
    "etag",
    "icy-metaint", "icy-name", "last-modified", "retry-after",
  ]
  private static let maximumNameSize = 32

  /// Adds the field of a line "Name: value". A line of another form is ignored.
  mutating func add(line: UnsafeRawBufferPointer) {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon <= Self.maximumNameSize else { return }
    let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
    if name.hasPrefix("icy-") || name.hasPrefix("ice-") { includesICY = true }
    if Self.names.contains(name) { values[name] = Array(line[(colon + 1)...].trimmed) }
  }

  /// Returns the value of the field `name`, which is in lower case. Of several fields of this name, it is the last one.
  subscript(name: String) -> [UInt8]? { values[name] }
}
