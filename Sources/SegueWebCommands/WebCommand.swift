internal import SegueAccounts
internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// A command of `segue web`.
enum WebCommand: Equatable {
  case help
  case status
  /// Listens for browsers.
  case on(WebService.Listening)
  case off
  /// Shows a QR code with which one browser is signed in without a password.
  case pair(Role)
  /// Makes a link with which one person may register.
  case invite(Role)
  /// Shows or chooses who may register.
  case registration(RegistrationPolicy?)
  case users
  case devices
  case setRole(Role, user: String)
  case remove(user: String)
  case revoke(device: Int64)
}

/// A command line after `segue web`.
struct WebArguments: Equatable {
  var command: WebCommand
  /// Whether the output is JSON, for programs.
  var isJSON = false

  private static let options = ["--lan", "--port", "--role", "--json", "--help"]

  /// Parses the words. Throws an error of usage that names the word that is wrong.
  init(_ words: [String]) throws(ClientError) {
    var (operands, port, role, isOnNetwork) = ([String](), nil as UInt16?, nil as Role?, false)
    var rest = words[...]
    var isHelp = false
    while let word = rest.popFirst() {
      guard word.hasPrefix("-"), word != "-" else {
        operands.append(word)
        continue
      }
      switch word {
      case "--lan": isOnNetwork = true
      case "--json": isJSON = true
      case "-h", "--help": isHelp = true
      case "--port":
        guard let number = rest.popFirst().flatMap({ UInt16($0) }), number > 0 else {
          throw .usage(tr("--port requires a number from 1 to 65535"))
        }
        port = number
      case "--role": role = try Self.role(rest.popFirst() ?? "")
      default:
        throw .usage(
          tr("unknown option %1$s", word), hints: [Self.options.joined(separator: ", "), Self.helpHint])
      }
    }
    let name = isHelp ? "help" : operands.isEmpty ? "status" : operands.removeFirst()
    let count: ClosedRange<Int>
    switch name {
    case "help": (command, count) = (.help, 0...100)
    case "status": (command, count) = (.status, 0...0)
    case "on":
      let listening = WebService.Listening(
        reach: isOnNetwork ? .network : .machine, port: port ?? WebService.defaultPort)
      (command, count) = (.on(listening), 0...0)
    case "off": (command, count) = (.off, 0...0)
    case "pair": (command, count) = (.pair(role ?? .own), 0...0)
    case "invite": (command, count) = (.invite(role ?? .control), 0...0)
    case "registration":
      let policy = try operands.first.map { (word) throws(ClientError) in try Self.policy(word) }
      (command, count) = (.registration(policy), 0...1)
    case "users": (command, count) = (.users, 0...0)
    case "devices": (command, count) = (.devices, 0...0)
    case "role":
      let role = try Self.role(operands.count > 1 ? operands[1] : "")
      (command, count) = (.setRole(role, user: operands[0]), 2...2)
    case "remove": (command, count) = (.remove(user: operands.first ?? ""), 1...1)
    case "revoke":
      guard let number = operands.first.flatMap({ Int64($0) }) else {
        throw .usage(tr("revoke requires the number of a device"), hints: [tr("segue web devices   lists them")])
      }
      (command, count) = (.revoke(device: number), 1...1)
    default:
      let meant = EditDistance.nearest(to: name, in: Self.names)
      let hint = meant.map { [tr("Did you mean %1$s?", $0)] } ?? []
      throw .usage(tr("there is no command “%1$s”", name), hints: hint + [Self.helpHint])
    }
    guard count.contains(operands.count) else {
      throw .usage(
        operands.count > count.upperBound
          ? tr("unexpected word: %1$s", operands[count.upperBound]) : tr("%1$s requires a user", name),
        hints: [Self.helpHint])
    }
  }

  static let names = [
    "status", "on", "off", "pair", "invite", "registration", "users", "devices", "role", "remove", "revoke", "help",
  ]

  private static let helpHint = tr("segue help web   lists the commands")

  private static func role(_ word: String) throws(ClientError) -> Role {
    guard let role = Role(rawValue: word) else {
      throw .usage(tr("a role is required: %1$s", Role.allCases.map(\.rawValue).joined(separator: ", ")))
    }
    return role
  }

  private static func policy(_ word: String) throws(ClientError) -> RegistrationPolicy {
    guard let policy = RegistrationPolicy(rawValue: word) else {
      throw .usage(
        tr("registration is one of %1$s", RegistrationPolicy.allCases.map(\.rawValue).joined(separator: ", ")))
    }
    return policy
  }
}
