import SegueSystem
import SegueWire

@testable import SegueFiles

/// Reads the input as lyrics in a tag or an `.lrc` file, after a worker has decoded the text.
func fuzzLyrics(_ input: UnsafeRawBufferPointer) {
  let raw = String(decoding: input, as: UTF8.self)
  let lyrics = LyricsText(raw)
  // A line that begins below the limit is included completely. Between two lines there is one byte.
  precondition(lyrics.text.utf8.count <= LyricsText.maximumSize + 2 * raw.utf8.count, "more text than the input has")
  guard let lines = lyrics.lines else { return }
  precondition(!lines.isEmpty, "no lines")
  var last = MediaTime.zero
  for line in lines {
    precondition(line.time >= last && line.time <= .maximum, "a line out of order")
    precondition(!line.text.contains(where: \.isNewline), "a line break in a line")
    last = line.time
  }
}
