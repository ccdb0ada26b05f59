// A program in the worker's lock-in that tries to get out of it. Arguments: the role, or "free" for no lock-in; what to
// try. Exit status: 0 if that could be done, else the errno of its refusal.
//
// With "--without-landlock" before them, the kernel refuses Landlock as one does that has none. Such a kernel can also be
// lent to another program: then "run" and its command follow. With "--with-etc" and a folder before them, that folder is
// in the place of /etc; exit status 255 if that cannot be done here.
import CAttempts
import Glibc
import SegueLink
import SegueSandbox

var arguments = CommandLine.arguments.dropFirst()
var missing: Set<SandboxMechanism> = []
if arguments.first == "--without-landlock" {
  arguments.removeFirst()
  precondition(attempt_hide_landlock() == 0, "no filter can be loaded here")
  missing = [.landlock]
}
if arguments.first == "--with-etc" {
  arguments.removeFirst()
  if attempt_replace_etc(arguments.removeFirst()) != 0 { exit(255) }
}
let words = Array(arguments)
if words[0] == "run" {
  var command = words.dropFirst().map { strdup($0) } + [nil]
  execv(words[1], &command)
  exit(127)
}
attempt_prepare()
if let role = WorkerRole(rawValue: words[0]) {
  let lacking = Sandbox.restrictProcess(as: role)
  precondition(lacking == missing, "this kernel lacks \(lacking)")
}
exit(attempt(words[1]))
