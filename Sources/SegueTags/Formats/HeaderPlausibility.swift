// Decoding thread only.
internal import SegueFFmpeg
internal import SegueSystem
internal import SegueWire

/// A comparison of what a file's headers state with the bytes that it has. Headers outlive the audio: a copy that was
/// interrupted may have them whole. Where the two disagree, only decoding tells whether there is any audio.
///
/// The check costs no system call: everything it reads was read for the tags.
struct HeaderPlausibility {
  private let file: SourceFile
  private let format: FileFormat

  /// In bits per second: less than encoders need even for silence.
  private static let leastRate = 2_000.0
  /// libavformat wants several frames of MPEG audio in a row before it takes a file for such.
  private static let leastFrames = 3
  /// In bytes, of a FLAC frame: its header, one subframe and its checksum (RFC 9639, 9).
  private static let leastFLACFrame: Int64 = 10
  /// In samples (RFC 9639, 8.2).
  private static let leastFLACBlock: Int64 = 16
  /// In bytes; the type of STREAMINFO, in the byte before its length, is 0.
  private static let streamInfoLength: Int64 = 34
  /// In bytes: the marker, and STREAMINFO with its header.
  private static let flacHeader: Int64 = 8 + streamInfoLength

  init(_ file: SourceFile, _ format: FileFormat) {
    self.file = file
    self.format = format
  }

  /// Returns whether the file is large enough for `audio` of `duration`.
  func allows(_ audio: Audio, lasting duration: MediaTime?) -> Bool {
    guard let size = file.size, let duration else { return true }
    let rest = size - format.audioStart
    let stated = Double(audio.bitRate ?? 0)
    switch format.kind {
    case .flac:
      return allowsFLAC(in: rest, SampleRate(UInt32(clamping: audio.sampleRate)).frames(in: duration).count)
    case .mpeg where audio.sampleRate > 0:
      // A second of layer 3 has as many frames as there are times 1,152 samples in it, or 576 at low rates.
      let samples = audio.sampleRate < 32_000 ? 576.0 : 1152.0
      guard Double(rest) * 8 >= Double(Self.leastFrames) * stated * samples / Double(audio.sampleRate) else {
        return false
      }
    case .wavPack:
      guard audio.channels <= 2, let length = file.bigEndian(at: format.audioStart + 4, bytes: 4),
        Int64(UInt32(truncatingIfNeeded: length).byteSwapped) + 8 <= rest
      else { return false }
    case .vorbis, .opus, .speex, .oggFLAC: guard OggPages.hasIntactHeaders(file) else { return false }
    default: break
    }
    // What lossless audio is compressed to has nothing to do with the rate that a header states.
    let least = audio.lossless ? Self.leastRate : max(stated / 2, Self.leastRate)
    return Double(rest) * 8 >= duration.seconds * least
  }

  private func allowsFLAC(in rest: Int64, _ frames: Int64) -> Bool {
    guard file.bigEndian(at: format.audioStart + 4, bytes: 4).map({ $0 & 0x7FFF_FFFF }) == Self.streamInfoLength,
      let block = file.bigEndian(at: format.audioStart + 10, bytes: 2), block >= Self.leastFLACBlock,
      let least = file.bigEndian(at: format.audioStart + 12, bytes: 3)
    else { return false }
    let blocks = max(1, frames / block)
    return rest >= Self.flacHeader + blocks * max(least, Self.leastFLACFrame)
  }
}
