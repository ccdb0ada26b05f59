internal import Glibc

/// A mapping of a memory file of the daemon to which a worker writes a result. It is mapped because the resource limits
/// of a worker restrict writing to files.
public final class SharedMemoryFile {
  public let size: Int
  private let base: UnsafeMutableRawPointer
  /// The number of bytes that were appended.
  public private(set) var count = 0
  /// The number of these bytes, a multiple of the page size, that are not in the memory of this process any more.
  private var unmappedCount = 0

  /// The number of appended bytes that remain in the memory of this process, at most.
  private static let maximumMappedCount = 256 * 1024

  /// Maps a memory file that the daemon owns. If the size of the file is not sealed, throws an error.
  public init(adopting descriptor: consuming Descriptor) throws(SystemError) {
    let raw = descriptor.raw
    size = try MemoryFile.sealedSize(of: raw)
    guard size > 0, let base = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, raw, 0), base != MAP_FAILED else {
      throw SystemError("mmap", "memory file")
    }
    self.base = base
  }

  deinit { munmap(base, size) }

  /// Copies `bytes` to the beginning of the file. If they do not fit, returns false.
  public func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count <= size else { return false }
    UnsafeMutableRawBufferPointer(start: base, count: size).copyMemory(from: bytes)
    return true
  }

  /// Copies `bytes` to the end of what was appended before. If they do not fit, returns false. The memory of this
  /// process hardly grows: it keeps only the last bytes mapped.
  public func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count <= size - count else { return false }
    UnsafeMutableRawBufferPointer(start: base + count, count: size - count).copyMemory(from: bytes)
    count += bytes.count
    let complete = count - count % Int(getpagesize())
    if complete - unmappedCount >= Self.maximumMappedCount {
      // The bytes stay in the file. If this fails, they stay in memory, too.
      madvise(base + unmappedCount, complete - unmappedCount, MADV_DONTNEED)
      unmappedCount = complete
    }
    return true
  }

  /// Discards what was appended.
  public func removeAll() { (count, unmappedCount) = (0, 0) }
}
