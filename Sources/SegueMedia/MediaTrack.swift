// Decoding thread only.
internal import CFFmpeg
internal import SegueLink
internal import SegueSystem
internal import SegueWire

/// A source, open and decoded from some frame on.
final class MediaTrack {
  /// What comes out, in order.
  enum Piece {
    /// Interleaved frames from track frame `at` on; the bytes are valid until the next call of `next`.
    case pcm(AudioFormat, at: Frames, UnsafeRawBufferPointer)
    /// There is no more; the track, or range, lasts exactly so long.
    case end(duration: MediaTime, AudioFormat, at: Frames)
  }

  let demuxer: Demuxer
  private let decoder: Decoder
  private let packet = Packet()
  private let frame = Frame()
  private let interleaver = Interleaver()
  private var trimmer: Trimmer
  /// The first frame of the range, at the trimmer's rate.
  private var rangeStart: Frames
  /// Where the decoder's output goes on: track frame, at the trimmer's rate.
  private var reached: Frames
  private var format: AudioFormat
  /// The first decoded frame waits in `frame`.
  private var hasFrame: Bool
  let info: MediaInfo

  init(_ source: MediaSource, file: SourceFile?, start: MediaTime, inbox: OrderInbox) throws(MediaError) {
    if let file {
      demuxer = try Demuxer(file: file, name: source.name)
    } else if let url = source.url, DemuxerOptions.allows(url) {
      demuxer = try Demuxer(url: url, interruption: inbox)
    } else {
      throw .failed(Failure(.unavailable, "only http, https, rtmp and mms addresses are played"))
    }
    decoder = try Decoder(for: demuxer)
    guard try Self.decode(demuxer, decoder, packet, frame), let format = Interleaver.target(of: frame) else {
      throw .unplayable("not a single frame of it can be decoded")
    }
    self.format = format
    hasFrame = true
    let first = format.rate.frames(in: source.rangeStart + start)
    let limit = source.rangeEnd.map { format.rate.frames(in: $0) }
    let delay = frame.skip?.front ?? 0
    rangeStart = format.rate.frames(in: source.rangeStart)
    reached = first
    trimmer = Trimmer(rate: format.rate, first: first, limit: limit, position: -delay)
    info = MediaInfo(
      audio: Audio(
        codec: String(cString: avcodec_get_name(demuxer.parameters.codec_id)), container: demuxer.formatName,
        sampleRate: Int(format.rate.hertz), channels: Int(format.channels.count), bitDepth: nil, bitRate: nil,
        lossless: false, gapless: .approximate),
      duration: nil, durationKind: .estimated, seekable: true, metadata: MetadataReader(demuxer).metadata)
  }

  func next() throws(MediaError) -> Piece {
    while !trimmer.isComplete {
      if !hasFrame { hasFrame = try Self.decode(demuxer, decoder, packet, frame) }
      guard hasFrame else { break }
      hasFrame = false
      guard let format = Interleaver.target(of: frame) else { continue }
      if format.rate != self.format.rate { trimmer.change(to: format.rate) }
      self.format = format
      let cut = trimmer.take(count: frame.count, padding: frame.skip?.back ?? 0)
      guard cut.count > 0 else { continue }
      reached = cut.trackFrame + Frames(cut.count)
      return .pcm(
        format, at: cut.trackFrame - rangeStart, interleaver.interleave(frame, from: cut.offset, count: cut.count))
    }
    return .end(duration: format.rate.time(of: reached - rangeStart), format, at: reached - rangeStart)
  }

  /// Fills `frame` with the next decoded frame; false at the end.
  private static func decode(
    _ demuxer: Demuxer, _ decoder: Decoder, _ packet: Packet, _ frame: Frame
  ) throws(MediaError) -> Bool {
    while true {
      switch try decoder.receive(frame) {
      case .frame: if frame.count > 0 { return true }
      case .ended: return false
      case .wantsPacket:
        if try demuxer.read(packet) {
          _ = decoder.send(packet)
          packet.unref()
        } else {
          _ = decoder.send(nil)
        }
      }
    }
  }
}
