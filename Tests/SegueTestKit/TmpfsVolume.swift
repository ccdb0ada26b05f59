internal import Glibc
public import SegueSystem

/// A small tmpfs, mounted over a folder. It is unmounted with this object. It needs root and a kernel that lets it
/// mount.
public final class TmpfsVolume {
  private let folder: FilePath

  public init(over folder: FilePath, kilobytes: Int = 2048) throws {
    self.folder = folder
    guard TmpfsVolume.mount(["-t", "tmpfs", "-o", "size=\(kilobytes)k", "tmpfs", folder.description]) else {
      throw Unexpected("no tmpfs over \(folder)")
    }
  }

  deinit { _ = try? ChildProcess(["umount", "-l", folder.description], environment: TmpfsVolume.environment).end(0) }

  public func makeWritable(_ on: Bool) throws {
    guard TmpfsVolume.mount(["-o", "remount,\(on ? "rw" : "ro")", folder.description]) else {
      throw Unexpected("\(folder) is not remounted")
    }
  }

  public func resize(kilobytes: Int) throws {
    guard TmpfsVolume.mount(["-o", "remount,size=\(kilobytes)k", folder.description]) else {
      throw Unexpected("\(folder) is not remounted")
    }
  }

  /// Fills the volume with a file.
  public func fill() throws {
    let file = filler.withCString { open($0, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600) }
    guard file >= 0 else { throw SystemError("open", filler.description) }
    defer { close(file) }
    let zeros = [UInt8](repeating: 0, count: 4_096)
    while write(file, zeros, zeros.count) > 0 {}
    guard errno == ENOSPC else { throw SystemError("write", filler.description) }
  }

  /// Removes the file of `fill`.
  public func free() { filler.withCString { _ = unlink($0) } }

  private var filler: FilePath { folder.appending("filler") }

  /// Whether this process may mount volumes.
  public static let isAllowed: Bool = {
    guard let folder = try? TemporaryFolder() else { return false }
    return (try? TmpfsVolume(over: folder.path)) != nil
  }()

  private static let environment = ["PATH": "/usr/bin:/bin:/usr/sbin:/sbin"]

  private static func mount(_ arguments: [String]) -> Bool {
    (try? ChildProcess(["mount"] + arguments, environment: environment).end(0)) == 0
  }
}
