internal import SegueSystem

/// The user's browser, which xdg-open(1) starts.
enum Browser {
  private static let program = "xdg-open"

  /// Opens a page of the web. Returns false if the program is not installed.
  static func open(_ url: String) -> Bool { (try? Spawn.startDetached(program, [url])) ?? false }
}
