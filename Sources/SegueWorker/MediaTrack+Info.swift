// Decoding thread only.
internal import SegueFFmpeg
internal import SegueLink
internal import SegueSystem
internal import SegueTags
internal import SegueWire

extension MediaTrack {
  /// What is to be told of it.
  var info: MediaInfo {
    var kind = extent.kind
    let duration = duration(of: extent.length, &kind)
    var info = MediaInfo(
      audio: audio, duration: duration, durationKind: kind, seekable: isSeekable, metadata: metadata)
    info.chapters = chapters
    return info
  }

  /// The length that the headers state, whether all of it is in the file or not. Lossless formats count their samples,
  /// and MP4 lists them.
  var statedLength: DecodingDamage.Stated {
    var kind = extent.promised == nil ? extent.kind : .exact
    let duration = duration(of: extent.promised ?? extent.length, &kind)
    return DecodingDamage.Stated(
      duration: duration, kind: kind, isCertain: codec.isLossless || demuxer.formatName.hasPrefix("mov"))
  }

  private var audio: Audio {
    return Audio(
      codec: codec.name, container: Self.container(demuxer.formatName), sampleRate: Int(format.rate.hertz),
      channels: Int(format.channels.count), bitDepth: bitDepth,
      bitRate: demuxer.statedBitRate.map(Int.init) ?? averageRate,
      lossless: codec.isLossless, gapless: extent.gapless)
  }

  /// Bits of the file per second of its length; covers and the like count too.
  private var averageRate: Int? {
    guard let size = demuxer.file?.size, let length = extent.length, length > .zero else { return nil }
    return Int(min(Double(size) * 8 / length.seconds, 1e9))
  }

  /// Of libavformat's list of names the one people use.
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
    return !demuxer.isLive && demuxer.isConnectionSeekable
  }
}
