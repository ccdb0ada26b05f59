// Thread: the decoding thread.
internal import SegueFFmpeg
internal import SegueSystem
internal import SegueTags
internal import SegueWire
internal import SegueWorkerProtocol

extension MediaTrack {
  /// The properties of the track as reported to the daemon.
  var info: MediaInfo {
    var kind = length.kind
    let duration = duration(of: length.length, &kind)
    var info = MediaInfo(
      audio: audio, duration: duration, durationKind: kind, seekable: isSeekable, metadata: metadata)
    info.chapters = chapters
    info.station = station
    return info
  }

  /// The length that the headers state, whether or not the file is complete. Formats of sample-accurate codecs state
  /// the number of samples, and MP4 lists the durations of all packets.
  var statedLength: DecodingDamage.StatedLength {
    var kind = length.promised == nil ? length.kind : .exact
    let duration = duration(of: length.promised ?? length.length, &kind)
    return DecodingDamage.StatedLength(
      duration: duration, kind: kind, certainty: certainty, shortfall: length.earlyEnd ?? length.shortfall,
      endsEarly: length.earlyEnd != nil)
  }

  private var certainty: DecodingDamage.Certainty {
    if demuxer.formatName == "ogg" || length.isPromiseCertain { return .pages }
    return codec.isSampleAccurate || demuxer.formatName.hasPrefix("mov") || length.lacksBytes ? .packets : .none
  }

  private var audio: Audio {
    return Audio(
      codec: codec.name, container: Self.container(demuxer.formatName), sampleRate: Int(format.rate.hertz),
      channels: Int(format.channels.count), bitDepth: bitDepth,
      bitRate: demuxer.statedBitRate.map(Int.init) ?? averageRate,
      lossless: isLossless, gapless: length.gapless)
  }

  /// The bits of the file per second of the track, including covers and tags.
  private var averageRate: Int? {
    guard let size = demuxer.file?.size, let length = length.length, length > .zero else { return nil }
    return Int(min(Double(size) * 8 / length.seconds, 1e9))
  }

  /// Returns the usual name of a container, given libavformat's list of names.
  private static func container(_ name: String) -> String {
    switch name {
    case "mov,mp4,m4a,3gp,3g2,mj2": "mp4"
    case "matroska,webm": "matroska"
    case "mpc8": "mpc"
    case "libopenmpt": "module"
    case "libgme": "gme"
    default: name.firstIndex(of: ",").map { String(name[..<$0]) } ?? name
    }
  }

  private func duration(of length: MediaTime?, _ kind: inout DurationKind) -> MediaTime? {
    if let end = source.rangeEnd {
      guard let length, end > length else {
        kind = .exact
        return end - source.rangeStart
      }
      return max(.zero, length - source.rangeStart)
    }
    return length.map { max(.zero, $0 - source.rangeStart) }
  }

  private var isSeekable: Bool {
    guard demuxer.file == nil else { return demuxer.file?.size != nil }
    return !demuxer.isLive && (demuxer.isConnectionSeekable || demuxer.seeksInSegments)
  }
}
