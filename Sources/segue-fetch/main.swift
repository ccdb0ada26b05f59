internal import Glibc
internal import SegueFetch
internal import SegueLink
internal import SegueSandbox
internal import SegueSystem

Log.start(program: "segue-fetch", upTo: .info)
guard CommandLine.arguments.count == 2, WorkerRole(rawValue: CommandLine.arguments[1]) == .fetch else {
  Log.error("usage: segue-fetch \(WorkerRole.fetch.rawValue)")
  exit(2)
}
Log.startAsChild(upTo: .info)
CurrentProcess.endWithParent()
let lacking = Sandbox.restrictProcess(as: .fetch)
FetchProcess(LinkSocket(Descriptor(owning: LinkSocket.workerDescriptor)), lacking: lacking).run()
