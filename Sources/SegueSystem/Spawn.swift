internal import Glibc

/// Starting programs.
public enum Spawn {
  /// Starts `program` with one argument, an unblocked signal mask, `/dev/null` as its input, our stderr as its output
  /// and `channel`, which is not our descriptor 3, as its descriptor 3; nothing else is open in it. Any thread. The
  /// process id, which is the caller's to wait for.
  public static func start(_ program: FilePath, argument: String, channel: Int32) throws(SystemError) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, 2, 1)
    // dup2 clears close-on-exec, and clears nothing when both numbers are one: so never 3 to 3.
    precondition(channel != 3, "the worker's channel may not be descriptor 3 on our side")
    posix_spawn_file_actions_adddup2(&actions, channel, 3)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

    var pid: Int32 = 0
    let failure = program.withCString { path in
      var arguments = [strdup(path), strdup(argument), nil]
      defer { for string in arguments { free(string) } }
      return posix_spawn(&pid, path, &actions, &attributes, &arguments, environ)
    }
    if failure != 0 { throw SystemError("posix_spawn", program.description, code: failure) }
    return pid
  }
}
