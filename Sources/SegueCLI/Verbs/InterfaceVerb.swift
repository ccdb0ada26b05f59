internal import Glibc
internal import SegueClientKit
internal import SegueSystem

/// The verb `ui`, which becomes the program `segue-ui`.
enum InterfaceVerb {
  private static let program = "segue-ui"

  static let verb = Verb(
    "ui", .other, "[--plain | --check-config]", 0...0, options: [.plain, .checkConfiguration],
    tr("open the terminal interface"),
    details: tr(
      """
      Shows the queue and the player on the whole terminal. The last line names the
      keys; the key ? lists all of them. See segue-ui(1).

      With --plain, draws no lines, no bars and no clock that changes by itself.
      With --check-config, prints the errors in ~/.config/segue/ui.conf and exits,
      with status 1 if there are any.

        segue ui
      """), run: run)

  @Sendable static func run(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    var words = [Array(program.utf8)]
    if context.options.isGiven(.plain) { words.append(Array("--plain".utf8)) }
    if context.options.isGiven(.checkConfiguration) { words.append(Array("--check-config".utf8)) }
    if context.options.format != .illustratedText { words.append(Array("--no-pictures".utf8)) }
    if let socket = context.options.socket { words += [Array("--socket".utf8), socket.bytes] }
    if context.options.color == .never { setenv("NO_COLOR", "1", 1) }
    for path in places { execute(path, words) }
    throw ClientError(
      .failed, tr("%1$s is not installed (searched beside segue, in libexec/segue and in PATH)", program),
      hints: [tr("contrib/install   installs it"), tr("segue help   lists the verbs that work without it")])
  }

  /// The paths at which the program may be: beside the client, in libexec of an installation, and in
  /// the folders of PATH.
  private static var places: [FilePath] {
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
