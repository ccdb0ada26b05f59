// Thread: the decoding thread.
internal import SegueFFmpeg
internal import SegueSystem
internal import SegueWire

/// The length of the audio of an Ogg file, by its granules if they fit its packets, and otherwise by its packets.
struct OggLength {
  /// The number of frames; nil if it is not certain, and if libavformat marks delay and padding.
  private(set) var limit: Frames?
  private(set) var length: MediaTime?
  private(set) var kind = DurationKind.estimated
  /// The length that the granules of a file with missing parts state.
  private(set) var promised: MediaTime?
  /// The reason why less may be decoded than the granules state.
  private(set) var shortfall = Shortfall.missingPart
  /// The delay in frames that libavformat does not mark.
  private(set) var tagDelay: Int64 = 0
  /// Whether the granules state the time.
  private(set) var hasReliableTimestamps = true
  /// Whether the file has several links, in each of which the granules restart. libavformat does not notice that a link
  /// begins if it has the serial number of the first one.
  private(set) var hasSeveralLinks = false
  /// The position in the file before which `limit` is not reached if it is correct.
  private(set) var limitOffset: Int64 = 0

  /// Determines the length of the stream of `file` that `demuxer` has opened. `first` is the first decoded frame, and
  /// `begin` is its position as libavformat states it: without the pre-skip for Opus, and always 0 for FLAC.
  init(
    _ file: FileInput, _ demuxer: Demuxer, _ codec: Codec, _ rate: SampleRate, _ first: Frame, begin: Int64,
    _ examination: Examination
  ) {
    let stated = demuxer.streamDuration.flatMap {
      $0 > 0 ? rate.time(of: demuxer.timeBase.frames($0, at: rate)) : nil
    }
    switch OggSurvey.of(file, stream: Int(demuxer.streamID), examination) {
    case .plain: apply(granule: OggPages.last(file)?.granule, file, codec, rate, first, begin)
    case .complete(let contents): apply(contents, file, codec, rate, first, begin)
    // libavformat knows only the padding of the last link of a chained stream, and not always that.
    case .unknown: length = OggPages.isChained(file) ? nil : stated
    case .partial(let contents): estimate(from: contents, or: stated)
    }
  }

  /// The stated length is plausible if it is this many times as great as the one that is estimated.
  private static let plausibleRatios = 0.6...1.7

  /// Estimates the length by the `contents` of the beginning of the file. A plausible length that libavformat has
  /// `stated` is more certain if there is one link.
  private mutating func estimate(from contents: OggContents, or stated: MediaTime?) {
    hasReliableTimestamps = contents.links.allSatisfy(\.isConsistent)
    hasSeveralLinks = contents.links.count > 1
    let whole = MediaTime(seconds: OggContents.length(of: contents.links).seconds / contents.examinedShare)
    let playable = contents.playable
    if playable.count < contents.links.count {
      length = OggContents.length(of: playable)
      (promised, shortfall) = (whole, .formatChange)
    } else if contents.links.count == 1, hasReliableTimestamps, let stated, whole > .zero,
      Self.plausibleRatios.contains(stated.seconds / whole.seconds)
    {
      length = stated
    } else {
      length = whole
    }
  }

  private mutating func apply(
    _ contents: OggContents, _ file: FileInput, _ codec: Codec, _ rate: SampleRate, _ first: Frame, _ begin: Int64
  ) {
    let playable = contents.playable
    hasSeveralLinks = contents.links.count > 1
    if contents.links.count == 1, contents.isIntact, contents.links[0].isConsistent {
      apply(granule: contents.links[0].last?.granule, file, codec, rate, first, begin)
      // The beginning of a part of one of several streams depends on the others.
      if contents.hasOtherStreams, contents.links[0].start ?? 0 > 0 { kind = .estimated }
      return
    }
    length = OggContents.length(of: playable)
    hasReliableTimestamps = contents.links.allSatisfy(\.isConsistent)
    if playable.count < contents.links.count {
      promised = OggContents.length(of: contents.links)
      shortfall = .formatChange
    } else if contents.links.count > 1 {
      // Decoders of Vorbis and Speex mix the beginning of a link with the end of the previous one.
      let isExact = (codec == .opus || codec == .flac) && !contents.repeatsSerial && !contents.hasOtherStreams
      kind = isExact && contents.isIntact && hasReliableTimestamps ? .exact : .estimated
    } else if hasReliableTimestamps || contents.links[0].hasGap {
      promised = contents.links[0].statedFrames(fromStart: contents.hasDamagedPages).map {
        contents.links[0].codec.rate.time(of: Frames($0))
      }
    }
  }

  /// Derives the length from the `granule` of the last page, which states the position at which its audio ends, or
  /// where the padding begins.
  private mutating func apply(
    granule end: Int64?, _ file: FileInput, _ codec: Codec, _ rate: SampleRate, _ first: Frame, _ begin: Int64
  ) {
    guard let end, end > 0, let last = OggPages.last(file) else { return }
    // libavformat does not know the beginning of a part of a stream that has only one page.
    let hasOnePage = OggPages.firstAudio(file)?.position == last.position
    let isWhole = codec != .vorbis || OggStreamStart.isWhole(vorbis: file)
    if !isWhole, hasOnePage { return }
    let delay = first.skip?.front ?? 0
    let start =
      switch codec {
      // If the first granule of a stream is less than the pre-skip, libavformat does not consider it.
      case .opus: delay + (OggStreamStart.firstGranule(ofOpus: file) ?? (begin > 0 ? begin + delay : 0))
      // libavformat assumes too great a length of the first block of a short stream. From FFmpeg 8 on, libavcodec also
      // decodes the first block, which has no predecessor, and marks it as delay.
      case .vorbis: isWhole ? 0 : begin + delay
      case .flac: FLACLastFrame.firstSample(inOgg: file)
      default: begin
      }
    // libavformat marks one block too much as padding if the file has only one page.
    limit = Frames(max(0, end - start))
    limitOffset = max(0, last.position - Int64(OggPageHeader.maximumPageSize))
    length = limit.map(rate.time(of:))
    guard codec == .speex else {
      kind = .exact
      return
    }
    // The delay of the decoder exceeds the delay that the encoder states by a quarter of a Speex frame. Some encoders
    // end the stream without the frames that this additional delay requires, so the length is not exact.
    let frame = Int64(first.count) / Self.framesPerPacket(ofSpeex: file)
    tagDelay = frame / 4
    if hasOnePage {
      // A single page does not state the encoder's delay, which is that of narrow-band, wide-band or ultra-wide-band
      // Speex.
      tagDelay += frame <= 160 ? 40 : frame <= 320 ? 143 : 349
    } else {
      tagDelay = tagDelay.subtractingSaturated(min(0, first.pts ?? 0))
    }
  }

  /// Returns the number of frames that the first packet of a Speex stream states (The Speex Codec Manual, 7.3).
  private static func framesPerPacket(ofSpeex file: FileInput) -> Int64 {
    OggPages.Page(file, at: 0).flatMap { file.littleEndian(at: $0.body + 64, bytes: 4) }.map { $0.clamped(to: 1...64) }
      ?? 1
  }
}
