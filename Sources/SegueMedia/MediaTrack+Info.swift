// Decoding thread only.
internal import CFFmpeg
internal import SegueLink
internal import SegueSystem
internal import SegueWire

extension MediaTrack {
  /// What is to be told of it. With `counting`, the frames of a file whose header does not count them are counted.
  func info(counting: Bool) -> MediaInfo {
    var (length, kind) = (extent.length, extent.kind)
    if counting, kind == .estimated, let counted = countFrames() { (length, kind) = (counted, .exact) }
    return MediaInfo(
      audio: audio, duration: duration(of: length, &kind), durationKind: kind, seekable: isSeekable,
      metadata: tags.metadata)
  }

  private var audio: Audio {
    let parameters = demuxer.parameters
    let rate = [parameters.bit_rate, demuxer.context.pointee.bit_rate].first { $0 > 0 }
    return Audio(
      codec: codec.name, container: Self.container(demuxer.formatName), sampleRate: Int(format.rate.hertz),
      channels: Int(format.channels.count), bitDepth: bitDepth, bitRate: rate.map(Int.init),
      lossless: codec.isLossless, gapless: extent.gapless)
  }

  /// Of libavformat's list of names the one people use.
  private static func container(_ name: String) -> String {
    switch name {
    case "mov,mp4,m4a,3gp,3g2,mj2": "mp4"
    case "matroska,webm": "matroska"
    case "mpc8": "mpc"
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
    return !demuxer.isLive && (demuxer.context.pointee.pb?.pointee.seekable ?? 0) & AVIO_SEEKABLE_NORMAL != 0
  }

  private func countFrames() -> MediaTime? {
    guard demuxer.formatName == "mp3", codec.id == AV_CODEC_ID_MP3, let file = demuxer.file, firstPacketOffset >= 0,
      let index = MPEGIndex(file, from: firstPacketOffset), index.isComplete
    else { return nil }
    return format.rate.time(of: Frames(Int64(index.count) * Int64(index.samples)))
  }
}
