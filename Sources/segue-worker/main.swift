internal import Glibc
internal import SegueSandbox
internal import SegueSystem
internal import SegueWorker
internal import SegueWorkerProtocol

Log.start(program: "segue-worker", upTo: .info)
guard CommandLine.arguments.count == 2, let role = WorkerRole(rawValue: CommandLine.arguments[1]), role != .fetch else {
  let roles = WorkerRole.allCases.map(\.rawValue).joined(separator: ", ")
  Log.error("usage: segue-worker ROLE, where ROLE is one of: \(roles)")
  exit(2)
}
Log.startAsChild(upTo: .info)
Worker.prepareProcess()
let lacking = Sandbox.restrictProcess(as: role)
Worker(LinkSocket(Descriptor(owning: LinkSocket.workerDescriptor)), lacking: lacking).run()
