// Decoding thread only.
internal import SegueFFmpeg
internal import SegueLink

/// A file on a server that can be read at any position. Its bytes are cached, because libavformat and the readers of tags
/// often read the same bytes, and because a seek to cached bytes takes no longer than in a local file.
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
  private var position: Int64 = 0
  /// A range around `position` of which all bytes are cached.
  private var cached: Range<Int64> = 0..<0
  /// Whether bytes are being read ahead until the maximum is reached.
  private var isReadingAhead = true

  private static let maximumRequests = 2
  /// The number of bytes that are read ahead. The other half of the cache is for bytes that were played.
  private static let maximumAhead = Int64(BlockCache.size / 2)
  /// The number of bytes that have to be missing before more are read ahead, so that the processes rarely wake up.
  private static let minimumMissing: Int64 = 1 << 20

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
    self.position = position + Int64(count)
    if !cached.contains(position) { cached = position..<self.position }
    return count
  }

  /// Whether the file can be read any further. If not, it must be opened again.
  var isUsable: Bool { !hasFailed && !client.isClosed }

  /// Keeps the bytes that were read last, which were read to open the file, because another start position needs them again.
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

  /// Returns the request that is nearest to `position`: one that will bring its bytes soon, a new one, or the one that was
  /// not used for the longest time.
  private func takeRequest(at position: Int64) throws(MediaError) -> FetchedStream {
    if let index = requests.firstIndex(where: { $0.isNear(position) }) {
      if index > 0 { requests.insert(requests.remove(at: index), at: 0) }
    } else if requests.count < Self.maximumRequests {
      requests.insert(try FetchedStream(client, resource, at: position), at: 0)
    } else {
      requests.insert(requests.removeLast(), at: 0)
    }
    return requests[0]
  }

  // MARK: Reading ahead

  /// Reads some bytes ahead of playback that have arrived. This does not block. Returns the descriptor that is readable when
  /// there are more; nil if there are enough, or if none are on their way.
  func readAhead() -> Int32? {
    cached = cached.lowerBound..<cache.endOfBytes(from: cached.upperBound)
    let end = cached.upperBound
    let missing = position + Self.maximumAhead - end
    if missing <= 0 { isReadingAhead = false } else if missing >= Self.minimumMissing { isReadingAhead = true }
    guard isReadingAhead, isUsable, end < fileSize, let request = requests.first(where: { $0.isOpen(at: end) }) else {
      return nil
    }
    let block = cache.block(at: end)
    // If the block was discarded, its beginning is missing, too.
    guard block.end == end else { return nil }
    do throws(MediaError) {
      guard let count = try request.readArrived(into: block.room) else { return request.descriptor }
      block.append(count)
      return count > 0 ? request.descriptor : nil
    } catch {
      // Playback handles the error when it needs the bytes.
      return nil
    }
  }
}

extension FetchedResource {
  /// The last component of the path, whose extension tells libavformat something about the format.
  var fileName: String {
    let path = url.prefix { $0 != "?" && $0 != "#" }
    return String(path.suffix(from: path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex))
  }
}
