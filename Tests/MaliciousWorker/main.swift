// A program in the worker's place that a file has taken over: locked in as the real one, it speaks the daemon's language,
// plays plain wave files, and misbehaves as a file's name says.
import Glibc
import SegueLink
import SegueSandbox
import SegueSystem
import SegueWire

signal(SIGPIPE, SIG_IGN)
// Jansson seeds itself from a file.
_ = try? JSON(parsing: "{}")
_ = WorkerRole(rawValue: CommandLine.arguments[1]).map(Sandbox.restrictProcess)
let worker = MaliciousWorker(LinkSocket(Descriptor(owning: LinkSocket.workerDescriptor)))
do { try worker.run() } catch { Log.error("\(error)") }
