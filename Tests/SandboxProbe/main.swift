// A program in the worker's lock-in that tries to get out of it. Arguments: the role, or "free" for no lock-in; what to
// try. Exit status: 0 if that could be done, else the errno of its refusal.
import CAttempts
import Glibc
import SegueLink
import SegueSandbox

attempt_prepare()
if let role = WorkerRole(rawValue: CommandLine.arguments[1]) {
  let lacking = Sandbox.lockIn(as: role)
  precondition(lacking.isEmpty, "this kernel lacks \(lacking)")
}
exit(attempt(CommandLine.arguments[2]))
