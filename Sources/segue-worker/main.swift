internal import SegueLink
internal import SegueMedia
internal import SegueSystem

Log.start(program: "segue-worker", upTo: .info)
Worker.prepareProcess()
Worker(LinkSocket(Descriptor(owning: LinkSocket.workerDescriptor))).run()
