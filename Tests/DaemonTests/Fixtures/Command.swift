import SegueSystem
import SegueTestKit

/// Runs programs and scripts to their end.
enum Command {
  /// Returns the exit status (nil after a signal) and the combined output.
  @discardableResult
  static func run(_ command: [String], environment: [String: String] = [:]) throws -> (code: Int32?, output: String) {
    let defaults = ["PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8"]
    let (code, text) = try ChildProcess.run(command, environment: defaults.merging(environment) { $1 }, errors: true)
    return (code, text)
  }
}
