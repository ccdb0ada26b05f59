internal import Glibc

/// The user's browser, which xdg-open(1) starts.
enum Browser {
  private static let program = "xdg-open"

  /// Opens a page. Returns false if the address is none of the web, or if the program is not installed. Does not wait for the
  /// program, which the system removes when it ends.
  static func open(_ url: String) -> Bool {
    guard url.hasPrefix("https://") || url.hasPrefix("http://") else { return false }
    signal(SIGCHLD, SIG_IGN)
    let words = [program, url]
    let arguments = words.map { word in strdup(word) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The program inherits neither blocked nor ignored signals, and signals of the terminal do not reach it.
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
    // Its output must not disturb the screen.
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor: Int32 in 0...2 {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", descriptor == 0 ? O_RDONLY : O_WRONLY, 0)
    }
    var child: pid_t = 0
    return posix_spawnp(&child, program, &actions, &attributes, arguments, environ) == 0
  }
}
