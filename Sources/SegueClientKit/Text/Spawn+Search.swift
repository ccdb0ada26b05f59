internal import Glibc
public import SegueSystem

extension Spawn {
  /// Returns whether a program with this name is in one of the folders of `PATH`.
  public static func finds(_ program: String) -> Bool {
    guard let folders = Directories.environment("PATH")?.bytes.split(separator: UInt8(ascii: ":")) else { return false }
    return folders.contains { folder in
      FilePath(bytes: Array(folder)).appending(program).withCString { access($0, X_OK) == 0 }
    }
  }
}
