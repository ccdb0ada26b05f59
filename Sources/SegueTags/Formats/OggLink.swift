internal import SegueSystem

/// A link of a chained Ogg file, which is the whole stream in most files: the frames to which its packets decode, and
/// whether the granules of its pages state the same frames.
struct OggLink {
  let serial: UInt32
  let codec: OggCodec
  /// The frames to which the packets decode, including delay and padding.
  private(set) var frames: Int64 = 0
  /// Whether the granules state the frames of the packets.
  private(set) var isConsistent = true
  /// Whether a page between two others is missing.
  private(set) var hasGap = false
  /// The number of pages on which packets of audio end.
  private(set) var pageCount = 0
  /// The granule at which the audio begins; nil before the first page of audio.
  private(set) var start: Int64?
  /// The last granule, and the frames before it.
  private(set) var last: (granule: Int64, frames: Int64)?
  /// The frames that the last granule cuts off, which is only allowed on the last page.
  private(set) var padding: Int64 = 0

  private var modes: VorbisModes?
  private var previousBlock: Int64 = 0
  private var packetNumber = 0
  /// The beginning of a packet that continues on the next page; nil if there is none.
  private var pending: [UInt8]?
  private var nextNumber: UInt32?
  /// The number of the first sample that the first FLAC frame states.
  private var firstSample: Int64 = 0
  /// Whether pages between the previous and the next one were left out.
  private var leavesPagesOut = false

  /// The maximum size in bytes of the setup header of Vorbis.
  private static let maximumHeaderSize = 1 << 20
  /// The number of bytes of a packet that tell its duration.
  private static let headSize = 32
  /// The maximum number of frames that a Vorbis or Speex encoder cuts off at the beginning by the first granule.
  private static let maximumLead: Int64 = 16_384

  /// Creates a link whose stream begins with `page`. Returns nil if its codec is not known.
  init?(_ page: OggPageReader.Page) {
    guard let codec = OggCodec(page.body) else { return nil }
    (serial, self.codec) = (page.header.serial, codec)
  }

  /// The frames that are audible: without delay and padding.
  var audibleFrames: Int64 {
    switch codec {
    case .opus(let preSkip): max(0, frames - preSkip - (isConsistent ? padding : 0))
    case .vorbis, .flac, .speex: max(0, frames - (isConsistent ? padding : 0))
    }
  }

  /// Returns the length that the granules state, from the granule 0 on if `isFromStart`; nil if they do not state it.
  func statedFrames(fromStart isFromStart: Bool) -> Int64? {
    guard let last, let start, last.granule > start else { return nil }
    let delay = if case .opus(let preSkip) = codec { preSkip } else { Int64(0) }
    return last.granule - (isFromStart ? 0 : start) - delay
  }

  /// Whether any audio was found.
  var hasAudio: Bool { last != nil || frames > 0 }

  /// Continues after pages that are left out.
  mutating func leavePagesOut() {
    pending = nil
    nextNumber = nil
    leavesPagesOut = true
  }

  /// Adds the next page of the stream.
  mutating func add(_ page: OggPageReader.Page) {
    if let nextNumber, page.header.number != nextNumber {
      // If the beginning of a stream was cut off, its headers remain.
      hasGap = hasGap || hasAudio
      pending = nil
    }
    nextNumber = page.header.number &+ 1
    let before = frames
    let (ended, hasAudioPacket) = addPackets(of: page)
    guard ended, hasAudioPacket else { return }
    pageCount += 1
    compare(page.header.granule, from: before)
  }

  /// The number of bytes of the next packet that are needed.
  private var neededSize: Int {
    if case .vorbis = codec, packetNumber == 2 { return Self.maximumHeaderSize }
    return Self.headSize
  }

  /// Returns whether a packet ends on `page`, and whether a packet of audio does.
  private mutating func addPackets(of page: OggPageReader.Page) -> (ended: Bool, hasAudio: Bool) {
    var (ended, hasAudio) = (false, false)
    let body = page.body
    var (from, to) = (0, 0)
    if !page.header.continuesPacket { pending = nil }
    // The rest of a packet whose beginning is missing is not decoded.
    var isRest = page.header.continuesPacket && pending == nil
    for lace in page.laces {
      to += Int(lace)
      guard lace < 255 else { continue }
      ended = true
      let part = UnsafeRawBufferPointer(rebasing: body[from..<to])
      if !isRest, finish(part) { hasAudio = true }
      isRest = false
      from = to
    }
    if to > from, !isRest || from > 0 {
      // The bytes are appended in place: a packet may continue on any number of pages.
      let missing = max(0, neededSize - (pending?.count ?? 0))
      if pending == nil { pending = [] }
      pending?.append(contentsOf: body[from..<to].prefix(missing))
    }
    return (ended, hasAudio)
  }

  /// Ends a packet with its last `part`. Returns whether it is audio.
  private mutating func finish(_ part: UnsafeRawBufferPointer) -> Bool {
    defer { packetNumber += 1 }
    guard var packet = pending else { return add(packet: part) }
    pending = nil
    packet += part.prefix(max(0, neededSize - packet.count))
    return packet.withUnsafeBytes { add(packet: $0) }
  }

  private mutating func add(packet: UnsafeRawBufferPointer) -> Bool {
    guard leavesPagesOut || packetNumber >= codec.headerCount else {
      if case .vorbis = codec, packetNumber == 2 { modes = VorbisModes(packet) }
      return false
    }
    switch codec {
    case .opus:
      guard let duration = OggCodec.opusDuration(packet) else { return false }
      frames += duration
    case .vorbis(_, let blocks):
      guard let isLong = modes?.isLong(packet) else { return false }
      let block = isLong ? blocks.long : blocks.short
      // Each packet except the first completes the audio between the centers of two blocks (Vorbis I, 4.3.8).
      if previousBlock > 0 { frames += (previousBlock + block) / 4 }
      previousBlock = block
    case .flac(_, let blockSize):
      guard packet.first == 0xFF, let header = FLACFrameHeader(packet, blockSize) else { return false }
      if frames == 0, !leavesPagesOut { firstSample = header.first }
      frames += header.count
    case .speex(_, let count, _): frames += count
    }
    return true
  }

  /// Compares the granule of a page, before which there were `before` frames, with the packets.
  private mutating func compare(_ granule: Int64, from before: Int64) {
    guard granule >= 0 else {
      isConsistent = false
      return
    }
    // Only the last page may cut frames off.
    if padding > 0 { isConsistent = false }
    // The first packet of Vorbis completes no frames, and may be on a page of headers, whose granule is 0.
    if let last, last.frames > 0 {
      let added = frames - last.frames
      let missing = last.granule + added - granule
      if leavesPagesOut {
        // Only the order of the granules can be compared.
        isConsistent = isConsistent && granule > last.granule
        leavesPagesOut = false
      } else if missing != 0 {
        padding = missing
        isConsistent = isConsistent && (1..<max(1, added)).contains(missing) && cutsPadding
      }
    } else {
      compareFirst(granule)
    }
    last = (granule, frames)
  }

  private mutating func compareFirst(_ granule: Int64) {
    var begin = granule - frames
    switch codec {
    case .opus:
      // The first page may be the last one.
      if begin < 0 { (begin, padding) = (0, -begin) }
      isConsistent = isConsistent && padding < frames
    case .vorbis, .speex:
      isConsistent = isConsistent && begin >= -min(Self.maximumLead, frames)
    case .flac: isConsistent = isConsistent && begin == firstSample
    }
    start = begin
    leavesPagesOut = false
  }

  /// Whether granules of the codec state padding.
  private var cutsPadding: Bool {
    switch codec {
    case .opus, .vorbis, .speex: true
    case .flac: false
    }
  }
}
