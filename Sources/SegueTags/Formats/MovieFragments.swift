// Thread: the decoding thread.
internal import SegueFFmpeg
internal import SegueSystem

/// The fragments that follow the header of an MP4 file (ISO/IEC 14496-12, 8.8). A recorder that is interrupted loses at
/// most the last one. The sample table of the header describes the packets before them, of which there may be none.
struct MovieFragments {
  /// Whether each fragment begins where the previous one ends. If not, the timestamps have gaps, but the audio has
  /// none.
  private(set) var areContinuous = true
  /// The part of the packets of all fragments that the file contains.
  private(set) var coverage = Coverage.unknown
  /// The reason why the audio ends early, if what follows the last fragment shows that; nil if it does not.
  private(set) var earlyEnd: Shortfall?
  /// The duration of all packets that the header states, in the time scale of the movie; nil if it states none.
  let statedDuration: Int64?

  private let file: FileInput
  private let track: Int64
  /// The duration of packets whose fragment states none.
  private let defaultDuration: Int64
  /// The number of packets that may still be read one by one.
  private var packetsLeft = 4 << 20

  /// The maximum number of boxes at the top level. There are two for each fragment, and some writers make a fragment of
  /// each packet, of which an hour of AAC has 155,000.
  private static let maximumBoxes = 1 << 20
  /// The time after which the length is left to the header of the file, because the fragments are on a slow disk and
  /// distributed over the whole file. Cached ones take a few microseconds each.
  private static let maximumTime = MediaTime.seconds(2)
  /// The number of bytes of a table that are read at once.
  private static let pieceSize: Int64 = 8 << 10

  /// Returns whether fragments can follow the header `movie`.
  static func canFollow(_ movie: Range<Int64>, in file: FileInput) -> Bool {
    Box.find("mvex", in: file, movie) != nil
  }

  /// Adds the packets of `track` in the fragments after `movie` to `durations`. Returns nil if there are too many, if
  /// they take too long, or if a fragment cannot be read.
  init?(_ file: FileInput, after movie: Range<Int64>, track: Int64, addingTo durations: inout PacketDurations) {
    guard let size = file.size, let extends = Box.find("mvex", in: file, movie) else { return nil }
    self.file = file
    self.track = track
    statedDuration = Box.find("mehd", in: file, extends).flatMap { box in
      Box.isLong(file, box) ? Box.long(file, box, 4) : Box.word(file, box, 4)
    }
    defaultDuration =
      Box.all("trex", in: file, extends).first { Box.word(file, $0, 4) == track }.flatMap { Box.word(file, $0, 12) }
      ?? 0
    var position = movie.upperBound
    // Whether the index of all fragments, which follows them, was found ("mfra").
    var hasIndex = false
    // Whether the audio of the last fragment follows, and the duration of everything before that fragment.
    var (awaitsAudio, before) = (false, Int64(0))
    let deadline = MonotonicTime.now + Self.maximumTime
    for _ in 0..<Self.maximumBoxes where MonotonicTime.now < deadline {
      guard let box = Box(file, at: position, within: size), box.isPlausible else {
        if awaitsAudio {
          let share = Self.shareOfAudio(file, at: position, size)
          coverage = Coverage(before + Int64(Double(durations.total - before) * share), of: durations.total)
        } else if position == size {
          coverage = .whole
        } else if !hasIndex {
          earlyEnd = Self.earlyEnd(file, at: position, size)
        }
        return
      }
      // "moof" and "mdat"
      if box.type == 0x6D6F_6F66 {
        before = durations.total
        guard add(fragment: box.body, to: &durations) else { return nil }
        awaitsAudio = true
      } else if box.type == 0x6D64_6174 {
        awaitsAudio = false
      }
      hasIndex = box.type == 0x6D66_7261 || hasIndex && !awaitsAudio
      position = box.body.upperBound
    }
    return nil
  }

  /// Returns the reason why no fragment is at `position`; nil if none need be there.
  private static func earlyEnd(_ file: FileInput, at position: Int64, _ size: Int64) -> Shortfall? {
    guard position < TrailingTags.audioEnd(file) ?? size else { return nil }
    guard let box = Box(file, at: position, within: 1 << 62), box.isPlausible else { return .damagedEnd }
    return switch String(decoding: Box.letters(of: box.type), as: UTF8.self) {
    case "moof", "mdat", "styp", "sidx", "emsg", "prft": .truncation
    case "mfra", "free", "skip", "udta", "meta", "uuid": nil
    default: .damagedEnd
    }
  }

  /// Returns the part of the truncated box with audio at `position` that `file` contains.
  private static func shareOfAudio(_ file: FileInput, at position: Int64, _ size: Int64) -> Double {
    guard let box = Box(file, at: position, within: 1 << 62), box.type == 0x6D64_6174, !box.body.isEmpty else {
      return 0
    }
    return Double(max(0, size - box.body.lowerBound)) / Double(box.body.count)
  }

  private mutating func add(fragment: Range<Int64>, to durations: inout PacketDurations) -> Bool {
    for part in Box.all("traf", in: file, fragment) {
      guard let header = Box.find("tfhd", in: file, part), Box.word(file, header, 4) == track,
        let flags = Box.word(file, header, 0)
      else { continue }
      // The position of the data and the number of the sample entry may precede the duration.
      let at = 8 + (flags & 0x1 != 0 ? 8 : 0) + (flags & 0x2 != 0 ? 4 : 0) as Int64
      let common = flags & 0x8 != 0 ? Box.word(file, header, at) ?? defaultDuration : defaultDuration
      checkStart(of: part, durations)
      for run in Box.all("trun", in: file, part) {
        guard add(run: run, common, to: &durations) else { return false }
      }
    }
    return true
  }

  /// Compares the time at which `part` of a fragment begins with the packets before it. The first packet of the file
  /// may begin at any time.
  private mutating func checkStart(of part: Range<Int64>, _ durations: PacketDurations) {
    guard let time = Box.find("tfdt", in: file, part),
      let start = Box.isLong(file, time) ? Box.long(file, time, 4) : Box.word(file, time, 4)
    else { return }
    if durations.count == 0 { origin = start }
    // The time may be any number of 64 bits.
    if start != origin.addingSaturated(durations.total) { areContinuous = false }
  }

  /// The time at which the first packet begins.
  private var origin: Int64 = 0

  private mutating func add(run: Range<Int64>, _ common: Int64, to durations: inout PacketDurations) -> Bool {
    guard let flags = Box.word(file, run, 0), let count = Box.word(file, run, 4) else { return false }
    guard flags & 0x100 != 0 else { return durations.add(count, of: common) }
    // The duration is the first of the numbers of a packet. The others are its size, its flags and its offset in time.
    let width = Int64(4 * (flags >> 8 & 0xF).nonzeroBitCount)
    let first = run.lowerBound + 8 + (flags & 0x1 != 0 ? 4 : 0) + (flags & 0x4 != 0 ? 4 : 0)
    packetsLeft -= Int(count)
    guard packetsLeft >= 0, first + count * width <= run.upperBound else { return false }
    let end = first + count * width
    for start in stride(from: first, to: end, by: Int64.Stride(Self.pieceSize / width * width)) {
      let piece = file.bytes(at: start, count: Int(min(Self.pieceSize / width * width, end - start)))
      guard piece.count % Int(width) == 0, !piece.isEmpty else { return false }
      for at in stride(from: 0, to: piece.count, by: Int(width)) {
        guard durations.add(1, of: piece[at..<at + 4].reduce(0) { $0 << 8 | Int64($1) }) else { return false }
      }
    }
    return true
  }
}

/// The edit lists of an MP4 file whose packets are partly in its header and partly in fragments.
enum FragmentedEditLists {
  /// Returns replacements that let libavformat read the packets in the header. The duration of an edit that covers all
  /// fragments, too, is stated as 0 there, which libavformat takes for an edit without packets (FFmpeg 5.1,
  /// `mov_fix_index`).
  static func replacements(_ file: FileInput) -> [FileInput.Replacement] {
    guard let size = file.size, let movie = Box.find("moov", in: file, 0..<size),
      MovieFragments.canFollow(movie, in: file)
    else { return [] }
    return Box.all("trak", in: file, movie).compactMap { track in
      guard let list = Box.find("edts", in: file, track).flatMap({ Box.find("elst", in: file, $0) }),
        Box.word(file, list, 4) == 1
      else { return nil }
      let isLong = Box.isLong(file, list)
      guard (isLong ? Box.long(file, list, 8) : Box.word(file, list, 8)) == 0 else { return nil }
      let endless: [UInt8] = [0x7F, 0xFF, 0xFF, 0xFF]
      return FileInput.Replacement(
        position: list.lowerBound + 8, bytes: isLong ? [0, 0, 0, 0] + endless : endless)
    }
  }
}
