// Thread: any.

internal import SegueSystem

/// What every request has to satisfy before anything else is looked at. The rules keep pages of other servers, which a
/// browser may show at the same time, from using the gateway with the rights of the person at that browser.
struct RequestRules: Sendable {
  /// The facts of a request that the rules are about.
  struct Facts {
    var method: String
    var path: String
    /// The value of `Host`; nil if it is missing or was sent twice. The same holds for the others.
    var host: String?
    var origin: String?
    /// Whether `Origin` was sent at all.
    var hasOrigin: Bool
    /// The value of `Sec-Fetch-Site`, which newer browsers send.
    var site: String?
    var contentType: String?
  }

  /// Why a request is refused.
  enum Refusal: Equatable {
    /// `Host` is a name that this machine does not have: a name of another owner may lead here (DNS rebinding).
    case foreignHost
    /// The request comes from a page of another server, or does not say from where.
    case foreignOrigin
    /// The method is neither GET nor POST.
    case method
    /// The body is not JSON, as forms of other pages are.
    case contentType
  }

  /// The names by which browsers may call this machine, in lower case, besides its addresses.
  let names: Set<String>
  /// Whether the gateway speaks TLS itself. Otherwise a proxy may.
  let isSecure: Bool

  /// - Parameter name: The name of this machine, by which it is also known with `.local`.
  init(nameOfMachine name: String, names: [String], isSecure: Bool) {
    let own = name.lowercased()
    let first = own.prefix { $0 != "." }
    self.names = Set(["localhost", own, "\(first)", "\(first).local"] + names.map { $0.lowercased() })
    self.isSecure = isSecure
  }

  /// Returns why a request is refused; nil if it is not.
  func refusal(of request: Facts) -> Refusal? {
    guard let host = request.host, isOwn(host) else { return .foreignHost }
    switch request.method {
    case "GET", "HEAD":
      // A page of another server may link to the start page, and to nothing else.
      if request.path != "/", let site = request.site, site != "same-origin" { return .foreignOrigin }
      return nil
    case "POST":
      guard let origin = request.origin, isSame(origin, as: host), request.site ?? "same-origin" == "same-origin" else {
        return .foreignOrigin
      }
      let type = request.contentType?.prefix { $0 != ";" }.lowercased()
      return type == "application/json" ? nil : .contentType
    default: return .method
    }
  }

  /// Whether a host, with or without a port, is this machine. An address is: a name cannot be made to look like one.
  private func isOwn(_ host: String) -> Bool {
    guard let authority = try? URLAuthority(Substring(host.lowercased())), authority.user == nil, authority.zone == nil
    else { return false }
    return ClientAddress(authority.host) != nil || names.contains(String(authority.host))
  }

  private func isSame(_ origin: String, as host: String) -> Bool {
    let origin = origin.lowercased()
    let schemes = isSecure ? ["https"] : ["http", "https"]
    return schemes.contains { origin == "\($0)://\(host.lowercased())" }
  }
}
