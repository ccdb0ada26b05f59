internal import Glibc
internal import SegueLink

/// The proxies that the environment names, as far as the rule on addresses depends on them: a proxy connects to the hosts, and
/// most proxies look up their names as well, so the rule applies only to addresses that a URL states. libcurl itself reads the
/// same variables.
struct ProxySettings {
  private let hasHTTP: Bool
  private let hasHTTPS: Bool
  /// The ends of the names of hosts that are reached without a proxy, in lower case and without dots before them.
  private let exceptions: [String]

  init() { self.init { variable in getenv(variable).map { String(cString: $0) } } }

  /// Creates the settings of another environment.
  init(environment: (String) -> String?) {
    func isSet(_ names: [String]) -> Bool { names.contains { environment($0)?.isEmpty == false } }
    hasHTTP = isSet(["http_proxy", "all_proxy", "ALL_PROXY"])
    hasHTTPS = isSet(["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"])
    exceptions = ["no_proxy", "NO_PROXY"].flatMap { name in
      (environment(name) ?? "").lowercased().split { $0 == "," || $0.isWhitespace }.map { Self.withoutDots($0) }
    }
  }

  /// Returns whether a request for `url` is sent to a proxy. If that is uncertain, it returns false, and the rule applies
  /// to the address that is connected.
  func apply(to url: String) -> Bool {
    guard let host = URLText.host(of: url)?.lowercased() else { return false }
    guard url.lowercased().hasPrefix("https:") ? hasHTTPS : hasHTTP else { return false }
    let name = Self.withoutDots(host[...])
    return !exceptions.contains { $0 == "*" || name.hasSuffix($0) }
  }

  /// Returns the name of a host without dots at its ends.
  static func withoutDots(_ name: Substring) -> String {
    var name = name.drop { $0 == "." }
    while name.last == "." { name.removeLast() }
    return String(name)
  }
}
