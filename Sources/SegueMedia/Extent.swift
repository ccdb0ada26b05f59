internal import CFFmpeg
internal import SegueSystem
internal import SegueWire

/// How long the audio of a source is, before any of it but the first frame was decoded, and how surely.
struct Extent {
  /// Frames the container states beyond doubt: what decodes beyond them is padding.
  var limit: Frames?
  /// The likely length.
  var length: MediaTime?
  var kind = DurationKind.estimated
  /// Frames of delay that only a tag knows of and libavformat does not mark.
  var tagDelay: Int64 = 0
  var gapless = Audio.Gapless.approximate

  /// `delay` is what libavformat marked on the first frame, `rate` that of the decoded frames, `firstPacket` the offset
  /// of the first packet in the file.
  init(_ demuxer: Demuxer, codec: Codec, rate: SampleRate, delay: Int64, firstPacket: Int64, tags: FileTags) {
    let stream = demuxer.stream.pointee
    if let duration = stream.duration.timestamp, duration > 0 {
      length = rate.time(of: Self.frames(duration, stream.time_base, rate))
    } else if let duration = demuxer.context.pointee.duration.timestamp, duration > 0 {
      length = MediaTime(nanoseconds: duration.multipliedReportingOverflow(by: 1000).partialValue)
    }
    if codec.isLossless { gapless = .exact }
    switch demuxer.formatName {
    case "mov,mp4,m4a,3gp,3g2,mj2": stateMovie(demuxer, rate, tags, delay)
    case "mp3": stateMPEG(demuxer, rate, tags, delay, firstPacket)
    case "ogg": stateOgg(demuxer, codec, rate, delay)
    case "flac", "aiff", "wv", "ape", "tta", "tak", "caf", "au", "w64", "rf64", "iff":
      if length != nil { kind = .exact }
    case "mpc", "mpc8": stateMusepack(demuxer, rate)
    case "dsf": stateDSF(demuxer, rate)
    case "wav": stateWave(demuxer, rate, firstPacket)
    case "matroska,webm":
      if codec.id == AV_CODEC_ID_OPUS, delay > 0 { gapless = .exact }
    default: break
    }
    if demuxer.isLive {
      length = nil
      kind = .unbounded
    }
    // A header cannot mean years, nor nothing: then the frames speak for themselves.
    let longest = rate.frames(in: .longest)
    if let stated = limit, !(Frames(Int64(1))..<longest).contains(stated) { limit = nil }
    if !(0..<Self.mostDelay * Int64(rate.hertz)).contains(tagDelay) { tagDelay = 0 }
    if let stated = length, !(MediaTime(nanoseconds: 1)..<MediaTime.longest).contains(stated) {
      length = nil
      kind = .estimated
    }
  }

  /// In seconds: more than any encoder's.
  static let mostDelay: Int64 = 4

  private mutating func stateMovie(_ demuxer: Demuxer, _ rate: SampleRate, _ tags: FileTags, _ delay: Int64) {
    let stream = demuxer.stream.pointee
    if let tag = tags.iTunSMPB, let count = tag.count {
      limit = Frames(count)
      tagDelay = delay == 0 ? tag.delay : 0
      gapless = .exact
    } else if let header = demuxer.file.flatMap({ MovieHeader($0, track: stream.id) }),
      let scale = Int32(exactly: header.timescale)
    {
      limit = Self.frames(header.length, AVRational(num: 1, den: scale), rate)
      if delay > 0 { gapless = .exact }
    } else if let duration = stream.duration.timestamp, duration > 0 {
      limit = Self.frames(duration, stream.time_base, rate)
      if delay > 0 { gapless = .exact }
    }
    guard let limit else { return }
    length = rate.time(of: limit)
    kind = .exact
  }

  private mutating func stateMPEG(
    _ demuxer: Demuxer, _ rate: SampleRate, _ tags: FileTags, _ delay: Int64, _ firstPacket: Int64
  ) {
    kind = .estimated
    let xing = demuxer.file.flatMap(GaplessTag.Xing.read)
    lazy var index = demuxer.file.flatMap { MPEGIndex($0, from: firstPacket) }
    if delay == 0, let tag = tags.iTunSMPB, let count = tag.count {
      tagDelay = tag.delay + GaplessTag.layer3Delay
      limit = Frames(count)
      gapless = .exact
      length = rate.time(of: Frames(count))
      kind = .exact
    } else if let (tag, header) = xing, let frames = tag.frameCount, frames > 0 {
      var count = frames * Int64(header.samples)
      if delay > 0, let (encoder, padding) = tag.delayAndPadding {
        count -= encoder + padding
        gapless = .exact
      }
      length = rate.time(of: Frames(max(0, count)))
      kind = .exact
    } else if let index, index.isComplete {
      length = rate.time(of: Frames(Int64(index.count) * Int64(index.samples)))
      kind = .exact
    } else if let file = demuxer.file, let likely = index?.length(of: file, rate: rate) {
      length = likely
    }
  }

  private mutating func stateOgg(_ demuxer: Demuxer, _ codec: Codec, _ rate: SampleRate, _ delay: Int64) {
    let stream = demuxer.stream.pointee
    // In a chain libavformat knows the padding of the last link only, and that not always.
    guard let file = demuxer.file, !OggPages.isChained(file), let duration = stream.duration.timestamp, duration > 0
    else {
      length = nil
      return
    }
    // The last granule, which for Opus counts the pre-skip. It is the limit also because libavformat, where a file has
    // one page only, marks a block too much as padding.
    let count = Self.frames(duration, stream.time_base, rate)
    limit = codec.id == AV_CODEC_ID_OPUS ? max(.zero, count - Frames(delay)) : count
    length = limit.map(rate.time(of:))
    kind = .exact
    gapless = .exact
  }

  private mutating func stateMusepack(_ demuxer: Demuxer, _ rate: SampleRate) {
    tagDelay = MusepackHeader.decoderDelay
    gapless = .exact
    guard let header = demuxer.file.flatMap(MusepackHeader.init) else { return }
    tagDelay += header.silence
    limit = Frames(max(0, header.count - header.silence))
    length = limit.map(rate.time(of:))
    kind = .exact
  }

  /// A wave header's size can be anything; the file's is a fact.
  private mutating func stateWave(_ demuxer: Demuxer, _ rate: SampleRate, _ firstPacket: Int64) {
    let parameters = demuxer.parameters
    if let size = demuxer.file?.size, parameters.block_align > 0, Codec(id: parameters.codec_id).isPCM {
      let most = rate.time(of: Frames((size - max(0, firstPacket)) / Int64(parameters.block_align)))
      length = min(length ?? most, most)
    }
    if length != nil { kind = .exact }
  }

  /// The header counts bits of one channel; the last block is padded.
  private mutating func stateDSF(_ demuxer: Demuxer, _ rate: SampleRate) {
    guard let count = demuxer.file?.littleEndian(at: 64), count > 0 else { return }
    limit = Frames(count / 8 + (count % 8 > 0 ? 1 : 0))
    length = limit.map(rate.time(of:))
    kind = .exact
  }

  /// `value` is more than zero.
  static func frames(_ value: Int64, _ base: AVRational, _ rate: SampleRate) -> Frames {
    let frames = av_rescale_q(value, base, AVRational(num: 1, den: Int32(rate.hertz)))
    // What does not fit comes back as the least number there is.
    return Frames(frames < 0 ? Int64.max : frames)
  }
}
