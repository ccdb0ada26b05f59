internal import CCurl

/// The cookies of one playback. Some servers admit a client to a file only with a cookie that they have set before, on
/// the way through redirects or with the manifest. The cookies are in memory only, and no other playback has them.
final class CookieJar {
  private let share: UnsafeMutableRawPointer
  /// The number of bytes of the cookies, or more, because a server may set the same one again.
  private var size = 0

  /// The number of bytes of cookies above which all of them are forgotten. No server of files needs as many.
  private static let maximumSize = 64 * 1024

  init() {
    // This fails only without memory.
    guard let share = curl_share_init(), segue_curl_share_cookies(share) == CURLSHE_OK else {
      fatalError("libcurl: no memory")
    }
    self.share = share
  }

  /// Precondition: No transfer uses the cookies any more. Each of them holds the jar.
  deinit { curl_share_cleanup(share) }

  /// Lets a new transfer send and receive the cookies.
  func attach(to handle: UnsafeMutableRawPointer) {
    segue_curl_set_pointer(handle, CURLOPT_SHARE, share)
    // libcurl handles cookies if a file is named. It reads none if the name is empty.
    segue_curl_set_string(handle, CURLOPT_COOKIEFILE, "")
    guard size > Self.maximumSize else { return }
    size = segue_curl_cookie_size(handle)
    if size > Self.maximumSize {
      segue_curl_set_string(handle, CURLOPT_COOKIELIST, "ALL")
      size = 0
    }
  }

  /// Records a line of a head, which may set a cookie.
  func record(_ line: UnsafeRawBufferPointer) {
    let name = "set-cookie:"
    guard line.count > name.utf8.count, zip(line, name.utf8).allSatisfy({ $0 | 0x20 == $1 | 0x20 }) else { return }
    size += line.count
  }
}
