internal import CSegue
internal import Glibc

/// Anonymous files in memory (memfd_create(2)), which another process can map.
public enum MemoryFile {
  /// Creates a file of `size` bytes whose size is sealed. `name` is for tools.
  public static func create(_ name: String, size: Int) throws(SystemError) -> Descriptor {
    Descriptor(owning: try checked("memfd_create", name) { segue_memfd(name, size) })
  }

  /// Creates an empty file that grows when it is written. `name` is for tools.
  public static func create(_ name: String) throws(SystemError) -> Descriptor {
    Descriptor(owning: try checked("memfd_create", name) { segue_growing_memfd(name) })
  }

  /// Returns the size of a memory file. Throws `EPERM` if its size is not sealed, so that it could shrink.
  public static func sealedSize(of descriptor: Int32, _ name: String = "memory file") throws(SystemError) -> Int {
    Int(try checked("fcntl", name) { segue_memfd_sealed_size(descriptor) })
  }

  /// Returns a memory file with a copy of the first `size` bytes of another file.
  public static func copy(_ size: Int, of file: Int32) throws(SystemError) -> Descriptor {
    let copy = try create("segue-copy", size: size)
    let raw = copy.raw
    var offset: off_t = 0
    while offset < off_t(size) {
      let count = try checked("sendfile", "memory file") { sendfile(raw, file, &offset, size - Int(offset)) }
      if count == 0 { throw SystemError("sendfile", "memory file", code: EIO) }
    }
    return copy
  }

  /// Writes bytes to the beginning of a memory file.
  public static func write(_ bytes: UnsafeRawBufferPointer, to memory: borrowing Descriptor) throws(SystemError) {
    let raw = memory.raw
    var done = 0
    while done < bytes.count {
      done += try checked("pwrite", "memory file") {
        pwrite(raw, bytes.baseAddress?.advanced(by: done), bytes.count - done, off_t(done))
      }
    }
  }

  /// Returns a copy of the first `size` bytes of a memory file. It is a copy because the process that has written them
  /// can still change them.
  public static func read(_ size: Int, from memory: borrowing Descriptor) throws(SystemError) -> [UInt8] {
    let raw = memory.raw
    var bytes = [UInt8](repeating: 0, count: size)
    var done = 0
    while done < size {
      let count = try checked("pread", "memory file") {
        bytes.withUnsafeMutableBytes { pread(raw, $0.baseAddress?.advanced(by: done), size - done, off_t(done)) }
      }
      guard count > 0 else { break }
      done += count
    }
    return bytes
  }
}
