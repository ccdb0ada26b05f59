internal import CSegue
internal import Glibc

/// A program that was started: its process, which is the caller's to wait for, and what it writes.
public struct SpawnedProcess {
  public let pid: Int32
  public let messages: ChildOutputLogger
}

/// Starting programs.
public enum Spawn {
  /// Starts `program` with one argument, of the environment only the variables in `names`, an unblocked signal mask,
  /// `/dev/null` as its input, a pipe to us as its output, and `channel`, which is not our descriptor 3, as its
  /// descriptor 3; nothing else is open in it. Any thread.
  public static func start(
    _ program: FilePath, argument: String, inheriting names: [String], channel: Int32
  ) throws(SystemError) -> SpawnedProcess {
    var ends: [Int32] = [-1, -1]
    try checked("pipe2") { segue_pipe(&ends) }
    let reading = Descriptor(owning: ends[0])
    let writing = Descriptor(owning: ends[1])

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, writing.raw, 1)
    posix_spawn_file_actions_adddup2(&actions, writing.raw, 2)
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

    var variables = environment(names)
    var pid: Int32 = 0
    let failure = program.withCString { path in
      var arguments = [strdup(path), strdup(argument), nil]
      defer { for string in arguments { free(string) } }
      return posix_spawn(&pid, path, &actions, &attributes, &arguments, &variables)
    }
    if failure != 0 { throw SystemError("posix_spawn", program.description, code: failure) }
    let name = "\(String(decoding: program.lastComponent, as: UTF8.self)) \(pid)"
    return SpawnedProcess(pid: pid, messages: ChildOutputLogger(reading: reading, of: name))
  }

  /// The strings of our environment (environ(7)) that set a variable in `names`, and the null behind the last.
  private static func environment(_ names: [String]) -> [UnsafeMutablePointer<CChar>?] {
    var found: [UnsafeMutablePointer<CChar>?] = []
    var next = environ
    while let variable = next.pointee {
      if names.contains(where: { strncmp(variable, "\($0)=", $0.utf8.count + 1) == 0 }) { found.append(variable) }
      next += 1
    }
    return found + [nil]
  }
}
