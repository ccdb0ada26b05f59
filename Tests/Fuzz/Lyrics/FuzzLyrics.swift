import SegueSystem
import SegueWire

@testable import SegueLibrary

/// Lyrics, as tags and `.lrc` files have them once a worker has decoded them.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzLyrics(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let raw = String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  let lyrics = LyricsText(raw)
  // A line that begins within bounds is told whole; between two lines there is one byte.
  precondition(lyrics.text.utf8.count <= LyricsText.longest + 2 * raw.utf8.count, "more than was written")
  guard let lines = lyrics.lines else { return 0 }
  precondition(!lines.isEmpty, "times of nothing")
  var last = MediaTime.zero
  for line in lines {
    precondition(line.time >= last && line.time <= .maximum, "a line out of its turn")
    precondition(!line.text.contains(where: \.isNewline), "a line that is two")
    last = line.time
  }
  return 0
}
