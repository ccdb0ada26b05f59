// Decoding thread only.
internal import Glibc
internal import SegueSystem

/// A memory file of the daemon's that something is put into for it. Written as memory: how much a worker may write to
/// files is limited.
final class SharedMemoryFile {
  let size: Int
  private let base: UnsafeMutableRawPointer

  /// Maps a memory file, which the daemon holds on to. Refuses one that could still shrink.
  init(adopting descriptor: consuming Descriptor) throws(SystemError) {
    let raw = descriptor.raw
    size = try MemoryFile.sealedSize(of: raw)
    guard size > 0, let base = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, raw, 0), base != MAP_FAILED else {
      throw SystemError("mmap", "memory file")
    }
    self.base = base
  }

  deinit { munmap(base, size) }

  /// Copies `bytes` to its beginning; false if there is no room for them.
  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count <= size else { return false }
    UnsafeMutableRawBufferPointer(start: base, count: size).copyMemory(from: bytes)
    return true
  }
}
