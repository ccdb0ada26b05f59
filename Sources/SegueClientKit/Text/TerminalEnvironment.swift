internal import SegueSystem

/// The properties of the terminal that its environment variables state.
public enum TerminalEnvironment {
  /// Whether the locale uses UTF-8, so that symbols beyond ASCII can be printed. The environment is read instead of
  /// calling setlocale, because a locale that is not installed still names the character set of the terminal.
  public static var usesUTF8: Bool { usesUTF8(variable) }

  /// Returns whether the locale in these environment variables uses UTF-8.
  static func usesUTF8(_ variable: (String) -> String?) -> Bool {
    isUTF8(variable("LC_ALL") ?? variable("LC_CTYPE") ?? variable("LANG") ?? "")
  }

  /// Whether colours are neither unwanted nor unknown to the terminal.
  public static var allowsColors: Bool { variable("NO_COLOR") == nil && variable("TERM") != "dumb" }

  /// Whether the terminal states that it displays colours of 24 bits. Every terminal with colours displays 256 of them.
  public static var hasTrueColor: Bool {
    ["truecolor", "24bit"].contains(variable("COLORTERM")) || variable("TERM")?.hasSuffix("-direct") == true
  }

  /// Whether the terminal is the console of Linux.
  public static var isLinuxConsole: Bool { variable("TERM") == "linux" }

  /// Returns whether the character set after the dot of a locale such as `de_DE.UTF-8` or `C.utf8` is UTF-8.
  private static func isUTF8(_ locale: String) -> Bool {
    let bytes = locale.utf8
    let start = bytes.lastIndex(of: UInt8(ascii: ".")).map(bytes.index(after:)) ?? bytes.startIndex
    let codeset = bytes[start...].lazy.map { $0 | 0x20 }
    return codeset.starts(with: "utf-8".utf8) || codeset.starts(with: "utf8".utf8)
  }

  /// Returns the value of an environment variable that is set and not empty.
  static func variable(_ name: String) -> String? { Directories.environment(name)?.description }
}
