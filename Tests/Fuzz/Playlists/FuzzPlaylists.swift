import SegueSystem
import SegueWire

@testable import SegueFiles

/// Reads the input as a playlist in each of the formats: what is malformed in one may be valid in another.
func fuzzPlaylists(_ input: UnsafeRawBufferPointer) {
  let input = Array(input)
  for format in [PlaylistFormat.m3u, .pls, .cue, .xspf] {
    do throws(Failure) {
      guard case .items(let items) = try Playlist.parse(input, playlist, format, convert: ascii) else { continue }
      let files = PlaylistFiles(items, of: playlist, format)
      for item in items { check(item, files) }
    } catch {
      precondition(!error.message.isEmpty, "an error without a message")
    }
  }
}

/// Converts text as the worker does: the result has the same number of lines.
private func ascii(_ text: [UInt8]) -> [UInt8]? { text.map { $0 < 0x80 ? $0 : UInt8(ascii: "?") } }

/// The path of the playlist. The folder does not exist, so no file is examined.
private let playlist = FilePath("/no/such/folder/list")

private func check(_ item: PlaylistItem, _ files: PlaylistFiles) {
  precondition(item.line > 0, "an entry without a line number")
  precondition(item.fault != nil || !item.location.isEmpty, "an entry without a location")
  precondition(!item.location.contains { $0 == 0x0A || $0 == 0x0D }, "an invalid location")
  if let duration = item.duration { precondition((.zero ... .maximum).contains(duration), "an invalid duration") }
  if let range = item.range {
    precondition(range.start >= 0 && range.end.map { $0 > range.start } ?? true, "an empty range")
    precondition(CueRange(fragmentOf: range.fragment) == range, "a range that changes in a round trip")
  }
  if let uri = item.absoluteURI { check(uri: uri) }
  if let path = files.file(of: item) {
    let track = item.track(at: path)
    check(uri: track.uri)
    precondition(track.metadata == track.metadata.bounded, "metadata over the limits")
  }
  precondition(!item.namedURI(of: playlist).isEmpty, "an entry without a URI")
}

/// Checks that a URI is the same after a round trip through `MediaURI`.
private func check(uri: String) {
  guard let media = try? MediaURI(uri) else { return }
  guard let again = try? MediaURI(media.uri) else { preconditionFailure("a written URI that cannot be read") }
  precondition(again == media, "a URI that changes in a round trip")
}
