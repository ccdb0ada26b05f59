internal import Glibc
internal import SegueAccounts
internal import SegueClientKit
internal import SegueSQLite
internal import SegueSystem
internal import SegueWeb
internal import SegueWire

/// Executes the commands of `segue web`.
public enum WebCommands {
  /// Executes the words of a command line, prints the result, and returns the exit status.
  public static func run(_ words: [String]) -> Int32 {
    var output = CommandOutput()
    do throws(ClientError) {
      let arguments = try WebArguments(words)
      // Output for programs does not depend on the language of the user.
      if arguments.isJSON || (!Terminal.isTerminal(1) && arguments.command != .help) { Language.select(nil) }
      output.isJSON = arguments.isJSON
      try execute(arguments.command, &output)
    } catch {
      output.finish()
      CommandOutput.printError(error)
      return error.exit.rawValue
    }
    output.finish()
    return ExitCode.done.rawValue
  }

  private static func execute(_ command: WebCommand, _ output: inout CommandOutput) throws(ClientError) {
    switch command {
    case .help: output.line(help)
    case .status: try printStatus(&output)
    case .on(let listening): try start(listening, &output)
    case .off:
      try WebService.disable()
      output.object {
        $0.member("on", false)
      } text: {
        $0.line(tr("The web remote is off."))
      }
    case .pair(let role): try printPairing(role, try activeSite(), &output)
    case .invite(let role): try printInvitation(role, try activeSite(), &output)
    case .registration(let policy): try showRegistration(policy, &output)
    case .users: try listUsers(&output)
    case .devices: try listDevices(&output)
    case .setRole(let role, let user):
      let person = try person(user)
      _ = try stored { database throws(StoreError) in try database.setRole(role, ofPerson: person.id) }
      output.object {
        $0.member("role", role.rawValue)
      } text: {
        $0.line(tr("%1$s has the role %2$s now.", person.email, role.rawValue))
      }
    case .remove(let user):
      let person = try person(user)
      _ = try stored { database throws(StoreError) in try database.removePerson(person.id) }
      output.object {
        $0.member("removed", true)
      } text: {
        $0.line(tr("%1$s was removed and signed out everywhere.", person.email))
      }
    case .revoke(let device):
      guard try stored({ database throws(StoreError) in try database.removeDevice(device) }) else {
        throw ClientError(
          .failed, tr("there is no device %1$d", device), kind: Failure.Kind.notFound.rawValue,
          hints: [tr("segue web devices   lists them")])
      }
      output.object {
        $0.member("removed", true)
      } text: {
        $0.line(tr("The device is signed out."))
      }
    }
  }

  private static let off = ClientError(
    .failed, tr("the web remote is off"), kind: Failure.Kind.unavailable.rawValue,
    hints: [
      tr("segue web on   turns it on, for this machine"), tr("segue web on --lan   turns it on, for the network"),
    ])

  // MARK: Listening

  private static func start(_ listening: WebService.Listening, _ output: inout CommandOutput) throws(ClientError) {
    let site = Site(listening: listening, configuration: try configuration())
    try WebService.enable(listening)
    if !output.isJSON { printSite(site, &output) }
    try printPairing(.own, site, &output)
  }

  private static func printStatus(_ output: inout CommandOutput) throws(ClientError) {
    let site = try site()
    let (policy, people, devices) = try stored { database throws(StoreError) in
      (try database.policy, try database.people().count, try database.devices().count)
    }
    output.object { json in
      json.member("on", site != nil)
      json.member("reach", site?.listening.reach.rawValue)
      json.member("addresses", site?.addresses ?? [])
      json.member("registration", policy.rawValue)
      json.member("users", people)
      json.member("devices", devices)
    } text: { output in
      if let site {
        printSite(site, &output)
      } else {
        output.line(tr("The web remote is off."))
      }
      output.line(registrationText(policy))
      output.line(trn("%1$d person has registered.", "%1$d people have registered.", people))
      output.line(trn("%1$d browser is signed in.", "%1$d browsers are signed in.", devices))
    }
  }

  /// Where the page is.
  private struct Site {
    let listening: WebService.Listening
    let configuration: WebConfiguration

    /// The addresses of the page, the one that works most often first.
    var addresses: [String] {
      let scheme = configuration.isSecure ? "https" : "http"
      let hosts =
        switch listening.reach {
        case .machine: ["127.0.0.1"]
        case .network: configuration.names + [MachineAddress.outgoing, MachineAddress.localName].compactMap(\.self)
        }
      return hosts.map { "\(scheme)://\($0):\(listening.port)/" }
    }
  }

  /// Returns where the page is; nil if the gateway is off.
  private static func site() throws(ClientError) -> Site? {
    let configuration = try configuration()
    guard let listening = try WebService.state().listening else { return nil }
    return Site(listening: listening, configuration: configuration)
  }

  /// Returns where the page is. Throws an error if the gateway is off.
  private static func activeSite() throws(ClientError) -> Site {
    guard let site = try site() else { throw off }
    return site
  }

  /// Reads the configuration, without which the gateway does not serve.
  private static func configuration() throws(ClientError) -> WebConfiguration {
    do throws(WebConfiguration.Invalid) {
      return try WebConfiguration.load()
    } catch {
      throw ClientError(
        .failed, tr("the configuration of the web remote has an error"), kind: Failure.Kind.invalidParams.rawValue,
        hints: error.problems.map(\.description))
    }
  }

  private static func printSite(_ site: Site, _ output: inout CommandOutput) {
    output.line(tr("The web remote is on."))
    for address in site.addresses { output.line("  \(address)") }
    switch site.listening.reach {
    case .machine:
      output.line(tr("Only this machine can reach it. For the network:  segue web on --lan"))
    case .network:
      output.line(tr("Every machine in your network can reach it, unless a firewall prevents that."))
      if !site.configuration.isSecure {
        output.line(
          tr(
            "The connection is not encrypted: others in the network could read passwords. Set Certificate= and Key= in "
              + "%1$s to encrypt it.", WebConfiguration.path))
      }
    }
  }

  // MARK: QR codes and invitations

  /// Makes a token and prints the address of the page with it. For people, `explain` prints what comes first.
  private static func printLink(
    _ kind: AccountDatabase.TicketKind, _ role: Role, _ site: Site, _ output: inout CommandOutput,
    explain: (inout CommandOutput, String) -> Void
  ) throws(ClientError) {
    guard let address = site.addresses.first else { throw ClientError(.failed, tr("this machine has no network")) }
    let token = try stored { database throws(StoreError) in try database.addTicket(kind, role: role) }
    let name =
      switch kind {
      case .invitation: "invite"
      case .pairing: "pair"
      }
    // Browsers send no fragment, so it is neither in a log nor in another request.
    let url = "\(address)#\(name)=\(token.text)"
    output.object { json in
      json.member("url", url)
      json.member("role", role.rawValue)
      json.member("expires", Int(kind.lifetime.seconds))
    } text: { output in
      explain(&output, url)
      output.line(url)
    }
  }

  private static func printPairing(_ role: Role, _ site: Site, _ output: inout CommandOutput) throws(ClientError) {
    try printLink(.pairing, role, site, &output) { output, url in
      output.line("")
      output.line(
        tr(
          "Open this address, or scan the code, within five minutes. It signs in one browser with the role %1$s.",
          role.rawValue))
      if Terminal.isTerminal(1), TerminalEnvironment.usesUTF8, let code = QRCode(url) {
        for line in code.lines { output.raw(line) }
      }
    }
  }

  private static func printInvitation(_ role: Role, _ site: Site, _ output: inout CommandOutput) throws(ClientError) {
    try printLink(.invitation, role, site, &output) { output, _ in
      output.line(tr("With this link, one person can register within seven days. The role is %1$s.", role.rawValue))
    }
  }

  private static func showRegistration(
    _ policy: RegistrationPolicy?, _ output: inout CommandOutput
  ) throws(ClientError) {
    let current = try stored { database throws(StoreError) in
      if let policy { try database.setPolicy(policy) }
      return try database.policy
    }
    output.object {
      $0.member("registration", current.rawValue)
    } text: {
      $0.line(registrationText(current))
    }
  }

  private static func registrationText(_ policy: RegistrationPolicy) -> String {
    switch policy {
    case .invitation: tr("People can register with an invitation (segue web invite).")
    case .open: tr("Everybody who reaches the page can register.")
    case .closed: tr("Nobody can register.")
    }
  }

  // MARK: People and devices

  private static func listUsers(_ output: inout CommandOutput) throws(ClientError) {
    let people = try stored { database throws(StoreError) in try database.people() }
    output.list(
      "users", people,
      [tr("number"), tr("name"), tr("e-mail"), tr("role"), tr("registered")],
      json: { json, person in
        json.member("id", person.id)
        json.member("firstName", person.firstName)
        json.member("lastName", person.lastName)
        json.member("email", person.email)
        json.member("phone", person.phone)
        json.member("birthDate", person.birthDate)
        json.member("role", person.role.rawValue)
        json.member("registered", person.registered)
      },
      cells: {
        ["\($0.id)", "\($0.firstName) \($0.lastName)", $0.email, $0.role.rawValue, $0.registered.localTime]
      })
    if people.isEmpty, !output.isJSON { output.line(tr("Nobody has registered.")) }
  }

  private static func listDevices(_ output: inout CommandOutput) throws(ClientError) {
    let (devices, people) = try stored { database throws(StoreError) in (try database.devices(), try database.people())
    }
    let emails = Dictionary(uniqueKeysWithValues: people.map { ($0.id, $0.email) })
    output.list(
      "devices", devices,
      [tr("number"), tr("browser"), tr("user"), tr("role"), tr("last use")],
      json: { json, device in
        json.member("id", device.id)
        json.member("name", device.name)
        json.member("user", device.person.flatMap { emails[$0] })
        json.member("role", device.role.rawValue)
        json.member("added", device.added)
        json.member("used", device.used)
      },
      cells: { device in
        let user = device.person.flatMap { emails[$0] } ?? tr("paired")
        return ["\(device.id)", device.name, user, device.role.rawValue, device.used.localTime]
      })
    if devices.isEmpty, !output.isJSON { output.line(tr("No browser is signed in.")) }
  }

  /// Returns the person with a number or an e-mail address.
  private static func person(_ user: String) throws(ClientError) -> Person {
    let people = try stored { database throws(StoreError) in try database.people() }
    let email = Registration.emailAddress(user)
    guard let person = people.first(where: { "\($0.id)" == user || $0.email == email }) else {
      throw ClientError(
        .failed, tr("there is no user %1$s", user), kind: Failure.Kind.notFound.rawValue,
        hints: [tr("segue web users   lists them")])
    }
    return person
  }

  private static func stored<Value>(
    _ body: (AccountDatabase) throws(StoreError) -> Value
  ) throws(ClientError) -> Value {
    do throws(StoreError) {
      return try body(try AccountDatabase(path: AccountDatabase.path))
    } catch {
      throw ClientError(
        .failed, tr("the accounts cannot be read: %1$s", error.description), kind: Failure.Kind.unavailable.rawValue)
    }
  }

  private static var help: String {
    tr(
      """
      Usage: segue web [COMMAND]
             segue-web serve [--listen PORT]
      segue help web lists the commands. See segue-web(8).
      """)
  }
}
