internal import Glibc

/// A mapping of a memory file of the daemon to which a worker writes a result. It is mapped because the resource limits of a worker
/// restrict writing to files.
public final class SharedMemoryFile {
  public let size: Int
  private let base: UnsafeMutableRawPointer

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
}
