internal import Glibc

/// The folders of the XDG Base Directory Specification, and the daemon's own places in them.
public enum Directories {
  public static func environment(_ name: String) -> FilePath? {
    guard let value = name.withCString({ getenv($0) }), value.pointee != 0 else { return nil }
    return FilePath(bytes: Array(UnsafeRawBufferPointer(start: value, count: strlen(value))))
  }

  /// `$HOME`, else what the password database says, else "/".
  public static var home: FilePath {
    if let home = environment("HOME"), home.isAbsolute { return home }
    if let entry = getpwuid(getuid()), let directory = entry.pointee.pw_dir {
      return FilePath(String(cString: directory))
    }
    return FilePath("/")
  }

  /// `$XDG_CONFIG_HOME`, else `~/.config`.
  public static var config: FilePath { base("XDG_CONFIG_HOME", ".config") }
  /// `$XDG_STATE_HOME`, else `~/.local/state`.
  public static var state: FilePath { base("XDG_STATE_HOME", ".local/state") }
  /// `$XDG_DATA_HOME`, else `~/.local/share`.
  public static var data: FilePath { base("XDG_DATA_HOME", ".local/share") }

  /// `$XDG_CACHE_HOME`, else `~/.cache`.
  public static var cache: FilePath { base("XDG_CACHE_HOME", ".cache") }

  /// `$XDG_RUNTIME_DIR`; nil where no session made one.
  public static var runtime: FilePath? {
    environment("XDG_RUNTIME_DIR").flatMap { $0.isAbsolute ? $0 : nil }
  }

  /// Where clients and daemon meet when neither `--socket` nor `$SEGUE_SOCKET` says otherwise. Without a runtime
  /// folder: `/tmp/segue-UID/socket`, a folder only its owner may enter.
  public static var socket: FilePath {
    if let named = environment("SEGUE_SOCKET") { return named }
    return (runtime.map { $0.appending("segue") } ?? FilePath("/tmp/segue-\(getuid())")).appending("socket")
  }

  private static func base(_ variable: String, _ fallback: String) -> FilePath {
    // A relative value is invalid by the specification and counts as unset.
    if let path = environment(variable), path.isAbsolute { return path }
    return home.appending(fallback)
  }
}
