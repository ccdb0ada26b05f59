/// The options with which libavformat opens files and streams. The protocol allow-lists are a second line of defence
/// behind the sandbox: if a container refers to other files or addresses, as a playlist or a reference movie does, there
/// is no protocol with which libavformat could open them.
package enum DemuxerOptions {
  /// No protocol has the name "none". All bytes of a file come through its descriptor.
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

  /// Returns whether the scheme of `url` is allowed.
  package static func allows(_ url: String) -> Bool { scheme(of: address(url)).map(schemes.contains) ?? false }

  /// Returns `url` in the form that libavformat expects. libavformat does not know the scheme of MMS, only the names of
  /// its transports.
  static func address(_ url: String) -> String {
    scheme(of: url) == "mms" ? "mmsh" + url.dropFirst(3) : url
  }

  private static func scheme(of url: String) -> String? {
    url.firstIndex(of: ":").map { url[..<$0].lowercased() }
  }
}
