internal import CTagLib

/// Which form of tags a file has, by its first bytes: its name may say anything.
struct TagFormat {
  let kind: segue_tags_kind
  /// Where in the file what TagLib is shown begins, in bytes; all of it but for the tag at the end of a DSD stream
  /// file.
  var start: Int64 = 0
  /// Where the audio begins, behind the ID3v2 tags in front of it.
  var audioStart: Int64 = 0

  /// nil if TagLib knows nothing of the like.
  init?(_ file: SourceFile) {
    guard file.size != nil else { return nil }
    var head = Self.bytes(of: file, at: 0)
    // Several tags in a row are somebody's mistake, but there are such files.
    for _ in 0..<4 where head.starts(with: "ID3".utf8) && head.count >= 10 {
      audioStart += 10 + head[6..<10].reduce(0) { $0 << 7 | Int64($1 & 0x7F) } + (head[5] & 0x10 != 0 ? 10 : 0)
      head = Self.bytes(of: file, at: audioStart)
    }
    if audioStart > 0 {
      kind =
        head.starts(with: "fLaC".utf8)
        ? SEGUE_TAGS_FLAC : head.starts(with: "TTA1".utf8) ? SEGUE_TAGS_TTA : SEGUE_TAGS_MPEG
    } else if head.starts(with: "DSD ".utf8) {
      guard let tag = file.littleEndian(at: 20), tag > 0, let size = file.size, tag < size else { return nil }
      kind = SEGUE_TAGS_MPEG
      start = tag
    } else if let kind = Self.kind(head) {
      self.kind = kind
    } else {
      return nil
    }
  }

  private static func kind(_ head: [UInt8]) -> segue_tags_kind? {
    func has(_ text: StaticString, at index: Int = 0) -> Bool {
      head.count >= index + text.utf8CodeUnitCount
        && text.withUTF8Buffer { head[index..<index + $0.count].elementsEqual($0) }
    }
    if has("fLaC") { return SEGUE_TAGS_FLAC }
    if has("OggS") {
      let packet = 27 + Int(head.count > 26 ? head[26] : 0)
      return has("\u{1}vorbis", at: packet)
        ? SEGUE_TAGS_VORBIS
        : has("OpusHead", at: packet)
          ? SEGUE_TAGS_OPUS
          : has("Speex   ", at: packet) ? SEGUE_TAGS_SPEEX : has("\u{7F}FLAC", at: packet) ? SEGUE_TAGS_OGG_FLAC : nil
    }
    if has("ftyp", at: 4) || has("moov", at: 4) { return SEGUE_TAGS_MP4 }
    if head.starts(with: [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]) { return SEGUE_TAGS_ASF }
    if has("RIFF"), has("WAVE", at: 8) { return SEGUE_TAGS_WAV }
    if has("FORM"), has("AIF", at: 8) { return SEGUE_TAGS_AIFF }
    if has("MAC ") { return SEGUE_TAGS_APE }
    if has("MPCK") || has("MP+") { return SEGUE_TAGS_MUSEPACK }
    if has("wvpk") { return SEGUE_TAGS_WAVPACK }
    if has("TTA1") { return SEGUE_TAGS_TTA }
    if head.count > 1, head[0] == 0xFF, head[1] & 0xE0 == 0xE0 { return SEGUE_TAGS_MPEG }
    return nil
  }

  private static func bytes(of file: SourceFile, at position: Int64) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 64) { buffer, count in
      count = file.peek(at: position, into: UnsafeMutableRawBufferPointer(buffer))
    }
  }
}
