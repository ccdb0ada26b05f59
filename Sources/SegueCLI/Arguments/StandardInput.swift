internal import Glibc
internal import SegueClientKit
internal import SegueSystem

/// Arguments that are read from standard input.
enum StandardInput {
  /// The maximum size of the input in bytes, more than the paths of a full queue usually have.
  private static let maximumSize = 256 << 20

  /// Returns the arguments with the lines of standard input, one argument each, in place of `-`. Empty lines are left
  /// out, and the ends of lines may be those of Windows. If the input has a NUL, as that of find -print0, it is
  /// separated by NULs instead: a name may contain a line feed.
  static func expanding(_ arguments: [Argument]) throws(ClientError) -> [Argument] {
    guard arguments.contains(where: { $0.bytes == Array("-".utf8) }) else { return arguments }
    var lines: [Argument]? = try lines()
    // The input can be read only once.
    return arguments.flatMap { argument in
      guard argument.bytes == Array("-".utf8) else { return [argument] }
      defer { lines = nil }
      return lines ?? []
    }
  }

  private static func lines() throws(ClientError) -> [Argument] {
    var input: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = buffer.withUnsafeMutableBytes { Glibc.read(0, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw ClientError(.failed, SystemError("read", tr("standard input")).translated) }
      if count == 0 { break }
      guard input.count + count <= maximumSize else {
        throw .usage(tr("standard input has more than %1$d MiB", maximumSize >> 20))
      }
      input += buffer[..<count]
    }
    if input.contains(0) { return input.split(separator: 0).map { Argument(bytes: Array($0)) } }
    var lines = input.split(separator: UInt8(ascii: "\n"))
    // Only if all lines end with a carriage return, it belongs to the ends of the lines: a name may end with one, too.
    // The last line need not have an end.
    let carriageReturn = UInt8(ascii: "\r")
    let isTerminated = lines.count < 2 || input.last == UInt8(ascii: "\n")
    if lines.dropLast(isTerminated ? 0 : 1).allSatisfy({ $0.last == carriageReturn }) {
      lines = lines.map { $0.last == carriageReturn ? $0.dropLast() : $0 }.filter { !$0.isEmpty }
    }
    return lines.map { Argument(bytes: Array($0)) }
  }
}
