// Decoding thread only.
internal import CTagLib

/// A file as TagLib reads it.
final class TagFile {
  private let handle: OpaquePointer
  let format: TagFormat
  private let source: Section

  /// nil if TagLib can make nothing of it. With `audio` it also reads what the headers say of the audio.
  init?(_ file: SourceFile, _ format: TagFormat, audio: Bool) {
    guard let size = file.size else { return nil }
    let source = Section(file, from: format.start)
    guard
      let handle = segue_tags_open(
        format.kind, size - format.start, readSection, Unmanaged.passUnretained(source).toOpaque(), audio ? 1 : 0)
    else { return nil }
    self.handle = handle
    self.format = format
    self.source = source
  }

  deinit { segue_tags_close(handle) }

  var audio: segue_tags_audio { segue_tags_headers(handle) }

  var hasPicture: Bool { segue_tags_picture(handle, nil) > 0 }

  /// Calls `body` with the cover; empty if there is none.
  func withPicture<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    var bytes: UnsafeRawPointer?
    let count = segue_tags_picture(handle, &bytes)
    return body(UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count))
  }

  /// Puts every text into `values`.
  func collect(into values: inout TagValues) {
    withUnsafeMutablePointer(to: &values) { segue_tags_each(handle, takeText, $0) }
  }

  /// Texts that have a time, in milliseconds, by the parts of ID3v2 they are in.
  var chapters: [(time: Int, text: TagValues.Value)] {
    var timed = TimedTexts()
    withUnsafeMutablePointer(to: &timed) { segue_tags_chapters(handle, takeTimedText, $0) }
    return timed.texts
  }

  var sungLines: [(time: Int, text: TagValues.Value)] {
    var timed = TimedTexts()
    withUnsafeMutablePointer(to: &timed) { segue_tags_lyrics(handle, takeTimedText, $0) }
    return timed.texts
  }

  /// The part of a file that TagLib is shown.
  fileprivate final class Section {
    let file: SourceFile
    let start: Int64

    init(_ file: SourceFile, from start: Int64) {
      self.file = file
      self.start = start
    }
  }

  fileprivate struct TimedTexts {
    var texts: [(time: Int, text: TagValues.Value)] = []
  }
}

// Called by TagLib on the decoding thread, within a call of a `TagFile` that holds the `Section` alive.
private nonisolated func readSection(
  context: UnsafeMutableRawPointer?, position: Int64, target: UnsafeMutableRawPointer?, count: Int
) -> Int {
  guard let context else { return 0 }
  let section = Unmanaged<TagFile.Section>.fromOpaque(context).takeUnretainedValue()
  return section.file.peek(
    at: section.start + position, into: UnsafeMutableRawBufferPointer(start: target, count: count))
}

// Called back within `collect`, `chapters` and `sungLines`, which lend what `context` points to.
private nonisolated func takeText(
  context: UnsafeMutableRawPointer?, rank: Int32, key: UnsafePointer<CChar>?, keySize: Int,
  value: UnsafePointer<CChar>?, valueSize: Int, isBytes: Int32
) {
  context?.assumingMemoryBound(to: TagValues.self).pointee.add(
    UnsafeRawBufferPointer(start: key, count: keySize), UnsafeRawBufferPointer(start: value, count: valueSize),
    isBytes: isBytes != 0, rank: Int(rank))
}

private nonisolated func takeTimedText(
  context: UnsafeMutableRawPointer?, rank: Int32, key: UnsafePointer<CChar>?, keySize: Int,
  value: UnsafePointer<CChar>?, valueSize: Int, isBytes: Int32
) {
  let value = TagValues.Value(UnsafeRawBufferPointer(start: value, count: valueSize), isBytes: isBytes != 0)
  context?.assumingMemoryBound(to: TagFile.TimedTexts.self).pointee.texts.append((Int(rank), value))
}
