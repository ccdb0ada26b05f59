public import SegueSystem

/// The user's music folder.
public enum MusicFolder {
  /// The music folder: `$XDG_MUSIC_DIR`, or the one in `user-dirs.dirs`, or `~/Music`. It need not exist. Reads one
  /// small file.
  public static var path: FilePath {
    find(named: Directories.environment("XDG_MUSIC_DIR"), config: Directories.config, home: Directories.home)
  }

  /// Returns the music folder in another environment. `named` is the value of the variable, `config` the folder of
  /// `user-dirs.dirs`.
  public static func find(named: FilePath?, config: FilePath, home: FilePath) -> FilePath {
    if let named, named.isAbsolute { return named.normalized }
    if let bytes = try? SmallFile.read(config.appending("user-dirs.dirs"), upTo: 64 * 1024),
      let found = read(bytes, home: home)
    {
      return found
    }
    return home.appending("Music")
  }

  /// Reads the music folder from the contents of `user-dirs.dirs`. It is a line such as `XDG_MUSIC_DIR="$HOME/Music"`,
  /// in the syntax of the shell, with an absolute path or one below `$HOME` (xdg-user-dirs). Returns nil if there is
  /// none, or if it is the home folder, which means the same.
  static func read(_ bytes: [UInt8], home: FilePath) -> FilePath? {
    var found: FilePath?
    for (_, line) in TextLines(bytes) {
      guard let value = line.trimmed.after("XDG_MUSIC_DIR=") else { continue }
      found = nil
      var path = unquoted(value)
      if let rest = path[...].after("$HOME") {
        guard rest.isEmpty || rest.first == UInt8(ascii: "/") else { continue }
        path = home.bytes + rest
      }
      let named = FilePath(bytes: path).normalized
      if named.isAbsolute, !named.bytes.contains(0), named != home.normalized { found = named }
    }
    return found
  }

  /// Returns the text between double quotation marks, with backslashes interpreted as by the shell. Without quotation
  /// marks, returns the text before the first space.
  private static func unquoted(_ text: ArraySlice<UInt8>) -> [UInt8] {
    guard text.first == UInt8(ascii: "\"") else { return Array(text.prefix { $0 != 0x20 && $0 != 0x09 }) }
    var value: [UInt8] = []
    var escaped = false
    for byte in text.dropFirst() {
      if escaped {
        value.append(byte)
        escaped = false
      } else if byte == UInt8(ascii: "\\") {
        escaped = true
      } else if byte == UInt8(ascii: "\"") {
        break
      } else {
        value.append(byte)
      }
    }
    return value
  }
}
