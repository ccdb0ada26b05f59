internal import Glibc
public import SegueSystem

/// A child process whose output goes to a pipe.
struct PipedProcess: ~Copyable {
  let child: ChildProcess
  /// The reading end.
  let output: Descriptor

  /// Starts `command` as `ChildProcess` does. Standard output goes to the pipe, and standard error too if `errors` is
  /// true.
  init(_ command: [String], environment: [String: String], errors: Bool = false) throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    try checked("pipe") { pipe(&ends) }
    defer { close(ends[1]) }
    do {
      child = try ChildProcess(command, environment: environment, output: ends[1], errors: errors ? ends[1] : nil)
    } catch {
      close(ends[0])
      throw error
    }
    output = Descriptor(owning: ends[0])
  }

  /// Returns a recorder of the output.
  consuming func record() -> Recorder { Recorder(reading: output, from: child) }
}

extension ChildProcess {
  /// Runs `command` to its end. Returns its exit code, nil if a signal ended it, and its output.
  public static func run(
    _ command: [String], environment: [String: String], errors: Bool = false
  ) throws(SystemError) -> (code: Int32?, text: String) {
    let process = try PipedProcess(command, environment: environment, errors: errors)
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while case let count = read(process.output.raw, &buffer, buffer.count), count > 0 { text += buffer[..<count] }
    return (process.child.end(0), String(decoding: text, as: UTF8.self))
  }
}
