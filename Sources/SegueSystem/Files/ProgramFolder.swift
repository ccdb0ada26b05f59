internal import Glibc

extension CurrentProcess {
  /// The folder that contains the program of this process; nil if /proc is not mounted.
  public static var programFolder: FilePath? {
    let path = [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
      let length = buffer.withMemoryRebound(to: CChar.self) { readlink("/proc/self/exe", $0.baseAddress!, $0.count) }
      count = max(0, length)
    }
    return path.isEmpty ? nil : FilePath(bytes: path).parent
  }
}
