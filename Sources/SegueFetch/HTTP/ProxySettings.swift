internal import Glibc
internal import SegueWorkerProtocol

/// The proxies that the environment names, as far as the rule on addresses depends on them: a proxy connects to the
/// hosts, and most proxies look up their names as well, so the rule applies only to addresses that a URL states.
/// libcurl itself reads the same variables.
struct ProxySettings {
  /// The values of the variables for each scheme; nil without a proxy.
  private let http: String?
  private let https: String?
  /// The ends of the names of hosts that are reached without a proxy, in lower case and without dots before them.
  private let exceptions: [String]

  init() { self.init { variable in getenv(variable).map { String(cString: $0) } } }

  /// Creates the settings of another environment.
  init(environment: (String) -> String?) {
    func first(_ names: [String]) -> String? { names.compactMap(environment).first { !$0.isEmpty } }
    http = first(["http_proxy", "all_proxy", "ALL_PROXY"])
    https = first(["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"])
    exceptions = ["no_proxy", "NO_PROXY"].flatMap { name in
      (environment(name) ?? "").lowercased().split { $0 == "," || $0.isWhitespace }.map { Self.withoutDots($0) }
    }
  }

  /// Returns whether a request for `url` is sent to a proxy. If that is uncertain, it returns false, and the rule
  /// applies to the address that is connected.
  func apply(to url: String) -> Bool { proxy(for: url) != nil }

  /// Returns the host and the port of the proxy to which a request for `url` is sent, without the password that the
  /// variable may contain; nil if there is none, or if that is uncertain.
  func name(for url: String) -> String? {
    proxy(for: url).map { proxy in
      let address = proxy.firstRange(of: "://").map { proxy[$0.upperBound...] } ?? proxy[...]
      return URLText.authority(of: "http://\(address)") ?? String(address.drop { $0 != "@" }.dropFirst())
    }
  }

  private func proxy(for url: String) -> String? {
    guard let host = URLText.host(of: url)?.lowercased() else { return nil }
    let name = Self.withoutDots(host[...])
    let isException = exceptions.contains { $0 == "*" || name.hasSuffix($0) }
    return isException ? nil : url.lowercased().hasPrefix("https:") ? https : http
  }

  /// Returns the name of a host without dots at its ends.
  static func withoutDots(_ name: Substring) -> String {
    var name = name.drop { $0 == "." }
    while name.last == "." { name.removeLast() }
    return String(name)
  }
}
