public import SegueSystem

/// Where the user keeps music.
public enum MusicFolder {
  /// `$XDG_MUSIC_DIR`, else what `user-dirs.dirs` says, else `~/Music`. Whether it exists is another question.
  public static var path: FilePath { Directories.home.appending("Music") }
}
