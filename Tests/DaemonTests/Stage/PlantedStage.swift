import Glibc
import SegueSystem
import SegueTestKit
import SegueWire

/// A daemon beside a worker program that can be replaced. At first it is the real worker.
struct PlantedStage {
  let stage: Stage
  private let worker: FilePath

  init() throws {
    stage = try Stage()
    stage.daemon.kill()
    let folder = stage.daemon.directory.appending("bin")
    worker = folder.appending("segue-worker")
    _ = folder.withCString { mkdir($0, 0o700) }
    let copy = try ChildProcess(
      ["cp", stage.daemon.program.description, folder.description], environment: ["PATH": "/usr/bin:/bin"])
    copy.end(0)
    stage.daemon.program = folder.appending("segued")
    try plant(program: "segue-worker")
    try stage.daemon.start()
    try stage.reconnect()
  }

  func plant(_ script: String) throws {
    try AudioFile.write(Array("#!/bin/sh\n\(script)\n".utf8), to: worker)
    _ = worker.withCString { chmod($0, 0o700) }
  }

  /// Installs a program that was built with the tests.
  func plant(program: String) throws { try plant("exec \(WorkerProcess.product(program)) \"$@\"") }
}
