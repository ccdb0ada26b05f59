internal import SegueClientKit
internal import SegueWire

/// The verb `web`, which becomes the program `segue-web`.
enum WebVerb {
  private static let commands = [
    "status", "on", "off", "pair", "invite", "registration", "users", "role", "remove", "devices", "revoke",
  ]

  static let verb = Verb(
    "web", .other, "[COMMAND] [--lan] [--port N] [--role ROLE]", 0...3, options: [.lan, .port, .role],
    values: ArgumentValues { arguments in
      switch arguments.first {
      case nil: [.words(commands)]
      case "registration" where arguments.count == 1: [.words(["invitation", "open", "closed"])]
      case "role" where arguments.count == 2: [.words(Role.words)]
      default: []
      }
    },
    tr("control Segue from browsers, and manage who may"),
    details: tr(
      """
      A page for phones and other computers. See segue-web(8).

        status                  whether it is on, and who is signed in
        on [--lan] [--port N]   turns it on; --lan: for the whole network
        off                     turns it off
        pair [--role ROLE]      a QR code that signs in one browser
        invite [--role ROLE]    a link with which one person can register
        registration [WHO]      who may register: invitation, open, closed
        users                   who has registered
        role USER ROLE          changes the role of a user
        remove USER             removes a user
        devices                 the browsers that are signed in
        revoke NUMBER           signs out a browser

      ROLE is listen, control or own. USER is a number or an e-mail address.

        segue web on --lan
      """), run: run)

  @Sendable static func run(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    var words = arguments.map(\.bytes)
    let options = context.options
    for option in options.verbOptions {
      switch option {
      case .lan: words.append(Array("--lan".utf8))
      case .port(let port): words += [Array("--port".utf8), Array("\(port)".utf8)]
      case .role(let role): words += [Array("--role".utf8), Array(role.rawValue.utf8)]
      default: break
      }
    }
    if options.format == .json { words.append(Array("--json".utf8)) }
    throw OtherProgram.become("segue-web", words)
  }
}
