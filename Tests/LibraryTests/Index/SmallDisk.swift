import Glibc
import SegueSystem
import SegueTestKit

/// A tmpfs over a folder, gone with the object. Needs root and a kernel that lets it mount.
final class SmallDisk {
  private let folder: FilePath

  init(over folder: FilePath, kilobytes: Int = 4096) throws {
    self.folder = folder
    guard SmallDisk.run("mount", "-t", "tmpfs", "-o", "size=\(kilobytes)k", "tmpfs", folder.description) else {
      throw SystemError("mount", folder.description, code: EPERM)
    }
  }

  deinit { _ = SmallDisk.run("umount", "-l", folder.description) }

  func makeWritable(_ on: Bool) throws {
    guard SmallDisk.run("mount", "-o", "remount,\(on ? "rw" : "ro")", folder.description) else {
      throw SystemError("remount", folder.description, code: EPERM)
    }
  }

  /// Takes all the room there is.
  func fill() throws {
    let file = filler.withCString { open($0, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600) }
    guard file >= 0 else { throw SystemError("open", filler.description) }
    defer { close(file) }
    let zeros = [UInt8](repeating: 0, count: 4_096)
    while write(file, zeros, zeros.count) > 0 {}
    guard errno == ENOSPC else { throw SystemError("write", filler.description) }
  }

  func free() { _ = filler.withCString { unlink($0) } }

  private var filler: FilePath { folder.appending("filler") }

  static let isAllowed: Bool = {
    let scratch = Scratch()
    return (try? SmallDisk(over: scratch.path)) != nil
  }()

  private static func run(_ words: String...) -> Bool {
    (try? ChildProcess(words, environment: ["PATH": "/usr/bin:/bin:/usr/sbin:/sbin"]).end(0)) == 0
  }
}
