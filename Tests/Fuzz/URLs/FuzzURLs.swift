import SegueWorkerProtocol

@testable import SegueFetch

/// Reads the input as a reference in a document, resolves it against the URL of the document, and takes the URL apart.
func fuzzURLs(_ input: UnsafeRawBufferPointer) {
  let reference = String(decoding: input, as: UTF8.self)
  for base in [nil, "http://radio.example/lists/list.m3u8?a=b", "https://[2001:db8::1]:8000"] {
    if let url = URLText.resolve(reference, against: base) { check(url) }
  }
  _ = URLText.authority(of: reference)
  _ = URLText.pathExtension(of: reference)
  _ = AddressScope(reference)
}

private func check(_ url: String) {
  // By bytes, because a combining mark may follow the slashes.
  precondition(["http://", "https://"].contains { url.utf8.starts(with: $0.utf8) }, "a URL of another scheme")
  precondition(!url.utf8.contains { $0 <= 0x20 }, "white space or a control character")
  precondition(!url.utf8.contains(UInt8(ascii: "#")), "a URL with a fragment")
  // libcurl refuses to read some URLs that it has written, such as one with the control character 0x7F in the host. A
  // request for such a URL fails.
  guard let host = URLText.host(of: url) else { return }
  precondition(!host.isEmpty && URLText.authority(of: url)?.utf8.starts(with: host.utf8) == true, "an empty host")
  precondition(URLText.normalized(url) == url, "a URL that changes when it is normalised again")
}
