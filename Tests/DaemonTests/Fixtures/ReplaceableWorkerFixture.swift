import Glibc
import SegueSystem
import SegueTestKit
import SegueWire

/// A daemon beside a worker program that can be replaced. At first it is the real worker.
struct ReplaceableWorkerFixture {
  let fixture: DaemonFixture
  private let worker: FilePath

  init(_ sink: PulseServer.Sink = .pipe("test"), configuration: String = "") throws {
    fixture = try DaemonFixture(sink, configuration: configuration)
    fixture.daemon.kill()
    let folder = fixture.daemon.directory.appending("bin")
    worker = folder.appending("segue-worker")
    _ = folder.withCString { mkdir($0, 0o700) }
    let copy = try ChildProcess(
      ["cp", fixture.daemon.program.description, folder.description], environment: ["PATH": "/usr/bin:/bin"])
    copy.end(0)
    fixture.daemon.program = folder.appending("segued")
    try installWorker(program: "segue-worker")
    let fetcher = WorkerProcess.product("segue-fetch")
    try checked("symlink") {
      fetcher.withCString { target in folder.appending("segue-fetch").withCString { symlink(target, $0) } }
    }
    try fixture.daemon.start()
    try fixture.reconnect()
  }

  func installWorker(_ script: String) throws {
    try AudioFile.write(Array("#!/bin/sh\n\(script)\n".utf8), to: worker)
    _ = worker.withCString { chmod($0, 0o700) }
  }

  /// Installs a program that was built with the tests.
  func installWorker(program: String) throws { try installWorker("exec \(WorkerProcess.product(program)) \"$@\"") }
}
