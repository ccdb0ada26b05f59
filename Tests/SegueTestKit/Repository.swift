public import SegueSystem

/// The files beside the tests.
public enum Repository {
  /// The folder with Package.swift.
  public static let root = FilePath(#filePath).parent.parent.parent

  /// One of the files in MediaTests/Fixtures; make.py there says what they hold.
  public static func fixture(_ name: String) -> FilePath { root.appending("Tests/MediaTests/Fixtures").appending(name) }
}
