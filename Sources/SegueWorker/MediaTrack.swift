// Decoding thread only.
internal import SegueFFmpeg
internal import SegueLink
internal import SegueSystem
internal import SegueTags
internal import SegueWire

/// A source, open and decoded from some frame on.
final class MediaTrack {
  /// What comes out, in order.
  enum Piece {
    /// Interleaved frames; `at` counts from the beginning of the track or range. Valid until the next call of `next`.
    case pcm(AudioFormat, at: Frames, UnsafeRawBufferPointer)
    /// There is no more; the track, or range, lasts exactly so long. If decoding stopped before the end, `stop` says why.
    case end(AudioFormat, at: Frames, duration: MediaTime, stop: Failure?)
    /// A live stream's title changes to this.
    case title(String, at: MediaTime)
  }

  let demuxer: Demuxer
  let decoder: Decoder
  let codec: Codec
  let packet = Packet()
  let frame = Frame()
  let extent: TrackLength
  let metadata: Metadata
  let chapters: [Chapter]
  /// What its tags state.
  let gain: ReplayGain
  let source: MediaSource
  /// That of the decoded frame that came last.
  private(set) var format: AudioFormat
  /// The depth of the samples at the start.
  let bitDepth: Int?
  var trimmer: Trimmer
  /// The packet waits until everything of the link before it has come out of the decoder.
  private var beginsLink = false
  /// A decoded frame waits in `frame`.
  var hasFrame: Bool
  /// nil if the container has no timestamps.
  let timeline: Timeline?
  /// Where the first packet lies in the file, in bytes; below zero if the container does not say.
  let firstPacketOffset: Int64
  private let interleaver = Interleaver()
  private var liveTitle = StreamTitle()
  private var converter: FormatConverter
  private var damage = DecodingDamage()

  /// Opens `source` so that its first piece starts `start` after the beginning of the track or range; a live stream has
  /// no beginning, and starts now.
  static func open(
    _ source: MediaSource, file: SourceFile?, start: MediaTime, inbox: CommandInbox
  ) throws(MediaError) -> MediaTrack {
    let track = try MediaTrack(source, file, start, inbox)
    if try track.seek() { return track }
    // Half way into a jump that led nowhere: begin again, and let the trimmer drop what comes before.
    guard file != nil else { throw .failed(Failure(.notSeekable, "the server does not allow to start anywhere in it")) }
    return try MediaTrack(source, file, start, inbox)
  }

  /// Decodes the first frame: only that shows that the source can be played, and as what.
  private init(
    _ source: MediaSource, _ file: SourceFile?, _ start: MediaTime, _ inbox: CommandInbox
  ) throws(MediaError) {
    if let file {
      if file.size == 0 { throw .unplayable("an empty file") }
      demuxer = try Demuxer(file: file, name: source.name)
    } else if let url = source.url, DemuxerOptions.allows(url) {
      demuxer = try Demuxer(url: url, isInterrupted: inbox.checkInterruption)
    } else {
      throw .failed(Failure(.unavailable, "only http, https, rtmp and mms addresses are played"))
    }
    self.source = source
    codec = demuxer.codec
    decoder = try Decoder(for: demuxer)
    // Not kept: with it TagLib would keep the pictures for as long as the track is played.
    let tags = try FileTags.of(demuxer)
    metadata = tags.metadata
    chapters = source.isWhole ? tags.chapters(or: demuxer) : []
    gain = tags.gain
    guard let first = try Self.firstFrame(demuxer, decoder, packet, frame) else {
      guard let file else { throw .unplayable("none of the stream can be decoded") }
      throw .failed(FileDiagnosis(file).failureToDecode)
    }
    format = first.format
    converter = FormatConverter(first: first.format, isLive: demuxer.isLive)
    let rate = first.format.rate
    bitDepth = codec.bitDepth(decoder, demuxer)
    hasFrame = true
    let delay = frame.skip?.front ?? 0
    extent = TrackLength(demuxer, codec: codec, rate: rate, first: frame, firstPacket: first.packetOffset, tags: tags)
    // Delay that is not marked still shows as time before zero; more of that than any encoder's is none.
    let timeBase = demuxer.timeBase
    let pts = frame.pts
    let isVorbis = codec == .vorbis && demuxer.formatName == "ogg"
    let stated = pts.map { timeBase.convert($0, to: TimeBase(rate)) } ?? 0
    let early = (-TrackLength.mostDelay * Int64(rate.hertz)..<0).contains(stated) ? stated : 0
    let position = delay > 0 ? -delay : extent.tagDelay > 0 ? -extent.tagDelay : early
    let grid = codec.grid(firstCount: frame.count)
    // libavformat gives the first block of a short Vorbis stream a length that it has not; granules count from 0.
    let isMisplaced = isVorbis && (0..<8192).contains(pts ?? -1)
    timeline = pts.map {
      Timeline(timeBase: timeBase, rate: rate, firstTimestamp: isMisplaced ? 0 : $0, firstFrame: position, grid: grid)
    }
    let rangeEnd = source.rangeEnd.map { rate.frames(in: $0) }
    // A live stream is joined where it is, wherever one left it.
    trimmer = Trimmer(
      rate: rate, start: rate.frames(in: source.rangeStart), skipped: demuxer.isLive ? .zero : rate.frames(in: start),
      limit: [extent.limit, rangeEnd].compactMap { $0 }.min(), position: position)
    firstPacketOffset = first.packetOffset
  }

  func next() throws(MediaError) -> Piece {
    while !trimmer.isComplete {
      if !hasFrame { hasFrame = try decode() }
      guard hasFrame else { break }
      if let title = liveTitle.poll(demuxer) { return .title(title, at: trimmer.time) }
      guard let format = Interleaver.target(of: frame) else {
        hasFrame = false
        continue
      }
      if let rest = converter.rest(before: format) { return .pcm(rest.format, at: rest.at, rest.bytes) }
      hasFrame = false
      if format.rate != self.format.rate { trimmer.change(to: format.rate) }
      self.format = format
      // Behind the start it is the delay of another link of a chain.
      let delay = trimmer.isPastStart && extent.limit == nil ? frame.skip?.front ?? 0 : 0
      let cut = trimmer.take(count: frame.count, delay: delay, padding: extent.limit == nil ? padding : 0)
      guard cut.count > 0 else { continue }
      let bytes = interleaver.interleave(frame, from: cut.offset, count: cut.count)
      if let output = try converter.convert(bytes, of: format, at: cut.trackFrame) {
        return .pcm(output.format, at: output.at, output.bytes)
      }
    }
    if let rest = converter.rest(before: nil) { return .pcm(rest.format, at: rest.at, rest.bytes) }
    guard trimmer.end > .zero else { throw .unplayable("nothing of it is to be heard: it ends before it begins") }
    let target = converter.target
    let duration = format.rate.time(of: trimmer.end)
    return .end(
      target, at: target.rate == format.rate ? trimmer.end : target.rate.frames(in: duration), duration: duration,
      stop: trimmer.isComplete || demuxer.file == nil ? nil : damage.failure(at: duration, of: statedLength))
  }

  /// Frames at the end of the decoded frame that are none of the track's.
  private var padding: Int64 {
    guard let marked = frame.skip?.back else { return 0 }
    // libavformat counts Matroska's padding at the rate that the track states, which for Opus can be any.
    let stated = demuxer.statedSampleRate
    guard codec == .opus, demuxer.formatName == "matroska,webm", stated > 0 else { return marked }
    return (marked * Int64(frame.rate.hertz) + stated / 2) / stated
  }

  /// Fills `frame` with the next decoded frame; false at the end.
  func decode() throws(MediaError) -> Bool {
    var failures: [Failure] = []
    while true {
      switch decoder.receive(frame) {
      case .frame:
        guard frame.count > 0 else { continue }
        damage.noteFrame()
        return true
      case .ended:
        guard beginsLink else { return false }
        // The packet that was held back begins another link of a chain: its encoder knew nothing of what came before.
        beginsLink = false
        decoder.flush()
        sendPacket()
      case .undecodable: damage.note(packet, of: codec, bitDepth: bitDepth)
      case .needsPacket:
        do throws(MediaError) {
          guard try demuxer.read(packet) else {
            damage.noteEndOfInput()
            _ = decoder.send(nil)
            continue
          }
          failures = []
        } catch {
          try passOver(error, &failures)
          continue
        }
        demuxer.file?.readAhead()
        if packet.hasDelay {
          beginsLink = true
          _ = decoder.send(nil)
          continue
        }
        sendPacket()
      }
    }
  }

  /// Sends the packet that was read to the decoder.
  private func sendPacket() {
    if !decoder.send(packet) { damage.note(packet, of: codec, bitDepth: bitDepth) }
    packet.unref()
  }

  /// A file may be damaged in its middle and readable again after it; one that stays unreadable ends there. `failures` are
  /// those since the last packet, of which the first is the cause of the others.
  private func passOver(_ error: MediaError, _ failures: inout [Failure]) throws(MediaError) {
    guard case .failed(let failure) = error else { throw error }
    guard demuxer.file != nil else {
      throw .failed(Failure(.offline, "the stream broke off after \(trimmer.time.seconds) s: \(failure.message)"))
    }
    failures.append(failure)
    guard failures.count >= Self.mostFailures else { return }
    damage.note(failures[0])
    damage.noteEndOfInput()
    _ = decoder.send(nil)
  }

  /// Forgets what was sent to the decoder, for a jump.
  func flush() {
    decoder.flush()
    beginsLink = false
    packet.unref()
    damage = DecodingDamage()
  }

  private static let mostFailures = 16

  private static func firstFrame(
    _ demuxer: Demuxer, _ decoder: Decoder, _ packet: Packet, _ frame: Frame
  ) throws(MediaError) -> (format: AudioFormat, packetOffset: Int64)? {
    var packetOffset: Int64?
    while true {
      switch decoder.receive(frame) {
      case .frame:
        if frame.count > 0, let format = Interleaver.target(of: frame) { return (format, packetOffset ?? -1) }
      case .ended: return nil
      case .undecodable: continue
      case .needsPacket:
        guard try demuxer.read(packet) else {
          _ = decoder.send(nil)
          continue
        }
        if packetOffset == nil { packetOffset = packet.position }
        _ = decoder.send(packet)
        packet.unref()
      }
    }
  }
}
