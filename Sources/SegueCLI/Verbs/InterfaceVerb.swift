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
    var words: [[UInt8]] = []
    if context.options.isGiven(.plain) { words.append(Array("--plain".utf8)) }
    if context.options.isGiven(.checkConfiguration) { words.append(Array("--check-config".utf8)) }
    if context.options.format != .illustratedText { words.append(Array("--no-pictures".utf8)) }
    if let socket = context.options.socket { words += [Array("--socket".utf8), socket.bytes] }
    if context.options.color == .never { setenv("NO_COLOR", "1", 1) }
    throw OtherProgram.become(program, words)
  }
}
