import SegueSystem
import SegueTestKit

/// Programs of the system and scripts of ours, run to their end.
enum Command {
  /// Its exit status (nil if a signal ended it), and what it said on both its outputs.
  @discardableResult
  static func run(_ command: [String], environment: [String: String] = [:]) throws -> (code: Int32?, said: String) {
    let usual = ["PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8"]
    let (code, text) = try ChildProcess.run(command, environment: usual.merging(environment) { $1 }, errors: true)
    return (code, text)
  }
}
