// A program in place of the worker, as if a hostile file had taken control of it. It is sandboxed like the real worker,
// uses the same protocol, plays plain WAV files, and misbehaves as the name of a file requests.
import Glibc
import SegueSandbox
import SegueSystem
import SegueWire
import SegueWorkerProtocol

signal(SIGPIPE, SIG_IGN)
// Jansson reads its hash seed from a file, which the sandbox does not allow.
_ = try? JSON(parsing: "{}")
_ = WorkerRole(rawValue: CommandLine.arguments[1]).map(Sandbox.restrictProcess)
let worker = MaliciousWorker(LinkSocket(Descriptor(owning: LinkSocket.workerDescriptor)))
do { try worker.run() } catch { Log.error("\(error)") }
