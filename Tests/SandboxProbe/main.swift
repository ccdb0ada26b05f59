// A program that attempts forbidden actions in the sandbox of a worker. Arguments: the role, or "free" for no sandbox,
// and the action. The exit status is 0 if the action succeeded, otherwise its errno, and 64 without an action. Tests
// use it as a worker that ends at once, too.
//
// The option "--without-landlock" makes the kernel behave as if it did not support Landlock. With it, "run" and a
// command start another program on such a kernel. The option "--with-etc" and a folder replace /etc by that folder; the
// exit status is 255 if that is not possible.
import CAttempts
import Glibc
import SegueSandbox
import SegueWire
import SegueWorkerProtocol

var arguments = CommandLine.arguments.dropFirst()
var missing: Set<SandboxMechanism> = []
if arguments.first == "--without-landlock" {
  arguments.removeFirst()
  precondition(attempt_hide_landlock() == 0, "the filter cannot be loaded")
  missing = [.landlock]
}
if arguments.first == "--with-etc" {
  arguments.removeFirst()
  if attempt_replace_etc(arguments.removeFirst()) != 0 { exit(255) }
}
let words = Array(arguments)
// A program that crashes here would start the backtracer, which AddressSanitizer reports for reading the whole stack.
guard words.count > 1 else { exit(64) }
if words[0] == "run" {
  var command = words.dropFirst().map { strdup($0) } + [nil]
  execv(words[1], &command)
  exit(127)
}
attempt_prepare(words[1])
if let role = WorkerRole(rawValue: words[0]) {
  let lacking = Sandbox.restrictProcess(as: role)
  precondition(lacking == missing, "this kernel does not support \(lacking)")
}
exit(attempt(words[1]))
