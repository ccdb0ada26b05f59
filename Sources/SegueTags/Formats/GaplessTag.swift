internal import SegueFFmpeg

/// The delay and the length of the audio as encoders state them.
struct GaplessTag: Equatable {
  /// The number of delay frames before the audio.
  var delay: Int64
  /// The number of frames of audio; nil if the tag states only the delay.
  var count: Int64?

  /// The additional delay of a decoder of MPEG audio layer 3 in frames, which is LAME's DECDELAY plus one.
  static let layer3Delay: Int64 = 528 + 1

  /// The Xing, Info, LAME or VBRI tag in the first frame of an MPEG audio layer 3 stream. The delay is that of the
  /// encoder, without the decoder's delay. `frameCount` counts MPEG frames, which include delay and padding.
  struct Xing: Equatable {
    var frameCount: Int64?
    var byteCount: Int64?
    var delayAndPadding: (delay: Int64, padding: Int64)?
    /// Whether the tag is named "Info", which LAME writes for constant bit rates.
    var isConstantRate = false
    /// Whether the checksum of LAME confirms the numbers. FFmpeg writes a wrong one in files of one channel.
    var hasValidChecksum = false

    static func == (a: Xing, b: Xing) -> Bool {
      a.frameCount == b.frameCount && a.byteCount == b.byteCount && a.isConstantRate == b.isConstantRate
        && a.delayAndPadding?.delay == b.delayAndPadding?.delay
        && a.delayAndPadding?.padding == b.delayAndPadding?.padding
    }

    init?(_ frame: [UInt8], header: MPEGFrameHeader) {
      // VBRI is 32 bytes after the header. Encoders disagree whether its frame count includes its own frame. Therefore
      // the count is not used.
      if frame.count >= 50, frame[36..<40].elementsEqual("VBRI".utf8) {
        byteCount = frame[46..<50].reduce(0) { $0 << 8 | Int64($1) }
        return
      }
      var at = header.sideInfoEnd
      guard frame.count >= at + 8 else { return nil }
      let magic = frame[at..<at + 4]
      guard magic.elementsEqual("Xing".utf8) || magic.elementsEqual("Info".utf8) else { return nil }
      isConstantRate = magic.elementsEqual("Info".utf8)
      func word(_ index: Int) -> Int64? {
        guard frame.count >= index + 4 else { return nil }
        return frame[index..<index + 4].reduce(0) { $0 << 8 | Int64($1) }
      }
      let flags = frame[at + 7]
      at += 8
      if flags & 1 != 0 {
        frameCount = word(at)
        at += 4
      }
      if flags & 2 != 0 {
        byteCount = word(at)
        at += 4
      }
      if flags & 4 != 0 { at += 100 }
      if flags & 8 != 0 { at += 4 }
      // The encoder's name takes 9 bytes, and 12 bytes precede the two 12-bit numbers. The checksum is of everything
      // before it. libavformat considers delay and padding only if they are of one of these encoders.
      guard frame.count >= at + 36,
        ["LAME", "Lavf", "Lavc"].contains(where: { frame[at..<at + 4].elementsEqual($0.utf8) })
      else { return }
      hasValidChecksum =
        frame.withUnsafeBytes { Checksum.lameTag.compute(UnsafeRawBufferPointer(rebasing: $0[..<(at + 34)])) }
        == UInt32(frame[at + 34]) << 8 | UInt32(frame[at + 35])
      let packed = frame[at + 21..<at + 24].reduce(0) { $0 << 8 | Int64($1) }
      delayAndPadding = (packed >> 12, packed & 0xFFF)
    }
  }
}

extension GaplessTag {
  /// Parses `iTunSMPB`: hexadecimal numbers, of which the second is the delay, the third the padding, and the fourth
  /// the length.
  init?(iTunSMPB text: String) {
    let words = text.split(separator: " ").map { Int64($0, radix: 16) }
    guard words.count >= 4, let delay = words[1], let count = words[3], (0...65_536).contains(delay), count > 0 else {
      return nil
    }
    self.init(delay: delay, count: count)
  }
}
