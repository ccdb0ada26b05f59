internal import Glibc
public import SegueSystem

/// An ext4 volume in a file, mounted over a folder, that can be frozen. While it is frozen, writing to it blocks. It is
/// unmounted with this object. It needs root and a kernel that lets it mount.
public final class FreezableVolume {
  private let folder: FilePath
  private let image: FilePath

  /// - Parameter image: The path of the file to create for the file system.
  public init(over folder: FilePath, image: FilePath) throws {
    self.folder = folder
    self.image = image
    guard Self.run(["truncate", "-s", "4M", image.description]),
      Self.run(["mkfs.ext4", "-q", "-F", image.description]),
      Self.run(["mount", "-o", "loop", image.description, folder.description])
    else { throw Unexpected("no ext4 over \(folder)") }
  }

  deinit {
    // A volume that stays frozen would block its writers forever.
    thaw()
    _ = Self.run(["umount", "-l", folder.description])
    image.withCString { _ = unlink($0) }
  }

  public func freeze() throws {
    guard Self.run(["fsfreeze", "-f", folder.description]) else { throw Unexpected("\(folder) is not frozen") }
  }

  public func thaw() { _ = Self.run(["fsfreeze", "-u", folder.description]) }

  /// Whether this process may mount and freeze volumes.
  public static let isAllowed: Bool = {
    guard let folder = try? TemporaryFolder() else { return false }
    let point = folder.path.appending("disk")
    point.withCString { _ = mkdir($0, 0o700) }
    guard let disk = try? FreezableVolume(over: point, image: folder.path.appending("image")) else { return false }
    return (try? disk.freeze()) != nil
  }()

  private static func run(_ command: [String]) -> Bool {
    let environment = ["PATH": "/usr/bin:/bin:/usr/sbin:/sbin"]
    return (try? ChildProcess(command, environment: environment).end(0)) == 0
  }
}
