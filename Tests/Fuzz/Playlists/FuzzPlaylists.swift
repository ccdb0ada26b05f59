import SegueSystem
import SegueWire

@testable import SegueLibrary

/// A playlist file, read as each of the formats in turn: what one of them refuses may be another.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPlaylists(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let input = Array(UnsafeBufferPointer(start: bytes, count: count))
  for format in [PlaylistFormat.m3u, .pls, .cue, .xspf] {
    do throws(Failure) {
      guard case .items(let items) = try Playlist.parse(input, playlist, format, transcode: ascii) else { continue }
      for item in items { check(item, format) }
    } catch {
      precondition(!error.message.isEmpty, "refused without a reason")
    }
  }
  return 0
}

/// What the worker makes of it has as many lines.
private func ascii(_ text: [UInt8]) -> [UInt8]? { text.map { $0 < 0x80 ? $0 : UInt8(ascii: "?") } }

/// There is no such folder: nothing that the bytes name is looked at beside it.
private let playlist = FilePath("/no/such/folder/list")

private func check(_ item: PlaylistItem, _ format: PlaylistFormat) {
  precondition(item.line > 0, "an entry of no line")
  precondition(!item.location.isEmpty && !item.location.contains { $0 == 0x0A || $0 == 0x0D }, "no location")
  if let duration = item.duration { precondition((.zero ... .maximum).contains(duration), "no duration") }
  if let range = item.range {
    precondition(range.start >= 0 && range.end.map { $0 > range.start } ?? true, "a range of nothing")
    precondition(CueRange(fragmentOf: range.fragment) == range, "a range that is read otherwise")
  }
  if let uri = item.absoluteURI { check(uri: uri) }
  if let path = item.file(of: playlist, format) {
    let track = item.track(at: path)
    check(uri: track.uri)
    precondition(track.metadata == track.metadata.bounded, "more text than is kept")
  }
  precondition(!item.namedURI(of: playlist).isEmpty, "nothing to blame")
}

/// What a URI names, written again, names the same.
private func check(uri: String) {
  guard let media = try? MediaURI(uri) else { return }
  guard let again = try? MediaURI(media.uri) else { preconditionFailure("a URI that is none once written") }
  precondition(again == media, "a URI that is read otherwise once written")
}
