import SegueSystem
import SegueWire

@testable import SegueFiles

/// Reads the input as lyrics in a tag or an `.lrc` file, after a worker has decoded the text.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzLyrics(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let raw = String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  let lyrics = LyricsText(raw)
  // A line that begins below the limit is included completely. Between two lines there is one byte.
  precondition(lyrics.text.utf8.count <= LyricsText.maximumSize + 2 * raw.utf8.count, "more text than the input has")
  guard let lines = lyrics.lines else { return 0 }
  precondition(!lines.isEmpty, "no lines")
  var last = MediaTime.zero
  for line in lines {
    precondition(line.time >= last && line.time <= .maximum, "a line out of order")
    precondition(!line.text.contains(where: \.isNewline), "a line break in a line")
    last = line.time
  }
  return 0
}
