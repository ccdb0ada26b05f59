/// What libavformat is told when it opens something. The whitelists are the inner wall: a container that names other
/// files or addresses (a playlist, a reference movie) finds no protocol to open them with.
enum DemuxerOptions {
  /// No protocol has this name, so none is allowed: everything comes through the descriptor.
  static let file = [("protocol_whitelist", "none")]

  static let network = [
    ("protocol_whitelist", "http,https,httpproxy,tls,tcp,rtmp,rtmps,rtmpt,ffrtmphttp,mmsh,mmst"),
    ("rw_timeout", "15000000"),
    ("reconnect", "1"), ("reconnect_on_network_error", "1"),
    ("reconnect_delay_max", "5"),
    ("user_agent", "segue"),
    ("icy", "1"),
  ]

  private static let schemes = ["http", "https", "rtmp", "rtmps", "rtmpt", "mmsh", "mmst"]

  /// Whether `url` is of a scheme that may be opened.
  static func allows(_ url: String) -> Bool { scheme(of: address(url)).map(schemes.contains) ?? false }

  /// `url` as libavformat names it: it knows MMS by its transports only.
  static func address(_ url: String) -> String {
    scheme(of: url) == "mms" ? "mmsh" + url.dropFirst(3) : url
  }

  private static func scheme(of url: String) -> String? {
    url.firstIndex(of: ":").map { url[..<$0].lowercased() }
  }
}
