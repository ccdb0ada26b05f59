/// One of the locks a worker puts on itself before the first foreign byte, by the kernel's name for it.
public enum SandboxMechanism: String, CaseIterable, Sendable {
  case noNewPrivileges = "no_new_privs"
  case landlock
  case seccomp
  case limits = "rlimits"
}
