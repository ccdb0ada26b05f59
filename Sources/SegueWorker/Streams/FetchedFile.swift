// Thread: the decoding thread.
internal import SegueFFmpeg
internal import SegueSystem
internal import SegueWorkerProtocol

/// A file on a server that can be read at any position. Its bytes are cached, because libavformat and the readers of
/// tags often read the same bytes, and because a seek to cached bytes takes no longer than in a local file.
final class FetchedFile: RemoteBytes {
  private let fileSize: Int64
  let client: FetchClient
  let resource: FetchedResource
  private var hasFailed = false
  /// The requests, beginning with the one that was used last. Playback uses one of them, and the readers of tags and of
  /// indexes at the end of the file use the other.
  private var requests: [FetchedStream]
  private var cache: BlockCache
  /// The end of the bytes that were read last.
  private var readEnd: Int64 = 0
  /// Whether bytes are being read ahead until the maximum is reached.
  private var isReadingAhead = true

  private static let maximumRequests = 2
  /// The number of bytes that are read ahead. A block that was read ahead is discarded when the whole cache was used
  /// after it, by as many bytes that were played and as many that were read ahead. Therefore this is clearly less than
  /// half of the cache.
  private static let maximumAhead = Int64(BlockCache.size * 3 / 8)
  /// The number of bytes that have to be missing before more are read ahead, so that the processes rarely wake up. A
  /// server has to send them before it gives up a connection that is not read, often after 60 seconds.
  private static let minimumMissing: Int64 = 256 << 10

  /// Creates the file that `stream` reads. Returns nil if its server cannot send parts of it.
  init?(_ stream: FetchedStream, _ client: FetchClient) {
    guard stream.isSeekable, let size = stream.size else { return nil }
    self.client = client
    fileSize = size
    resource = stream.resource
    requests = [stream]
    cache = BlockCache(fileSize: size)
  }

  var size: Int64? { fileSize }
  var isSeekable: Bool { true }

  func read(at position: Int64, into target: UnsafeMutableRawBufferPointer) throws(MediaError) -> Int {
    guard position < fileSize, !target.isEmpty else { return 0 }
    let block = cache.block(at: position)
    while block.end <= position {
      // The fetch process reports an error before the bytes end too early.
      if try fill(block) == 0 { return 0 }
    }
    let bytes = block.bytes(from: position)
    let count = min(target.count, bytes.count)
    target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes.prefix(count)))
    readEnd = position + Int64(count)
    return count
  }

  func endOfCached(from position: Int64) -> Int64 { cache.endOfBytes(from: position) }

  /// Whether the file can be read any further. If not, it must be opened again.
  var isUsable: Bool { !hasFailed && !client.isClosed }

  /// Keeps the bytes that were read last, which were read to open the file, because another start position needs them
  /// again.
  func keepBytes() { cache.keepLastBlocks() }

  /// Reads bytes that follow those of `block`. Returns their number.
  private func fill(_ block: BlockCache.Block) throws(MediaError) -> Int {
    do throws(MediaError) {
      let count = try takeRequest(at: block.end).read(at: block.end, into: block.room)
      block.append(count)
      return count
    } catch {
      // The state of an interrupted request is unknown. The next read makes a new one.
      requests = []
      if case .failed = error { hasFailed = true }
      throw error
    }
  }

  /// Returns the request that is nearest to `position`: one that will bring its bytes soon, a new one, or the one that
  /// was not used for the longest time.
  private func takeRequest(at position: Int64) throws(MediaError) -> FetchedStream {
    if let index = requests.firstIndex(where: { $0.isNear(position) }) { return makeFirst(index) }
    guard requests.count < Self.maximumRequests else { return makeFirst(requests.count - 1) }
    let request = try FetchedStream(client, resource, at: position)
    requests.insert(request, at: 0)
    return request
  }

  // MARK: Reading ahead

  /// Reads some bytes ahead of playback that have arrived. This does not block. Returns the descriptor that is readable
  /// when there are more; nil if there are enough, or if none are on their way.
  func readAhead() -> Int32? {
    let end = cache.endOfBytes(from: readEnd)
    let missing = readEnd + Self.maximumAhead - end
    if missing <= 0 { isReadingAhead = false } else if missing >= Self.minimumMissing { isReadingAhead = true }
    guard isReadingAhead, isUsable, end < fileSize,
      let index = requests.firstIndex(where: { $0.isOpen(at: end) })
    else { return nil }
    let block = cache.block(at: end)
    // If the block was discarded, its beginning is missing, too.
    guard block.end == end else { return nil }
    let request = makeFirst(index)
    do throws(MediaError) {
      guard let count = try request.readArrived(into: block.room) else { return request.descriptor }
      block.append(count)
      if count > 0 { return request.descriptor }
    } catch {
      Log.debug("the file cannot be read ahead: \(error)")
    }
    // The bytes have ended too early. Playback makes another request when it needs them. The network may be back by
    // then.
    requests.removeFirst()
    return nil
  }

  /// Moves the request at `index` to the front and returns it.
  private func makeFirst(_ index: Int) -> FetchedStream {
    if index > 0 { requests.insert(requests.remove(at: index), at: 0) }
    return requests[0]
  }
}

extension FetchedResource {
  /// The last component of the path, whose extension tells libavformat something about the format.
  var fileName: String {
    let path = url.prefix { $0 != "?" && $0 != "#" }
    return String(path.suffix(from: path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex))
  }
}
