// Thread: the decoding thread.
internal import Glibc
internal import SegueFFmpeg
internal import SegueWire
internal import SegueWorkerProtocol

/// A resource, or the rest of one, that the worker reads through the fetch process.
final class FetchedStream: RemoteBytes {
  let resource: FetchedResource
  private let client: FetchClient
  private var id: UInt32
  /// The descriptor of the bytes; -1 after a request for another position that failed.
  private var data: Int32
  /// The offset in the resource at which the stream begins.
  private let start: Int64
  /// The position of the next byte of `data`, from the beginning of the stream.
  private(set) var position: Int64
  /// The number of bytes that were read from `data`.
  private var received: Int64 = 0

  /// A seek forwards by no more than this is made by reading. The bytes are on their way already.
  private static let shortSeek: Int64 = 64 * 1024

  /// Opens `url`, which is the URL of the stream or one that its content names, from `offset` on. Blocks until the
  /// server has answered.
  init(_ client: FetchClient, _ url: String, from offset: Int64 = 0) throws(MediaError) {
    self.client = client
    start = offset
    position = 0
    (id, resource, data) = try client.open(url, at: offset)
  }

  /// Makes a further request for the bytes of `resource`, which begins at `position`.
  init(_ client: FetchClient, _ resource: FetchedResource, at position: Int64) throws(MediaError) {
    self.client = client
    self.resource = resource
    start = 0
    self.position = position
    (id, data) = try Self.open(client, resource, at: position)
  }

  deinit {
    if data >= 0 { Glibc.close(data) }
    client.close(id)
  }

  /// Requests the bytes of `resource`, by its URL after redirects and playlists.
  private static func open(
    _ client: FetchClient, _ resource: FetchedResource, at offset: Int64
  ) throws(MediaError) -> (UInt32, Int32) {
    let (id, found, data) = try client.open(resource, at: offset)
    guard let size = found.size, size != resource.size else { return (id, data) }
    Glibc.close(data)
    client.close(id)
    throw .failed(Failure(.badResponse, "the file on the server has changed"))
  }

  /// Returns whether the bytes at `target` follow so soon that they need no request.
  func isNear(_ target: Int64) -> Bool { data >= 0 && target >= position && target - position <= Self.shortSeek }

  var size: Int64? { resource.size.map { max(0, $0 - start) } }
  var isSeekable: Bool { resource.isSeekable && client.sendsParts != false }

  /// The last ICY metadata before the bytes that will be read next.
  var metadata: [UInt8]? { client.metadata(id, before: received) }

  func read(at target: Int64, into bytes: UnsafeMutableRawBufferPointer) throws(MediaError) -> Int {
    if let size, target >= size { return 0 }
    if target != position || data < 0 { try move(to: target) }
    return try receive(into: bytes)
  }

  private func move(to target: Int64) throws(MediaError) {
    guard !isNear(target) else { return try skip(Int(target - position)) }
    if data >= 0 { Glibc.close(data) }
    data = -1
    client.close(id)
    (id, data) = try Self.open(client, resource, at: start + target)
    received = 0
    position = target
  }

  private func skip(_ count: Int) throws(MediaError) {
    var left = count
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: min(left, 16 * 1024), alignment: 16)
    defer { buffer.deallocate() }
    while left > 0 {
      let count = try receive(into: UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(left)))
      if count == 0 { return }
      left -= count
    }
  }

  private func receive(into bytes: UnsafeMutableRawBufferPointer) throws(MediaError) -> Int {
    if let size, position >= size { return 0 }
    while true {
      if let count = try readArrived(into: bytes) {
        if count == 0, let failure = try client.failure(id) { throw .failed(failure) }
        return count
      }
      try client.wait(for: data)
    }
  }

  // MARK: Reading without blocking

  /// Returns whether the byte at `target` is the next one of the current request.
  func isOpen(at target: Int64) -> Bool { data >= 0 && position == target }

  /// The descriptor that is readable when bytes have arrived. Precondition: there is a current request.
  var descriptor: Int32 { data }

  /// Reads bytes of the current request that have arrived. Returns 0 if they have ended, and nil if there are none now.
  func readArrived(into bytes: UnsafeMutableRawBufferPointer) throws(MediaError) -> Int? {
    guard try client.receiveResponses(andPoll: data) else { return nil }
    let count = Glibc.read(data, bytes.baseAddress, bytes.count)
    if count < 0 {
      if errno == EINTR { return nil }
      throw .failed(FetchClient.processEnded)
    }
    position += Int64(count)
    received += Int64(count)
    return count
  }
}
