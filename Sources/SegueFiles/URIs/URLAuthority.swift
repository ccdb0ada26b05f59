internal import Glibc
internal import SegueWire

/// The authority of a URL (RFC 3986, 3.2), which names the server: `[user@]host[:port]`.
struct URLAuthority {
  private let text: Substring

  /// Creates the authority of a URL. `rest` is the part after `scheme://`.
  init(startOf rest: Substring) { text = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" } }

  /// The reason why the authority is not valid; nil if it is.
  var fault: LocalizableMessage? {
    let server = text.lastIndex(of: "@").map { text[text.index(after: $0)...] } ?? text
    let host: Substring
    if server.first == "[" {
      guard let end = server.firstIndex(of: "]") else {
        return LocalizableMessage("the IPv6 address lacks its closing bracket")
      }
      host = server[...end]
      guard Self.isIPv6(host.dropFirst().dropLast()) else {
        return LocalizableMessage("\"\(host)\" is not an IPv6 address")
      }
    } else {
      host = server.prefix { $0 != ":" }
      guard !host.isEmpty else { return LocalizableMessage("the host is missing") }
      guard !host.contains(where: { $0 == "[" || $0 == "]" }) else {
        return LocalizableMessage("\"\(host)\" is not a host's name")
      }
    }
    let port = server[host.endIndex...]
    guard let colon = port.first else { return nil }
    guard colon == ":" else { return LocalizableMessage("only a port can follow the IPv6 address") }
    let digits = port.dropFirst()
    // An empty port stands for the default port of the scheme.
    guard digits.isEmpty || Self.isPort(digits) else {
      return LocalizableMessage("the port \"\(digits)\" is not a number from 1 to 65535")
    }
    return nil
  }

  private static func isPort(_ text: Substring) -> Bool {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) } && UInt16(text).map { $0 > 0 } ?? false
  }

  /// Whether `text` is an IPv6 address. It may have a zone after a percent sign (RFC 6874).
  private static func isIPv6(_ text: Substring) -> Bool {
    var address = in6_addr()
    return inet_pton(AF_INET6, String(text.prefix { $0 != "%" }), &address) == 1
  }
}
