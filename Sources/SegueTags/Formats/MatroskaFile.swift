// Thread: the decoding thread.
internal import SegueFFmpeg

/// The parts of a Matroska file (RFC 9559) that identify its audio, whichever tags it has.
struct MatroskaFile {
  /// The stated duration in seconds; nil if there is none, as in a recording of a stream. Programs that copy the stream
  /// state another number of milliseconds.
  private(set) var seconds: Int64?
  private let file: FileInput
  private let segment: EBMLElement
  private var firstCluster: Int64?
  /// The index of clusters.
  private var cues: EBMLElement?

  /// The limit is greater than the number of elements before the audio, or of blocks with some audio, in any genuine
  /// file.
  private static let maximumElements = 1024
  /// The maximum number of clusters in the index that are counted: there is one for every few seconds.
  private static let maximumCues = 16_384

  /// Returns nil if `file` has another format.
  init?(_ file: FileInput) {
    guard let segment = EBMLElement.segment(of: file) else { return nil }
    (self.file, self.segment) = (file, segment)
    var position = segment.body
    for _ in 0..<Self.maximumElements {
      guard let element = EBMLElement(file, at: position) else { return }
      switch element.id {
      // Info
      case 0x1549_A966: readInfo(element)
      // SeekHead
      case 0x114D_9B74: readSeekHead(element)
      // Cues
      case 0x1C53_BB6B: cues = element
      // Cluster
      case 0x1F43_B675:
        firstCluster = position
        return
      default: break
      }
      guard let size = element.size else { return }
      position = element.body + size
    }
  }

  private mutating func readInfo(_ info: EBMLElement) {
    var (scale, ticks) = (Int64(1_000_000), Double?.none)
    for element in info.children(in: file) {
      switch element.id {
      // TimestampScale and Duration
      case 0x2A_D7B1: scale = element.integer(in: file) ?? scale
      case 0x4489: ticks = element.float(in: file)
      default: break
      }
    }
    // The scale is the number of nanoseconds of a tick.
    let stated = (ticks ?? 0) * Double(scale) / 1e9
    if stated > 0, stated < 1e12 { seconds = Int64(stated.rounded()) }
  }

  private mutating func readSeekHead(_ head: EBMLElement) {
    for seek in head.children(in: file) {
      let parts = seek.children(in: file)
      // SeekID, SeekPosition and Cues
      guard parts.first(where: { $0.id == 0x53AB })?.integer(in: file) == 0x1C53_BB6B,
        let offset = parts.first(where: { $0.id == 0x53AC })?.integer(in: file)
      else { continue }
      cues = element(at: offset, 0x1C53_BB6B) ?? cues
    }
  }

  /// Returns the element with the identifier `id` at `offset` in the segment.
  private func element(at offset: Int64, _ id: Int64) -> EBMLElement? {
    guard (0..<1 << 60).contains(offset) else { return nil }
    return EBMLElement(file, at: segment.body + offset).flatMap { $0.id == id ? $0 : nil }
  }

  /// Returns the first `count` bytes of the packets.
  func firstPackets(_ count: Int) -> [UInt8] { firstCluster.map { packets(from: $0, count) } ?? [] }

  /// Returns `count` bytes of the packets from the middle of the index on. Returns none if there is no index.
  func middlePackets(_ count: Int) -> [UInt8] {
    // CuePoint, CueTrackPositions and CueClusterPosition
    let points = (cues?.children(in: file, limit: Self.maximumCues) ?? []).filter { $0.id == 0xBB }
    guard !points.isEmpty else { return [] }
    let track = points[points.count / 2].children(in: file).first { $0.id == 0xB7 }
    guard let offset = track?.children(in: file).first(where: { $0.id == 0xF1 })?.integer(in: file),
      element(at: offset, 0x1F43_B675) != nil
    else { return [] }
    return packets(from: segment.body + offset, count)
  }

  /// Returns `count` bytes of the packets from the cluster at `start` on. Programs may divide the stream into other
  /// clusters.
  private func packets(from start: Int64, _ count: Int) -> [UInt8] {
    var packets: [UInt8] = []
    var position = start
    for _ in 0..<Self.maximumElements {
      guard packets.count < count, let element = EBMLElement(file, at: position) else { break }
      switch element.id {
      // The elements of a Cluster or of a BlockGroup follow.
      case 0x1F43_B675, 0xA0: position = element.body
      default:
        guard let size = element.size else { return packets }
        // SimpleBlock and Block. The number of the track, a time and flags precede the packet.
        if element.id == 0xA3 || element.id == 0xA1, size > 4 {
          packets += file.bytes(at: element.body + 4, count: Int(min(size - 4, Int64(count - packets.count))))
        }
        position = element.body + size
      }
    }
    return packets
  }
}
