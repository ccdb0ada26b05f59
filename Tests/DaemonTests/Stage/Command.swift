import Glibc
import SegueSystem
import SegueTestKit

/// Programs of the system and scripts of ours, run to their end.
enum Command {
  /// The folder with Package.swift.
  static let repository = FilePath(#filePath).parent.parent.parent.parent

  /// Its exit status (nil if a signal ended it), and what it said on both its outputs.
  @discardableResult
  static func run(_ command: [String], environment: [String: String] = [:]) throws -> (code: Int32?, said: String) {
    let folder = try TemporaryFolder()
    let file = try folder.write("said")
    let output = Descriptor(owning: file.withCString { open($0, O_RDWR | O_APPEND | O_CLOEXEC) })
    let usual = ["PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8"]
    let child = try ChildProcess(
      command, environment: usual.merging(environment) { $1 }, output: output.raw, errors: output.raw)
    let code = child.end(0)
    return (code, String(decoding: try AudioFile.read(file), as: UTF8.self))
  }
}
