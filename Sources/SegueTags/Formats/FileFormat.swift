// Thread: the decoding thread.
package import SegueFFmpeg

/// The format of a file, recognised by its first bytes. The file name is not considered.
package struct FileFormat {
  /// The formats whose tags and headers are read without libavformat.
  enum Kind {
    case mpeg, flac, vorbis, opus, speex, oggFLAC, mp4, asf, wave, aiff, dsf, dsdiff, monkeysAudio, musepack, wavPack
    case trueAudio
  }

  let kind: Kind
  /// The position at which the audio begins, after the ID3v2 tags before it.
  package private(set) var audioStart: Int64 = 0
  /// The position of the tag at the end of a DSF file.
  private(set) var tagStart: Int64 = 0

  /// The maximum number of ID3v2 tags before the audio. More than one is an error, but such files exist.
  static let maximumLeadingTags = 4

  /// Returns nil if the format is not recognised.
  package init?(_ file: FileInput) {
    guard let size = file.size else { return nil }
    for _ in 0..<Self.maximumLeadingTags {
      guard let header = ID3v2Tag.Header(file, at: audioStart) else { break }
      audioStart = header.end
    }
    let found = Self.kind(file.bytes(at: audioStart, count: 64))
    if audioStart > 0 {
      kind =
        switch found {
        case .flac, .trueAudio, .monkeysAudio, .musepack, .wavPack: found ?? .mpeg
        case .mpeg, .vorbis, .opus, .speex, .oggFLAC, .mp4, .asf, .wave, .aiff, .dsf, .dsdiff, nil: .mpeg
        }
    } else if let found {
      kind = found
    } else {
      return nil
    }
    if kind == .dsf {
      guard let tag = file.littleEndian(at: 20), tag > 0, tag < size else { return nil }
      tagStart = tag
    }
  }

  /// Returns the position after the metadata blocks of the FLAC stream at `start` (RFC 9639, 8.1).
  static func audioStart(ofFLAC file: FileInput, at start: Int64) -> Int64? {
    var position = start + 4
    for _ in 0..<CommentHeader.maximumBlocks {
      guard let head = file.bigEndian(at: position, bytes: 4) else { return nil }
      position += 4 + (head & 0xFF_FFFF)
      if head >> 31 == 1 { return position }
    }
    return nil
  }

  /// Whether TagLib reads the texts of this format, and not only its audio properties.
  var needsTagLib: Bool {
    switch kind {
    case .flac, .vorbis, .opus, .speex, .oggFLAC, .mp4: true
    case .mpeg, .wave, .aiff, .dsf, .dsdiff, .monkeysAudio, .musepack, .wavPack, .trueAudio, .asf: false
    }
  }

  private static func kind(_ head: [UInt8]) -> Kind? {
    func has(_ text: StaticString, at index: Int = 0) -> Bool {
      head.count >= index + text.utf8CodeUnitCount
        && text.withUTF8Buffer { head[index..<index + $0.count].elementsEqual($0) }
    }
    if has("fLaC") { return .flac }
    if has("OggS") {
      let packet = 27 + Int(head.count > 26 ? head[26] : 0)
      return has("\u{1}vorbis", at: packet)
        ? .vorbis
        : has("OpusHead", at: packet)
          ? .opus : has("Speex   ", at: packet) ? .speex : has("\u{7F}FLAC", at: packet) ? .oggFLAC : nil
    }
    if has("ftyp", at: 4) || has("moov", at: 4) { return .mp4 }
    if head.starts(with: [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]) { return .asf }
    if has("RIFF"), has("WAVE", at: 8) { return .wave }
    if has("FORM"), has("AIF", at: 8) { return .aiff }
    if has("FRM8"), has("DSD ", at: 12) { return .dsdiff }
    if has("DSD ") { return .dsf }
    if has("MAC ") { return .monkeysAudio }
    if has("MPCK") || has("MP+") { return .musepack }
    if has("wvpk") { return .wavPack }
    if has("TTA1") { return .trueAudio }
    if head.count > 1, head[0] == 0xFF, head[1] & 0xE0 == 0xE0 { return .mpeg }
    return nil
  }
}
