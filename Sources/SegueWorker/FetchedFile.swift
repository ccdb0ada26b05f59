// Decoding thread only.
internal import SegueFFmpeg
internal import SegueLink

/// A file on a server that can be read at any position. Its bytes are cached in blocks, because libavformat and the readers
/// of tags often read the same bytes.
final class FetchedFile: RemoteBytes {
  private let fileSize: Int64
  let client: FetchClient
  let resource: FetchedResource
  private var hasFailed = false
  /// The requests, beginning with the one that was used last. Playback uses one of them, and the readers of tags and of
  /// indexes at the end of the file use the other.
  private var requests: [FetchedStream]
  /// The cached blocks, beginning with the one that was used last.
  private var blocks: [Block] = []

  private static let maximumRequests = 2
  private static let blockSize: Int64 = 16 * 1024
  /// The number of cached blocks, which are 8 MiB, so that a seek to what was played lately needs no request.
  private static let maximumBlocks = 512
  /// The number of blocks that are kept until the file is opened again.
  private static let maximumKeptBlocks = 16

  /// A part of the file, of which the first `count` bytes were read.
  private final class Block {
    let start: Int64
    let memory: UnsafeMutableRawBufferPointer
    var count = 0
    var isKept = false

    init(at start: Int64, size: Int) {
      self.start = start
      memory = .allocate(byteCount: size, alignment: 16)
    }

    deinit { memory.deallocate() }

    var end: Int64 { start + Int64(count) }
  }

  /// Creates the file that `stream` reads. Returns nil if its server cannot send parts of it.
  init?(_ stream: FetchedStream, _ client: FetchClient) {
    guard stream.isSeekable, let size = stream.size else { return nil }
    self.client = client
    fileSize = size
    resource = stream.resource
    requests = [stream]
  }

  var size: Int64? { fileSize }
  var isSeekable: Bool { true }

  func read(at position: Int64, into target: UnsafeMutableRawBufferPointer) throws(MediaError) -> Int {
    guard position < fileSize, !target.isEmpty else { return 0 }
    let block = takeBlock(at: position / Self.blockSize * Self.blockSize)
    while block.end <= position {
      let count = try fill(block)
      // The fetch process reports an error before the bytes end too early.
      if count == 0 { return 0 }
    }
    let bytes = UnsafeRawBufferPointer(rebasing: block.memory[Int(position - block.start)..<block.count])
    let count = min(target.count, bytes.count)
    target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes.prefix(count)))
    return count
  }

  /// Whether the file can be read any further. If not, it must be opened again.
  var isUsable: Bool { !hasFailed && !client.isClosed }

  /// Keeps the blocks that were used last, which were read to open the file, because another start position needs them again.
  func keepBlocks() {
    for (index, block) in blocks.enumerated() { block.isKept = index < Self.maximumKeptBlocks }
  }

  /// Reads bytes that follow those of `block`. Returns their number.
  private func fill(_ block: Block) throws(MediaError) -> Int {
    do throws(MediaError) {
      let request = try takeRequest(at: block.end)
      let count = try request.read(
        at: block.end, into: UnsafeMutableRawBufferPointer(rebasing: block.memory[block.count...]))
      block.count += count
      return count
    } catch {
      // The state of an interrupted request is unknown. The next read makes a new one.
      requests = []
      if case .failed = error { hasFailed = true }
      throw error
    }
  }

  private func takeBlock(at start: Int64) -> Block {
    if let index = blocks.firstIndex(where: { $0.start == start }) {
      if index > 0 { blocks.insert(blocks.remove(at: index), at: 0) }
      return blocks[0]
    }
    if blocks.count >= Self.maximumBlocks, let oldest = blocks.lastIndex(where: { !$0.isKept }) {
      blocks.remove(at: oldest)
    }
    blocks.insert(Block(at: start, size: Int(min(Self.blockSize, fileSize - start))), at: 0)
    return blocks[0]
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
}

extension FetchedResource {
  /// The last component of the path, whose extension tells libavformat something about the format.
  var fileName: String {
    let path = url.prefix { $0 != "?" && $0 != "#" }
    return String(path.suffix(from: path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex))
  }
}
