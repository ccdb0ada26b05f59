internal import Glibc
internal import SegueClientKit
internal import SegueSystem

/// The programs that this program becomes for some verbs.
enum OtherProgram {
  /// Replaces this process by `program` with these arguments. Returns only if that is not possible: the error.
  static func become(_ program: String, _ arguments: [[UInt8]]) -> ClientError {
    for path in places(of: program) { execute(path, [Array(program.utf8)] + arguments) }
    return ClientError(
      .failed, tr("%1$s is not installed (searched beside segue, in libexec/segue and in PATH)", program),
      hints: [tr("contrib/install   installs it"), tr("segue help   lists the verbs that work without it")])
  }

  /// The paths at which a program may be: beside the client, in libexec of an installation, and in the folders of PATH.
  private static func places(of program: String) -> [FilePath] {
    let search = Directories.environment("PATH")?.bytes.split(separator: UInt8(ascii: ":")) ?? []
    let own = CurrentProcess.programFolder.map { [$0.appending(program), $0.appending("../libexec/segue/\(program)")] }
    return (own ?? []) + search.map { FilePath(bytes: Array($0)).appending(program) }
  }

  /// Replaces this process by a program. Returns if that is not possible.
  private static func execute(_ path: FilePath, _ words: [[UInt8]]) {
    let arguments = words.map { word in FilePath(bytes: word).withCString { strdup($0) } } + [nil]
    defer { for argument in arguments { free(argument) } }
    _ = path.withCString { execv($0, arguments) }
  }
}
