internal import Glibc

/// The folders of the XDG Base Directory Specification, and the path of the socket.
public enum Directories {
  /// Returns the value of an environment variable; nil if it is unset or empty.
  public static func environment(_ name: String) -> FilePath? {
    guard let value = name.withCString({ getenv($0) }), value.pointee != 0 else { return nil }
    return FilePath(bytes: Array(UnsafeRawBufferPointer(start: value, count: strlen(value))))
  }

  /// The home folder: `$HOME`, else the folder in the password database, else "/".
  public static var home: FilePath {
    if let home = environment("HOME"), home.isAbsolute { return home }
    if let entry = getpwuid(getuid()), let directory = entry.pointee.pw_dir {
      return FilePath(String(cString: directory))
    }
    return FilePath("/")
  }

  /// The folder for configuration: `$XDG_CONFIG_HOME`, else `~/.config`.
  public static var config: FilePath { base("XDG_CONFIG_HOME", ".config") }
  /// The folder for state: `$XDG_STATE_HOME`, else `~/.local/state`.
  public static var state: FilePath { base("XDG_STATE_HOME", ".local/state") }
  /// The folder for data: `$XDG_DATA_HOME`, else `~/.local/share`.
  public static var data: FilePath { base("XDG_DATA_HOME", ".local/share") }
  /// The folder for caches: `$XDG_CACHE_HOME`, else `~/.cache`.
  public static var cache: FilePath { base("XDG_CACHE_HOME", ".cache") }

  /// The folder for sockets, `$XDG_RUNTIME_DIR`; nil if there is no session.
  public static var runtime: FilePath? {
    environment("XDG_RUNTIME_DIR").flatMap { $0.isAbsolute ? $0 : nil }
  }

  /// The path of the daemon's socket: `$SEGUE_SOCKET`, else `segue/socket` in the runtime folder, else
  /// `/tmp/segue-UID/socket`, in a folder that only its owner may enter.
  public static var socket: FilePath {
    if let named = environment("SEGUE_SOCKET") { return named }
    return (runtime.map { $0.appending("segue") } ?? FilePath("/tmp/segue-\(getuid())")).appending("socket")
  }

  private static func base(_ variable: String, _ fallback: String) -> FilePath {
    // The specification requires absolute paths; a relative one is ignored.
    if let path = environment(variable), path.isAbsolute { return path }
    return home.appending(fallback)
  }
}
