internal import CSegue

/// Anonymous files in memory (memfd_create(2)), which another process can map.
public enum MemoryFile {
  /// Creates a file of `size` bytes whose size is sealed. `name` is for tools.
  public static func create(_ name: String, size: Int) throws(SystemError) -> Descriptor {
    Descriptor(owning: try checked("memfd_create", name) { segue_memfd(name, size) })
  }

  /// Returns the size of a memory file. Throws `EPERM` if its size is not sealed, so that it could shrink.
  public static func sealedSize(of descriptor: Int32, _ name: String = "memory file") throws(SystemError) -> Int {
    Int(try checked("fcntl", name) { segue_memfd_sealed_size(descriptor) })
  }
}
