// Decoding thread only.
internal import Glibc
internal import SegueFFmpeg
internal import SegueLink
internal import SegueWire

/// A resource that the worker reads through the fetch process.
final class FetchedStream: ByteStream {
  let resource: FetchedResource
  private let client: FetchClient
  private var id: UInt32
  private var data: Int32
  /// The position at which the next read begins, and the one of the next byte of `data`.
  private var target: Int64
  private(set) var position: Int64
  /// The number of bytes that were read from `data`.
  private var received: Int64 = 0

  /// A seek forwards by no more than this is made by reading. The bytes are on their way already.
  private static let shortSeek: Int64 = 64 * 1024

  /// Requests the bytes of `url` from `offset` on. Blocks until the server has answered.
  init(_ client: FetchClient, _ url: String, at offset: Int64) throws(MediaError) {
    self.client = client
    (target, position) = (offset, offset)
    (id, resource, data) = try client.open(url, at: offset)
  }

  deinit {
    Glibc.close(data)
    client.close(id)
  }

  /// Returns whether the bytes at `target` follow so soon that they need no request.
  func isNear(_ target: Int64) -> Bool { (position...position + Self.shortSeek).contains(target) }

  var size: Int64? { resource.size }
  var isSeekable: Bool { resource.isSeekable }

  /// The last ICY metadata before the bytes that will be read next.
  var metadata: [UInt8]? { client.metadata(id, before: received) }

  /// Sets the position. The request for it is made by the next read, because libavformat often seeks several times.
  func seek(to position: Int64) throws(MediaError) { target = position }

  func read(into bytes: UnsafeMutableRawBufferPointer) throws(MediaError) -> Int {
    if target != position { try move() }
    let count = try receive(into: bytes)
    target = position
    return count
  }

  private func move() throws(MediaError) {
    if let size, target >= size {
      // There is nothing to be requested.
      position = target
      return
    }
    guard !isNear(target) else { return try skip(Int(target - position)) }
    Glibc.close(data)
    data = -1
    client.close(id)
    // The URL after redirects and playlists.
    (id, _, data) = try client.open(resource.url, at: target)
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
      if try client.receiveResponses(andPoll: data) {
        let count = Glibc.read(data, bytes.baseAddress, bytes.count)
        if count > 0 {
          position += Int64(count)
          received += Int64(count)
          return count
        }
        if count == 0 {
          if let failure = try client.takeFailure(id) { throw .failed(failure) }
          return 0
        }
        if errno != EINTR { throw .failed(Failure(.offline, "the process that reads from the network has ended")) }
      }
      try client.wait(for: data)
    }
  }
}
