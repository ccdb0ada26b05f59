public import SegueSystem

/// The files of the repository.
public enum Repository {
  /// The folder with Package.swift.
  public static let root = FilePath(#filePath).parent.parent.parent

  /// Returns the path of a file in MediaTests/Fixtures, whose make.py describes the contents.
  public static func fixture(_ name: String) -> FilePath { root.appending("Tests/MediaTests/Fixtures").appending(name) }
}
