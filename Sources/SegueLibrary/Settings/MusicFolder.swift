public import SegueSystem

/// Where the user keeps music.
public enum MusicFolder {
  /// `$XDG_MUSIC_DIR`, else what `user-dirs.dirs` says, else `~/Music`. Whether it exists is another question. Reads
  /// one small file.
  public static var path: FilePath {
    find(named: Directories.environment("XDG_MUSIC_DIR"), config: Directories.config, home: Directories.home)
  }

  /// The same for another environment: `named` is what the variable says, `config` the folder of `user-dirs.dirs`.
  public static func find(named: FilePath?, config: FilePath, home: FilePath) -> FilePath {
    if let named, named.isAbsolute { return named.normalized }
    if let bytes = try? SmallFile.read(config.appending("user-dirs.dirs"), upTo: 64 * 1024),
      let found = read(bytes, home: home)
    {
      return found
    }
    return home.appending("Music")
  }

  /// `XDG_MUSIC_DIR="$HOME/Music"` in the shell's manner, absolute or under `$HOME` (xdg-user-dirs). The home folder
  /// itself stands for "no such folder" there. nil if there is none.
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

  /// What stands between double quotation marks, backslashes taken as the shell does; without marks all up to a space.
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
