// Thread: the loop.

internal import Glibc
internal import SegueAccounts
internal import SegueHTTP
internal import SegueSystem
internal import SegueWire

/// The methods that the gateway answers itself: those for the accounts. Their names begin with `web.`.
extension Gateway {
  typealias WebMethod = @MainActor (Gateway, HTTPExchange, JSON?) -> Void

  static let methods: [String: WebMethod] = [
    "web.state": { gateway, request, _ in gateway.sendState(request) },
    "web.register": { gateway, request, params in gateway.register(request, params) },
    "web.signIn": { gateway, request, params in gateway.signIn(request, params) },
    "web.pair": { gateway, request, params in gateway.pair(request, params) },
    "web.signOut": { gateway, request, _ in gateway.signOut(request) },
    "web.profile": { gateway, request, _ in gateway.sendProfile(request) },
    "web.changePassword": { gateway, request, params in gateway.changePassword(request, params) },
    "web.deleteAccount": { gateway, request, params in gateway.deleteAccount(request, params) },
    "web.devices": { gateway, request, _ in gateway.sendDevices(request) },
    "web.removeDevice": { gateway, request, params in gateway.removeDevice(request, params) },
  ]

  // MARK: Signing in

  /// Responds with what the first screen depends on: who may register.
  private func sendState(_ request: HTTPExchange) {
    accounts.policy { result in
      request.respond(result) { json, policy in json.member("registration", policy.rawValue) }
    }
  }

  private func register(_ request: HTTPExchange, _ params: JSON?) {
    let text = { (field: Registration.Field) in params?[field.rawValue]?.string ?? "" }
    let registration = Registration(
      firstName: text(.firstName), lastName: text(.lastName), birthDate: text(.birthDate), phone: text(.phone),
      email: text(.email), password: text(.password))
    accounts.register(
      registration, invitation: params?["invitation"]?.string.flatMap(Token.init), on: .today,
      by: browser(of: request)
    ) { [self] result in
      switch result {
      case .success(let signIn): welcome(request, signIn)
      case .failure(.failure(let failure)): request.respond(.failure(failure))
      case .failure(.fields(let problems)): request.respond(Self.refusal(problems))
      }
    }
  }

  /// Returns an error with the problem of each field.
  private static func refusal(_ problems: [Registration.Field: LocalizableMessage]) -> HTTPResponse {
    .failure(Failure(.invalidParams, .plain("some fields are not filled in correctly"))) { json in
      json.key("fields")
      json.beginObject()
      for field in Registration.Field.allCases {
        guard let problem = problems[field] else { continue }
        json.key(named: field.rawValue)
        json.string(problem.text)
      }
      json.endObject()
    }
  }

  private func signIn(_ request: HTTPExchange, _ params: JSON?) {
    accounts.signIn(
      email: params?["email"]?.string ?? "", password: params?["password"]?.string ?? "", by: browser(of: request)
    ) { [self] in welcome(request, $0) }
  }

  private func pair(_ request: HTTPExchange, _ params: JSON?) {
    guard let ticket = params?["token"]?.string.flatMap(Token.init) else {
      return request.respond(.failure(Failure(.invalidParams, "`token` is not one of a QR code")))
    }
    accounts.pair(ticket, by: browser(of: request)) { [self] in welcome(request, $0) }
  }

  private func welcome(_ request: HTTPExchange, _ result: Result<Accounts.SignIn, Failure>) {
    switch result {
    case .success(let signIn): welcome(request, signIn)
    case .failure(let failure): request.respond(.failure(failure))
    }
  }

  private func welcome(_ request: HTTPExchange, _ signIn: Accounts.SignIn) {
    if let former = signIn.former { closeSession(former) }
    // Another device may have been signed out in its favour.
    checkSessions()
    request.respond(.success(signIn), headers: [cookie(signIn.token, for: request)]) {
      $0.member("role", $1.role.rawValue)
    }
  }

  /// Signs out the browser, which loses the cookie in any case.
  private func signOut(_ request: HTTPExchange) {
    let noCookie = cookie(nil, for: request)
    let refuse = { (response: HTTPResponse) in
      var response = response
      response.headers.append(noCookie)
      request.respond(response)
    }
    guard let token = token(of: request) else { return refuse(Self.signedOut) }
    accounts.findDevice(token) { [self] found in
      switch found {
      case .failure(let failure): refuse(.failure(failure, status: 503))
      case .success(nil): refuse(Self.signedOut)
      case .success(let device?):
        accounts.signOut(device.id) { [self] result in
          closeSession(device.id)
          guard case .success = result else { return refuse(.failure(Self.notRemoved)) }
          request.respond(result, headers: [noCookie]) { _, _ in }
        }
      }
    }
  }

  private static let notRemoved = Failure(
    .unavailable, "this browser is signed out, but its entry could not be removed: remove it by `segue web revoke`")

  private func browser(of request: HTTPExchange) -> Accounts.Browser {
    Accounts.Browser(
      address: request.client, name: DeviceName.name(of: request.header("user-agent")), token: token(of: request))
  }

  // MARK: The account

  /// Responds with what is stored about the person, and with the browser itself; without a person for a browser that
  /// was paired.
  private func sendProfile(_ request: HTTPExchange) {
    withPerson(request) { device, person in
      request.respond(.success(person)) { json, person in
        json.member("role", device.role.rawValue)
        json.member("device", device.id)
        json.key("person")
        guard let person else { return json.null() }
        json.beginObject()
        json.member("firstName", person.firstName)
        json.member("lastName", person.lastName)
        json.member("birthDate", person.birthDate)
        json.member("phone", person.phone)
        json.member("email", person.email)
        json.member("registered", person.registered)
        json.endObject()
      }
    }
  }

  private func changePassword(_ request: HTTPExchange, _ params: JSON?) {
    let (old, new) = (params?["old"]?.string ?? "", params?["new"]?.string ?? "")
    withOwnAccount(request) { [self] device, person in
      accounts.changePassword(of: person, from: old, to: new, keeping: device.id) { [self] result in
        if case .success = result { closeSessions(of: person.id, but: device.id) }
        request.respond(result) { _, _ in }
      }
    }
  }

  private func deleteAccount(_ request: HTTPExchange, _ params: JSON?) {
    let password = params?["password"]?.string ?? ""
    withOwnAccount(request) { [self] device, person in
      accounts.remove(person, password: password, in: device.id) { [self] result in
        guard case .success = result else { return request.respond(result) { _, _ in } }
        closeSessions(of: person.id)
        request.respond(result, headers: [cookie(nil, for: request)]) { _, _ in }
      }
    }
  }

  private func sendDevices(_ request: HTTPExchange) {
    withOwnAccount(request) { [self] device, person in
      accounts.devices(of: person.id) { result in
        request.respond(result) { json, devices in
          json.key("devices")
          json.beginArray()
          for other in devices {
            json.beginObject()
            json.member("id", other.id)
            json.member("name", other.name)
            json.member("added", other.added)
            json.member("used", other.used)
            json.member("current", other.id == device.id)
            json.endObject()
          }
          json.endArray()
        }
      }
    }
  }

  private func removeDevice(_ request: HTTPExchange, _ params: JSON?) {
    guard let id = params?["id"]?.integer else {
      return request.respond(.failure(Failure(.invalidParams, "`id` is not the number of a device")))
    }
    withOwnAccount(request) { [self] _, person in
      accounts.signOut(id, of: person.id) { [self] result in
        if case .success(true) = result { closeSession(id) }
        request.respond(result) { $0.member("removed", $1) }
      }
    }
  }

  private func withPerson(_ request: HTTPExchange, _ then: @escaping @MainActor (Device, Person?) -> Void) {
    authenticate(request) { [self] device in
      guard let id = device.person else { return then(device, nil) }
      accounts.person(id) { result in
        switch result {
        case .success(let person): then(device, person)
        case .failure(let failure): request.respond(.failure(failure))
        }
      }
    }
  }

  private func withOwnAccount(_ request: HTTPExchange, _ then: @escaping @MainActor (Device, Person) -> Void) {
    withPerson(request) { device, person in
      guard let person else {
        return request.respond(.failure(Failure(.notFound, "this browser was paired and has no account")))
      }
      then(device, person)
    }
  }
}

extension HTTPExchange {
  /// Responds with the members that `write` writes, or with an error.
  fileprivate func respond<Value>(
    _ result: Result<Value, Failure>, headers: [(name: String, value: String)] = [],
    _ write: (inout JSONWriter, Value) -> Void
  ) {
    switch result {
    case .failure(let failure): respond(.failure(failure))
    case .success(let value):
      var json = JSONWriter()
      json.beginObject()
      json.key("result")
      json.beginObject()
      write(&json, value)
      json.endObject()
      json.endObject()
      var response = HTTPResponse.json(json.bytes)
      response.headers += headers
      respond(response)
    }
  }
}

extension Day {
  /// The date in the time zone of the machine.
  fileprivate static var today: Day {
    var (now, local) = (time(nil), tm())
    localtime_r(&now, &local)
    return Day(Int(local.tm_year) + 1_900, Int(local.tm_mon) + 1, Int(local.tm_mday))!
  }
}
