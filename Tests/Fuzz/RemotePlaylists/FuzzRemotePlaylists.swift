import SegueSystem
import SegueWire

@testable import SegueFetch

/// Reads the input as a playlist that a server sends, in each of the formats, and determines its format.
func fuzzRemotePlaylists(_ input: UnsafeRawBufferPointer) {
  let input = Array(input)
  for mediaType in [nil, "audio/x-mpegurl"] {
    _ = RemotePlaylist.format(Array(input.prefix(1024)), mediaType: mediaType, pathExtension: nil)
  }
  for format in [RemotePlaylist.Format.m3u, .pls, .xspf, .asx, .dash] {
    do throws(Failure) {
      switch try RemotePlaylist.read(input, format, at: address, now: now, StreamSession()) {
      case .list(let urls):
        precondition((1...64).contains(urls.count) && Set(urls).count == urls.count, "too many entries, or none")
        for url in urls { check(url) }
      case .manifest(let manifest, _):
        precondition(manifest == input || HLSManifest(manifest) != nil, "a translation that is not a manifest of HLS")
      }
    } catch {
      precondition(!error.message.isEmpty, "an error without a message")
    }
  }
}

/// The time at which the playlist is received, on which the segments of a live stream depend.
private let now = UnixTime(nanoseconds: 1_795_435_200_000_000_000)

/// The URL of the playlist, to which references are relative.
private let address = "http://radio.example/lists/list.m3u8?station=1"

/// Checks that a URL is one of HTTP, and not that of the playlist.
private func check(_ url: String) {
  // By bytes, because a combining mark may follow the slashes.
  precondition(["http://", "https://"].contains { url.utf8.starts(with: $0.utf8) }, "a URL of another scheme")
  precondition(url != address, "a playlist that includes itself")
}
