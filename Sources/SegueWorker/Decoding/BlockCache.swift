// Thread: the decoding thread.

/// A cache of the blocks of a file that were read or used last.
struct BlockCache {
  private let fileSize: Int64
  /// The blocks by their number in the file.
  private var blocks: [Int64: Block] = [:]
  /// The number of calls of `block` so far.
  private var uses: UInt64 = 0

  /// The maximum size of the cache in bytes.
  static let size = 16 << 20
  private static let blockSize = 16 << 10
  /// The number of blocks that are kept until the file is opened again.
  private static let maximumKeptBlocks = 16

  /// A part of the file, of which the first bytes were read.
  final class Block {
    fileprivate let number: Int64
    private let memory: UnsafeMutableRawBufferPointer
    private var count = 0
    fileprivate var lastUse: UInt64 = 0
    fileprivate var isKept = false

    fileprivate init(_ number: Int64, size: Int) {
      self.number = number
      memory = .allocate(byteCount: size, alignment: 16)
    }

    deinit { memory.deallocate() }

    private var start: Int64 { number * Int64(BlockCache.blockSize) }

    /// The position in the file after the last byte that was read.
    var end: Int64 { start + Int64(count) }

    /// The memory for the bytes that follow.
    var room: UnsafeMutableRawBufferPointer { UnsafeMutableRawBufferPointer(rebasing: memory[count...]) }

    /// Records that `count` bytes were read into `room`.
    func append(_ count: Int) { self.count += count }

    /// Returns the bytes that were read from `position` of the file on, which is in the block.
    func bytes(from position: Int64) -> UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(rebasing: memory[Int(position - start)..<count])
    }
  }

  init(fileSize: Int64) { self.fileSize = fileSize }

  /// Returns the block that contains `position`, which is in the file. Its bytes may still have to be read.
  mutating func block(at position: Int64) -> Block {
    uses += 1
    let number = position / Int64(Self.blockSize)
    let block = blocks[number] ?? insertBlock(number)
    block.lastUse = uses
    return block
  }

  private mutating func insertBlock(_ number: Int64) -> Block {
    if blocks.count >= Self.size / Self.blockSize,
      let oldest = blocks.values.lazy.filter({ !$0.isKept }).min(by: { $0.lastUse < $1.lastUse })
    {
      blocks[oldest.number] = nil
    }
    let block = Block(number, size: Int(min(Int64(Self.blockSize), fileSize - number * Int64(Self.blockSize))))
    blocks[number] = block
    return block
  }

  /// Returns the end of the bytes that are cached from `position` on without a gap.
  func endOfBytes(from position: Int64) -> Int64 {
    var end = position
    while let block = blocks[end / Int64(Self.blockSize)], block.end > end { end = block.end }
    return end
  }

  /// Keeps the blocks that were used last, in place of those that were kept before.
  mutating func keepLastBlocks() {
    for block in blocks.values { block.isKept = false }
    let last = blocks.values.sorted { $0.lastUse > $1.lastUse }
    for block in last.prefix(Self.maximumKeptBlocks) { block.isKept = true }
  }
}
