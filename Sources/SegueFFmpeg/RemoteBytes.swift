// Thread: the decoding thread.

/// The bytes of a resource that is not a local file.
package protocol RemoteBytes: AnyObject {
  /// The size in bytes; nil if it is unknown.
  var size: Int64? { get }
  /// Whether the bytes can be read at any position. If not, each read begins at the end of the previous one.
  var isSeekable: Bool { get }
  /// Reads bytes at `position`. Blocks until there are some. Returns 0 at the end.
  func read(at position: Int64, into target: UnsafeMutableRawBufferPointer) throws(MediaError) -> Int
  /// Returns the end of the bytes from `position` on that can be read without a wait.
  func endOfCached(from position: Int64) -> Int64
}

extension RemoteBytes {
  package func endOfCached(from position: Int64) -> Int64 { position }
}
