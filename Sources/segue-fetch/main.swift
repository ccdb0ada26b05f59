internal import Glibc
internal import SegueFetch
internal import SegueSandbox
internal import SegueSystem
internal import SegueWorkerProtocol

Log.start(program: "segue-fetch", upTo: .info)
guard CommandLine.arguments.count == 2, WorkerRole(rawValue: CommandLine.arguments[1]) == .fetch else {
  Log.error("usage: segue-fetch \(WorkerRole.fetch.rawValue)")
  exit(2)
}
Log.startAsChild(upTo: .info)
CurrentProcess.endWithParent()
// libcurl converts the names of hosts from the charset of the locale to that of DNS (IDNA).
setlocale(LC_CTYPE, "C.UTF-8")
let certificates = Sandbox.permitsCertificates ? nil : SystemCertificates.read()
let lacking = Sandbox.restrictProcess(as: .fetch)
let link = LinkSocket(Descriptor(owning: LinkSocket.workerDescriptor))
FetchProcess(link, lacking: lacking, certificates: certificates).run()
