// Thread: the decoding thread.
internal import SegueFFmpeg
internal import SegueSystem
internal import SegueTags
internal import SegueWire
internal import SegueWorkerProtocol

/// An open source that is decoded from a given position on.
final class MediaTrack {
  /// An item of the decoded track. Items are returned in their order.
  enum Output {
    /// Interleaved frames. `at` counts from the beginning of the track or range. The bytes are valid until the next
    /// call of `next`.
    case pcm(AudioFormat, at: Frames, UnsafeRawBufferPointer)
    /// The end of the track or range, and its exact duration. If decoding stopped before the end, `stop` is the reason.
    case end(AudioFormat, at: Frames, duration: MediaTime, stop: Failure?)
    /// A new title of a live stream; nil if it has none from here on.
    case title(String?, at: MediaTime)
  }

  let source: MediaSource
  /// The network stream; nil for a file.
  private let stream: FetchedStream?
  /// The file on a server; nil for a local file, and for a stream that has no parts that can be requested.
  let remoteFile: FetchedFile?
  let demuxer: Demuxer
  let codec: Codec
  let length: TrackLength
  let metadata: Metadata
  let chapters: [Chapter]
  /// The gain that the tags state.
  let gain: ReplayGain
  /// The format of the last decoded frame.
  private(set) var format: AudioFormat
  /// The name of the station; nil for a stream without one, and for a file.
  var station: String? { streamTitle.station }
  /// The position of the track after the audio that was returned.
  var position: MediaTime { trimmer.time }
  /// The position of the next frame of the track.
  var nextPosition: MediaTime { trimmer.nextTime }
  /// Whether the track goes on for ever.
  var isLive: Bool { demuxer.isLive }
  /// Whether the audio at the start of the file is lossless.
  let isLossless: Bool
  /// The bits of a sample at the start of the file; nil if the audio is lossy.
  let bitDepth: Int?

  private let decoder: Decoder
  private let packet = Packet()
  private let frame = Frame()
  /// Whether `frame` contains a decoded frame that was not yet returned.
  private var hasFrame: Bool
  /// Whether `packet` begins a new link of a chained stream, and is held back until the decoder has returned the
  /// previous link.
  private var beginsLink = false
  private var trimmer: Trimmer
  /// The offset in the file of the packet that was decoded last, in bytes; negative if the container does not state it.
  private var packetOffset: Int64 = -1
  /// The offset in the file behind the last damaged part that was skipped; negative before one was.
  private var damageEnd: Int64 = -1
  /// The number of searches for the end of a damaged part.
  private var damageSearches = 0
  /// The number of samples in the blocks of FLAC in Ogg, whose packets state their positions; nil for other formats.
  private let flacBlockSize: Int64?
  /// The number of the first sample in the first packet, and in the packet that was decoded last, as FLAC in Ogg states
  /// it.
  private let firstFLACSample: Int64
  private var flacSample: Int64?
  /// The trimmer and the format before anything of the track was decoded.
  private let beginning: (trimmer: Trimmer, format: AudioFormat)
  /// The relation of timestamps to frames; nil if the container has no timestamps.
  private let timeline: TrackTimeline?
  /// The positions that a seek needs; nil if the container has no timestamps.
  private var seekIndex: SeekIndex?
  private let interleaver = Interleaver()
  private var streamTitle: StreamTitle
  private let observer = StreamObserver()
  private var converter: FormatConverter
  private var damage = DecodingDamage()

  /// The number of consecutive read errors after which the file is considered unreadable.
  private static let maximumReadErrors = 16
  /// The maximum number of searches for the ends of damaged parts, each of which may read megabytes.
  private static let maximumDamageSearches = 256

  /// Opens `source` so that its first output begins `start` after the beginning of the track or range. A live stream
  /// begins at its current position. `examination` states how much of a file may be read for its length.
  static func open(
    _ source: MediaSource, _ input: MediaInput, start: MediaTime, _ examination: Examination
  ) throws(MediaError) -> MediaTrack {
    guard case .stream(let client) = input, client.sendsParts == nil else {
      return try openSought(source, input, start, examination)
    }
    // Another position than the beginning is itself a part.
    client.canDoWithoutParts = start <= .zero
    defer { client.canDoWithoutParts = false }
    do throws(MediaError) {
      let track = try openSought(source, input, start, examination)
      if client.sendsParts != false { return track }
    } catch {
      guard client.sendsParts == false else { throw error }
    }
    // Its server does not send the end of the file, where tags and the length are looked for, but may send the whole
    // file.
    return try openSought(source, input, start, examination)
  }

  private static func openSought(
    _ source: MediaSource, _ input: MediaInput, _ start: MediaTime, _ examination: Examination
  ) throws(MediaError) -> MediaTrack {
    let track = try MediaTrack(source, input, start, examination)
    if try track.seek() { return track }
    // The seek failed halfway. The source is opened again, and the trimmer drops everything before `start`.
    guard track.demuxer.file != nil || track.demuxer.seeksInSegments else {
      throw .failed(Failure(.notSeekable, "this stream is not seekable"))
    }
    return try MediaTrack(
      source, track.remoteFile.map(MediaInput.remoteFile) ?? input, start, examination,
      reading: track.wantedSegments)
  }

  /// The time in a recorded stream of HLS from which segments are needed. If they state no time, libavformat does not
  /// find a position among them, but the manifest does.
  private var wantedSegments: MediaTime {
    guard observer.areUntimed else { return .zero }
    return max(.zero, trimmer.rate.time(of: Frames(trimmer.first.count - codec.preroll(at: trimmer.rate))))
  }

  /// Opens the source and decodes the first frame. Only the first frame shows whether the source can be decoded, and
  /// its format. Of a recorded stream of HLS, the segments before `wanted` are left out.
  private init(
    _ source: MediaSource, _ input: MediaInput, _ start: MediaTime, _ examination: Examination,
    reading wanted: MediaTime = .zero
  ) throws(MediaError) {
    /// The time in the stream at which the demuxer begins.
    var offset = MediaTime.zero
    switch input {
    case .file(let file):
      if file.size == 0 { throw .unplayable("an empty file") }
      demuxer = try Demuxer(file: file, name: source.name)
      (stream, remoteFile) = (nil, nil)
    case .remoteFile(let file):
      demuxer = try Demuxer(file: FileInput(file), name: file.resource.fileName)
      (stream, remoteFile) = (nil, file)
    case .stream(let client):
      let stream = try FetchedStream(client, client.url)
      if let remote = FetchedFile(stream, client) {
        demuxer = try Demuxer(file: FileInput(remote), name: stream.resource.fileName)
        (self.stream, remoteFile) = (nil, remote)
      } else {
        var bytes: any RemoteBytes = stream
        if wanted > .zero, let rest = try ManifestRest(of: stream, containing: wanted) {
          (bytes, offset) = (rest, rest.beginning)
        } else if stream.size == nil, !stream.isSeekable {
          bytes = try StationStart(of: stream)
        }
        demuxer = try Demuxer(
          StreamInput(
            url: stream.resource.url, isStation: stream.resource.isStation, manifest: stream.resource.manifest,
            observer.observe(bytes, of: stream.resource.url), beginning: offset,
            isInterrupted: { client.isInterrupted }
          ) { [observer] (url, start) throws(MediaError) in
            observer.observe(try FetchedStream(client, url, from: start), of: url)
          })
        (self.stream, remoteFile) = (stream, nil)
      }
    }
    self.source = source
    decoder = try Decoder(for: demuxer)
    // The tags are not stored: with them, TagLib would keep the pictures in memory during playback.
    let tags = try FileTags.of(demuxer)
    streamTitle = StreamTitle(stationName: stream?.resource.stationName)
    metadata = demuxer.isLive ? streamTitle.take(tags.metadata) : tags.metadata
    observer.links.removeFirst()
    chapters = source.isWhole ? tags.chapters(or: demuxer) : []
    gain = tags.gain
    guard let first = try Self.decodeFirstFrame(demuxer, decoder, packet, frame) else {
      if let size = demuxer.flacSampleSize, size > FFmpegLibrary.maximumFLACSampleSize {
        throw .unplayable("this version of FFmpeg does not decode FLAC with samples of \(size) bits")
      }
      guard let file = demuxer.file else { throw .unplayable("no audio could be decoded from the stream") }
      throw .failed(FileDiagnosis(file).failureToDecode)
    }
    codec = first.codec
    format = first.format
    flacBlockSize = first.flacSample == nil ? nil : demuxer.flacBlockSize
    firstFLACSample = first.flacSample ?? 0
    converter = FormatConverter(first: first.format, isEndless: demuxer.hasUnknownEnd)
    let rate = first.format.rate
    isLossless = codec.isLossless(decoder, isHybrid: first.isHybrid)
    bitDepth = isLossless ? codec.bitDepth(decoder, demuxer) : nil
    hasFrame = true
    packetOffset = first.packetOffset
    length = TrackLength(
      demuxer, codec: codec, rate: rate, first: frame, firstPacket: first.packetOffset, tags: tags, examination)

    // Delay that is not marked appears as negative time. If the time exceeds the delay of any encoder, it is ignored.
    let delay = frame.skip?.front ?? 0
    let timeBase = demuxer.timeBase
    let pts = frame.pts
    let isVorbis = codec == .vorbis && demuxer.formatName == "ogg"
    let stated = length.hasReliableTimestamps ? pts.map { timeBase.convert($0, to: TimeBase(rate)) } ?? 0 : 0
    let early = (-TrackLength.maximumDelay * Int64(rate.hertz)..<0).contains(stated) ? stated : 0
    let position =
      offset > .zero
      ? rate.frames(in: offset).count : delay > 0 ? -delay : length.tagDelay > 0 ? -length.tagDelay : early
    let grid = codec.grid(firstCount: frame.count)
    // libavformat assumes too great a length of the first block of a short Vorbis stream, and derives a wrong timestamp
    // from it. The granules of a stream begin at 0.
    let isMisplaced = isVorbis && (0..<8192).contains(pts ?? -1)
    timeline = pts.map {
      TrackTimeline(
        timeBase: timeBase, rate: rate, firstTimestamp: isMisplaced ? 0 : $0, firstFrame: position, grid: grid)
    }
    trimmer = Trimmer(
      rate: rate, start: rate.frames(in: source.rangeStart), end: source.rangeEnd.map { rate.frames(in: $0) },
      limit: length.limit, position: position)
    beginning = (trimmer, format)
    // A stream that may be live begins at its current position, regardless of `start`.
    if !demuxer.hasUnknownEnd { trimmer.skip(rate.frames(in: start)) }
    seekIndex = timeline.map {
      SeekIndex(
        demuxer, codec, rate, firstTimestamp: $0.timestamp(of: position), firstPacketOffset: first.packetOffset,
        length: length.length)
    }
    remoteFile?.keepBytes()
  }

  private static func decodeFirstFrame(
    _ demuxer: Demuxer, _ decoder: Decoder, _ packet: Packet, _ frame: Frame
  ) throws(MediaError) -> (
    format: AudioFormat, packetOffset: Int64, isHybrid: Bool, codec: Codec, flacSample: Int64?
  )? {
    var packetOffset: Int64?
    var flacSample: Int64?
    let flacBlockSize = demuxer.formatName == "ogg" ? demuxer.flacBlockSize : nil
    var isHybrid = false
    var codec = demuxer.codec
    while true {
      switch decoder.receive(frame) {
      case .frame:
        guard frame.count > 0 else { continue }
        if let format = Interleaver.target(of: frame) {
          return (format, packetOffset ?? -1, isHybrid, codec, flacSample)
        }
        if let refusal = Interleaver.refusal(of: frame) { throw refusal }
      case .ended: return nil
      case .undecodable: continue
      case .needsPacket:
        guard try demuxer.read(packet) else {
          _ = decoder.send(nil)
          continue
        }
        if packetOffset == nil { packetOffset = packet.position }
        if packet.isEncrypted { throw .unplayable("the file is encrypted (DRM)") }
        isHybrid = codec.isHybrid(packet.bytes)
        flacSample = flacBlockSize.flatMap { FLACFrameHeader(packet.bytes, $0)?.first }
        if codec.isMPEG, let header = MPEGFrameHeader(packet.bytes) { codec = .mpeg(layer: header.layer) }
        _ = decoder.send(packet)
        packet.unref()
      }
    }
  }

  /// Decodes and returns the next item.
  func next() throws(MediaError) -> Output {
    if let rest = converter.remainder() { return .pcm(rest.format, at: rest.at, rest.bytes) }
    while !trimmer.isComplete {
      if !hasFrame { hasFrame = try decode() }
      guard hasFrame else { break }
      if let tag = demuxer.takeTimedMetadata() { observer.handle(packet: tag) }
      if let change = streamTitle.poll(
        demuxer, icyMetadata: stream?.metadata, timed: observer.title, links: &observer.links)
      {
        return .title(change.title, at: trimmer.time)
      }
      guard let format = Interleaver.target(of: frame) else {
        hasFrame = false
        continue
      }
      if let rest = converter.drain(before: format) { return .pcm(rest.format, at: rest.at, rest.bytes) }
      hasFrame = false
      if format.rate != self.format.rate { trimmer.change(to: format.rate) }
      self.format = format
      // A delay after the start belongs to another link of a chained stream.
      let delay = trimmer.isPastStart && length.limit == nil ? frame.skip?.front ?? 0 : 0
      if packetOffset >= 0, packetOffset < length.limitOffset { trimmer.liftLimit(before: frame.count) }
      let cut = trimmer.take(count: frame.count, delay: delay, padding: length.limit == nil ? padding : 0)
      guard cut.count > 0 else { continue }
      let bytes = interleaver.interleave(frame, from: cut.offset, count: cut.count)
      if let output = try converter.convert(bytes, of: format, at: cut.trackFrame) {
        return .pcm(output.format, at: output.at, output.bytes)
      }
    }
    if let rest = converter.drain(before: nil) { return .pcm(rest.format, at: rest.at, rest.bytes) }
    guard trimmer.end > .zero else {
      if source.rangeStart > .zero { throw .unplayable("the track begins after the end of the file") }
      throw .unplayable("an empty track: it ends before it begins")
    }
    let target = converter.target
    let duration = format.rate.time(of: trimmer.end)
    return .end(
      target, at: target.rate == format.rate ? trimmer.end : target.rate.frames(in: duration), duration: duration,
      stop: trimmer.isComplete && (length.earlyEnd == nil || trimmer.hasReachedRangeEnd)
        ? nil : reasonOfEnd(at: duration))
  }

  /// Returns the reason why audio is missing at the end of the input or before it; nil if none is.
  private func reasonOfEnd(at duration: MediaTime) -> Failure? {
    if demuxer.file != nil { return damage.failure(at: duration, of: statedLength) }
    return demuxer.omission.map {
      Failure(.decodingStopped, "a part of the stream is missing: \($0.localizableMessage)")
    }
  }

  /// The number of frames at the end of the decoded frame that are padding.
  private var padding: Int64 {
    guard length.hasReliablePadding, let marked = frame.skip?.back else { return 0 }
    // libavformat counts Matroska's padding at the rate that the track states, which can be any rate for Opus.
    let stated = demuxer.statedSampleRate
    guard codec == .opus, demuxer.formatName == "matroska,webm", stated > 0 else { return marked }
    return (marked * Int64(frame.rate.hertz) + stated / 2) / stated
  }

  /// Decodes the next frame into `frame`. Returns false at the end.
  private func decode() throws(MediaError) -> Bool {
    var readErrors: [Failure] = []
    while true {
      switch decoder.receive(frame) {
      case .frame:
        guard frame.count > 0 else { continue }
        damage.recordDecodedFrame()
        return true
      case .ended:
        guard beginsLink else { return false }
        // The packet that was held back begins another link of a chain, which does not depend on the previous link.
        beginsLink = false
        decoder.flush()
        sendPacket()
      case .undecodable: damage.recordDamage(of: packet, codec: codec, bitDepth: bitDepth)
      case .needsPacket:
        do throws(MediaError) {
          guard try demuxer.read(packet) else {
            damage.recordEndOfInput()
            _ = decoder.send(nil)
            continue
          }
          readErrors = []
          if try skipJunk() { continue }
        } catch {
          try handleReadError(error, &readErrors)
          continue
        }
        demuxer.readAhead()
        if packet.hasDelay {
          beginsLink = true
          _ = decoder.send(nil)
          continue
        }
        sendPacket()
      }
    }
  }

  /// If the packet begins with bytes between the frames of an MPEG file, removes them: libavformat returns them
  /// together with the frame behind them, and the decoder rejects both, although the timestamps count that frame. If
  /// they are the tags between files that were joined, continues behind them and returns true: libavformat looks for
  /// frames in them, and finds some in a picture.
  private func skipJunk() throws(MediaError) -> Bool {
    guard codec.isMPEG, demuxer.formatName == "mp3", MPEGFrameHeader(packet.bytes) == nil else { return false }
    if packet.position >= 0, let file = demuxer.file, let end = MPEGFrameIndex.endOfTags(file, at: packet.position) {
      packet.unref()
      try demuxer.seek(toByte: end)
      return true
    }
    if let count = MPEGFrameHeader.junk(before: packet.bytes) { packet.removeFirst(count) }
    return false
  }

  private func sendPacket() {
    packetOffset = packet.position
    flacSample = flacBlockSize.flatMap { FLACFrameHeader(packet.bytes, $0)?.first }
    if !decoder.send(packet) { damage.recordDamage(of: packet, codec: codec, bitDepth: bitDepth) }
    packet.unref()
  }

  /// Handles a read error. A file may be readable again after a damaged part. After too many errors since the last
  /// packet, which are `previous`, the track ends, and the first of them is the reason.
  private func handleReadError(_ error: MediaError, _ previous: inout [Failure]) throws(MediaError) {
    guard case .failed(let failure) = error, demuxer.file?.hasChanged != true else { throw error }
    // Another attempt to read a lost connection or a disk that does not respond does not help.
    guard let file = demuxer.file, !file.isRemote || failure.kind == .damaged else {
      throw .failed(
        Failure(
          failure.kind,
          "the stream ended unexpectedly after \(trimmer.time.clock): \(failure.localizableMessage)"))
    }
    previous.append(failure)
    if previous.count < Self.maximumReadErrors { return try skipDamage(in: file) }
    damage.recordReadError(previous[0])
    damage.recordEndOfInput()
    _ = decoder.send(nil)
  }

  /// Continues behind the damaged part of a file where libavformat finds no packet. It does not look for the next one
  /// itself in WavPack, unlike in other formats. Blocks may state sizes that include the blocks behind them, and each
  /// of them is read again.
  private func skipDamage(in file: FileInput) throws(MediaError) {
    guard demuxer.formatName == "wv", damageSearches < Self.maximumDamageSearches else { return }
    damageSearches += 1
    guard let next = WavPackBlocks.next(in: file, after: max(packetOffset, damageEnd)) else { return }
    damageEnd = next
    try demuxer.seek(toByte: next)
  }

  // MARK: Seeking

  /// The distance up to which decoding from the start takes no longer than a seek.
  private static let nearDistance = MediaTime.seconds(1)

  /// Whether the first wanted frame is too far from the beginning of the file to decode everything before it.
  private var isFarFromBeginning: Bool {
    trimmer.first.count - codec.preroll(at: trimmer.rate) > trimmer.rate.frames(in: Self.nearDistance).count
  }

  /// Continues `start` after the beginning of the track or range, which takes less time than opening the source again.
  /// Returns false if that is not possible or of no use. Then this track must not be used any more.
  func restart(at start: MediaTime) throws(MediaError) -> Bool {
    guard isStillOpen, !demuxer.hasReadError, seekIndex?.isApproximate == false else { return false }
    (trimmer, format) = beginning
    trimmer.skip(trimmer.rate.frames(in: start))
    guard isFarFromBeginning else { return false }
    converter = FormatConverter(first: format, isEndless: false)
    hasFrame = false
    return try seek()
  }

  /// Whether the file that this track reads can still be read, and a local file has not changed.
  private var isStillOpen: Bool {
    if let remoteFile { remoteFile.isUsable } else { demuxer.file?.isUnchanged == true }
  }

  /// Seeks to the position from which the first wanted frame can be decoded, if that is far away. If the container or
  /// the codec does not allow an exact seek, returns false, and this track must not be used any more.
  private func seek() throws(MediaError) -> Bool {
    guard isFarFromBeginning else { return true }
    let rate = trimmer.rate
    let preroll = codec.preroll(at: rate)
    let target = trimmer.first.count
    guard let timeline, !codec.needsDecodingFromStart, !demuxer.rendersNotes, !demuxer.isChained,
      !demuxer.hasFragments, length.hasReliableTimestamps, !length.hasSeveralLinks, !observer.areUntimed
    else { return false }
    guard let latest = seekIndex?.prepare(to: target - preroll, for: target) else { return false }
    // A container should seek to the requested position or before it. If it does not, an earlier position is requested.
    for margin in [Int64(0), 2 * Int64(rate.hertz), 10 * Int64(rate.hertz)] {
      let from = max(latest - margin, trimmer.origin)
      guard try demuxer.seek(to: timeline.timestamp(of: from)) else { return false }
      flush()
      guard try decodeFrameWithTimestamp(), let pts = frame.pts else { continue }
      // The timestamp counts frames of several rates.
      if demuxer.countsFrames, frame.rate != rate { return false }
      // libavformat may assign the timestamp of another packet to the first one after a seek to the same page of Ogg.
      let position = flacSample.map { trimmer.origin + $0 - firstFLACSample } ?? timeline.frame(at: pts)
      if position <= target - preroll {
        trimmer.seek(to: position)
        hasFrame = true
        return true
      }
    }
    return false
  }

  /// Discards the state of the decoder before a seek.
  private func flush() {
    decoder.flush()
    beginsLink = false
    packet.unref()
    damage = DecodingDamage()
    damageEnd = -1
  }

  /// Decodes frames until one has a timestamp. Returns false at the end.
  private func decodeFrameWithTimestamp() throws(MediaError) -> Bool {
    while try decode() {
      if frame.pts != nil, Interleaver.target(of: frame) != nil { return true }
    }
    return false
  }
}
