// Thread: the decoding thread.
internal import SegueFFmpeg
internal import SegueSystem
internal import SegueWire

/// A comparison of a file's headers with its size. An interrupted copy of a file may have complete headers, but no
/// audio. If the comparison fails, only decoding shows whether there is audio.
///
/// It exists for correctness, and takes no measurable time: all bytes that it reads were read for the tags.
struct HeaderPlausibility {
  private let file: FileInput
  private let format: FileFormat

  /// The minimum bit rate in bits per second. Encoders need more even for silence.
  private static let minimumBitRate = 2_000.0
  /// The number of consecutive frames of MPEG audio that libavformat requires to recognise the format.
  private static let minimumFrames = 3
  /// The minimum size of a FLAC frame in bytes: its header, one subframe and its checksum (RFC 9639, 9).
  private static let minimumFLACFrameSize: Int64 = 10
  /// The minimum size of a FLAC block in samples (RFC 9639, 8.2).
  private static let minimumFLACBlockSize: Int64 = 16
  /// The size of STREAMINFO in bytes. Since the type of this block is 0, the type and the size in the block's header,
  /// read as one number, are also equal to it.
  private static let streamInfoLength: Int64 = 34
  /// The size of "fLaC", the header of STREAMINFO and STREAMINFO, in bytes.
  private static let flacHeaderSize: Int64 = 8 + streamInfoLength

  init(_ file: FileInput, _ format: FileFormat) {
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
    case .mpeg:
      // A frame of layer 3 has 1,152 samples, or 576 at low rates.
      let samples = audio.sampleRate < 32_000 ? 576.0 : 1152.0
      guard Double(rest) * 8 >= Double(Self.minimumFrames) * stated * samples / Double(audio.sampleRate) else {
        return false
      }
    case .wavPack:
      guard audio.channels <= 2, let length = file.bigEndian(at: format.audioStart + 4, bytes: 4),
        Int64(UInt32(truncatingIfNeeded: length).byteSwapped) + 8 <= rest
      else { return false }
    case .vorbis, .opus, .speex, .oggFLAC: guard OggPages.hasIntactHeaders(file) else { return false }
    case .mp4, .asf, .wave, .aiff, .dsf, .dsdiff, .monkeysAudio, .musepack, .trueAudio: break
    }
    // The size of compressed lossless audio does not depend on the stated bit rate. WavPack states none, and the bit
    // rate was derived from the size.
    let isStated = !audio.lossless && format.kind != .wavPack
    let least = isStated ? max(stated / 2, Self.minimumBitRate) : Self.minimumBitRate
    return Double(rest) * 8 >= duration.seconds * least
  }

  private func allowsFLAC(in rest: Int64, _ frames: Int64) -> Bool {
    guard file.bigEndian(at: format.audioStart + 4, bytes: 4).map({ $0 & 0x7FFF_FFFF }) == Self.streamInfoLength,
      let block = file.bigEndian(at: format.audioStart + 10, bytes: 2), block >= Self.minimumFLACBlockSize,
      let least = file.bigEndian(at: format.audioStart + 12, bytes: 3)
    else { return false }
    let blocks = max(1, frames / block)
    return rest >= Self.flacHeaderSize + blocks * max(least, Self.minimumFLACFrameSize)
  }
}
