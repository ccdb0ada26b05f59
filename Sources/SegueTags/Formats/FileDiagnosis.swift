// Thread: the decoding thread.
package import SegueFFmpeg
internal import SegueSystem
package import SegueWire

/// A diagnosis of a file that cannot be opened or decoded. It is based on the bytes of the file, because the error
/// codes of libavformat do not help a user.
package struct FileDiagnosis {
  private let file: FileInput

  package init(_ file: FileInput) { self.file = file }

  /// The reason why libavformat cannot open the file; nil if the bytes do not show it.
  var failureToOpen: Failure? {
    if isZero { return damaged("it contains zeros instead of audio") }
    if isMovie { return movieFailure }
    guard let format = FileFormat(file) else { return ForeignContent(file)?.failure }
    guard format.audioStart > 0 else {
      return Self.name(format.kind).map { damaged("its \($0) header cannot be read, or no audio follows it") }
    }
    guard let size = file.size, format.audioStart < size else {
      return damaged("it ends within its ID3 tag, before any audio")
    }
    return damaged("no audio follows its ID3 tag")
  }

  /// The reason why the file was opened, but none of it can be decoded.
  package var failureToDecode: Failure {
    if isZero { return damaged("it contains zeros instead of audio") }
    if isMovie, let failure = movieFailure { return failure }
    // libavformat may have recognised the format by the file name only.
    guard FileFormat(file) != nil else {
      return ForeignContent(file)?.failure
        ?? Failure(.unplayable, "none of it can be decoded: it is not audio, or it is damaged")
    }
    return damaged("none of its audio can be decoded; it may be truncated")
  }

  /// The failure of a file of Windows Media whose header states that a stream is encrypted, of which libavcodec would
  /// make noise; nil if there is none.
  var encryption: Failure? {
    ASFHeader(file)?.isEncrypted == true ? Failure(.unplayable, "the file is encrypted (DRM)") : nil
  }

  private func damaged(_ detail: LocalizableMessage) -> Failure { Failure(.damaged, "the file is damaged: \(detail)") }

  private var isZero: Bool {
    let head = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
      count = file.peek(at: 0, into: UnsafeMutableRawBufferPointer(buffer))
    }
    return head.count >= 16 && head.allSatisfy { $0 == 0 }
  }

  /// Returns the name of a format; nil for formats without a header.
  private static func name(_ kind: FileFormat.Kind) -> String? {
    switch kind {
    case .flac: "FLAC"
    case .vorbis, .opus, .speex, .oggFLAC: "Ogg"
    case .asf: "WMA"
    case .wave: "WAV"
    case .aiff: "AIFF"
    case .dsf: "DSF"
    case .dsdiff: "DSDIFF"
    case .monkeysAudio: "Monkey's Audio"
    case .musepack: "Musepack"
    case .wavPack: "WavPack"
    case .trueAudio: "TTA"
    case .mp4: "MP4"
    case .mpeg: nil
    }
  }

  // MARK: MP4 (ISO/IEC 14496-12, 4.2)

  private var isMovie: Bool { ["ftyp", "moov", "mdat"].contains(boxType(at: 4)) }

  private func boxType(at position: Int64) -> String? {
    file.bigEndian(at: position, bytes: 4).map { String(decoding: Box.letters(of: $0), as: UTF8.self) }
  }

  /// The failure of an MP4 file of which a box, such as the index `moov`, is missing or truncated.
  private var movieFailure: Failure? {
    guard let end = file.size else { return nil }
    var position: Int64 = 0
    var hasIndex = false
    // A fragmented file has two boxes per fragment.
    for _ in 0..<4096 {
      guard position + 8 <= end, let type = boxType(at: position + 4),
        let short = file.bigEndian(at: position, bytes: 4)
      else { break }
      let size = short == 1 ? file.bigEndian(at: position + 8, bytes: 8) ?? 0 : short
      let (next, overflows) = position.addingReportingOverflow(size == 0 ? end - position : size)
      guard next >= position + 8 else { break }
      let isTruncated = overflows || next > end
      if type == "moov" {
        if isTruncated { return damaged("its MP4 index is truncated") }
        hasIndex = true
      }
      if isTruncated {
        return damaged(
          hasIndex ? "it ends before its audio does" : "its MP4 index is missing because the file is truncated")
      }
      position = next
    }
    return hasIndex ? nil : damaged("its MP4 index is missing")
  }
}
