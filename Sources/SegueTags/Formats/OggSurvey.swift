// Thread: the decoding thread.
internal import SegueFFmpeg
internal import SegueSystem

/// The facts about the length of the audio that the pages of an Ogg file show.
enum OggSurvey {
  /// One stream, whose granules are plausible where they were examined: they state the length.
  case plain
  /// All pages were examined.
  case complete(OggContents)
  /// Only the first pages were examined, because the file is too large.
  case partial(OggContents)
  /// The pages cannot be examined, or the file is on a server.
  case unknown

  /// The number of bytes in which the first pages of audio are examined, and in which the last ones are.
  private static let readSize = 40 << 10
  private static let tailSizes: [Int64] = [24 << 10, 160 << 10]
  /// The pages that are not examined may be this much smaller or larger, or have this much more or less audio, than
  /// those that are.
  private static let allowedRatios = 0.6...1.7

  /// The surveys of the files that were examined last. A file is opened again for each seek that libavformat cannot
  /// make.
  // Proof: the worker examines files on one thread only.
  nonisolated(unsafe) private static var known: [(key: Key, survey: OggSurvey)] = []
  private static let maximumKnown = 8

  private struct Key: Equatable {
    let file: FileStamp
    let stream: Int
    let examination: Examination
  }

  /// Returns the survey of `file`, of which the stream with this index is played. A file that is found to be plain
  /// costs two reads, and one that has not changed since its last survey costs none.
  static func of(_ file: FileInput, stream index: Int = 0, _ examination: Examination) -> OggSurvey {
    guard let stamp = file.stamp else { return OggSurvey(file, stream: index, examination) }
    let key = Key(file: stamp, stream: index, examination: examination)
    if let found = known.first(where: { $0.key == key }) { return found.survey }
    let survey = OggSurvey(file, stream: index, examination)
    if known.count == maximumKnown { known.removeFirst() }
    known.append((key, survey))
    return survey
  }

  private init(_ file: FileInput, stream index: Int, _ examination: Examination) {
    guard let size = file.size, !file.isRemote else {
      self = OggPages.isChained(file) ? .unknown : .plain
      return
    }
    if size > Examination.smallSize, Self.isPlain(file, size) {
      self = .plain
    } else if let contents = OggContents(file, stream: index, until: .now + examination.limit) {
      self = contents.examinedShare < 1 ? .partial(contents) : .complete(contents)
    } else {
      self = .unknown
    }
  }

  /// Whether the granules of the first and the last page state the length.
  var isPlain: Bool {
    switch self {
    case .plain: true
    case .complete(let contents): contents.isPlain
    case .partial, .unknown: false
    }
  }

  /// Returns whether the first and the last pages of `file` belong to one stream, their granules state the frames of
  /// their packets, and the pages between them may do so, too.
  private static func isPlain(_ file: FileInput, _ size: Int64) -> Bool {
    let reader = OggPageReader(file, readSize: readSize)
    guard let first = reader.page(at: 0), var link = OggLink(first) else { return false }
    let serial = link.serial
    var position: Int64 = 0
    var (audioStart, pages) = (Int64?.none, 0)
    var lastNumber: UInt32 = 0
    // Headers with pictures take many pages.
    for _ in 0..<4096 {
      // The pages after the first one with audio are examined only as far as they were read with it.
      if audioStart != nil, !reader.contains(pageAt: position) { break }
      guard let page = reader.page(at: position), page.header.serial == serial else { return false }
      link.add(page)
      if link.hasAudio {
        audioStart = audioStart ?? position
        pages += 1
      }
      (position, lastNumber) = (page.end, page.header.number)
    }
    guard let audioStart, let head = link.last, link.isConsistent, !link.hasGap else { return false }
    let headSize = Double(position - audioStart) / Double(pages)
    let headFrames = Double(head.frames) / Double(pages)
    for tailSize in tailSizes where size - tailSize > position {
      var tail = link
      tail.leavePagesOut()
      if let result = examineTail(reader, &tail, from: size - tailSize, to: size) {
        guard tail.isConsistent, !tail.hasGap, result.firstNumber > lastNumber else { return false }
        let between = Double(result.firstNumber - lastNumber)
        let size = Double(result.firstEnd - position) / between
        let frames = Double(result.firstGranule - head.granule) / between
        let (tailSize, tailFrames) = (result.pageSize, result.pageFrames)
        return (min(headSize, tailSize) * allowedRatios.lowerBound...max(headSize, tailSize) * allowedRatios.upperBound)
          .contains(size)
          && (min(headFrames, tailFrames) * allowedRatios.lowerBound...max(headFrames, tailFrames)
            * allowedRatios.upperBound).contains(frames)
      }
    }
    return false
  }

  private struct Tail {
    let firstNumber: UInt32
    let firstEnd: Int64
    let firstGranule: Int64
    /// The averages of the pages after the first one.
    let pageSize: Double
    let pageFrames: Double
  }

  /// Adds the pages in the tail to `link`. Returns nil if there are fewer than two pages with granules.
  private static func examineTail(
    _ reader: OggPageReader, _ link: inout OggLink, from start: Int64, to size: Int64
  ) -> Tail? {
    guard var position = reader.firstMark(from: start, before: size) else { return nil }
    var (first, count) = ((number: UInt32, end: Int64, granule: Int64, frames: Int64)?.none, 0)
    while let page = reader.page(at: position), page.header.serial == link.serial {
      let known = link.pageCount
      link.add(page)
      if link.pageCount > known {
        if first == nil {
          first = (page.header.number, page.end, page.header.granule, link.frames)
        } else {
          count += 1
        }
      }
      position = page.end
    }
    // Another stream follows, or a mark that is no page.
    guard let first, count > 0, reader.firstMark(from: position, before: size) == nil else { return nil }
    return Tail(
      firstNumber: first.number, firstEnd: first.end, firstGranule: first.granule,
      pageSize: Double(position - first.end) / Double(count),
      pageFrames: Double(link.frames - first.frames) / Double(count))
  }
}

/// The links of an Ogg file, of which all pages were read, or those at the beginning.
struct OggContents {
  /// The links of the chain; those without audio are left out.
  private(set) var links: [OggLink] = []
  /// Whether every page of the streams that are played is there and undamaged.
  private(set) var isIntact = true
  /// Whether bytes that are no pages, or pages with wrong checksums, are where other pages belong.
  private(set) var hasDamagedPages = false
  /// Whether a link has the serial number of the previous one, so that libavformat does not see that it begins.
  private(set) var repeatsSerial = false
  /// Whether the file has streams that are not played.
  private(set) var hasOtherStreams = false
  /// The share of the file whose pages were read, which is 1 if all of them were.
  private(set) var examinedShare = 1.0

  /// The maximum number of links. Recordings of radio have one for every title.
  private static let maximumLinks = 4096
  /// The maximum number of pages with wrong checksums, of which each may take the time of a page of the maximum size.
  private static let maximumRejected = 1024
  private static let readSize = 256 << 10

  /// Reads all pages of `file`, or as many as can be read until `deadline`. Of the first link, the stream with this
  /// index is played. Returns nil if its codec is not known.
  init?(_ file: FileInput, stream index: Int, until deadline: MonotonicTime) {
    guard let size = file.size else { return nil }
    let reader = OggPageReader(file, readSize: Self.readSize)
    // The position from which on the next page is looked for, and the end of the last page.
    var (position, end) = (Int64(0), Int64(0))
    var link: OggLink?
    // The number of streams of the current link that have begun; 0 after the first page of another kind.
    var begun = 0
    var rejected = 0
    while position < size {
      if position > Examination.smallSize, MonotonicTime.now >= deadline {
        examinedShare = Double(position) / Double(size)
        break
      }
      let limit = min(size, position + Int64(Self.readSize))
      guard let mark = reader.firstMark(from: position, before: limit) else {
        position = limit
        continue
      }
      // Bytes between pages, and pages with wrong checksums, are skipped.
      if mark != end { hasDamagedPages = true }
      guard let page = reader.page(at: mark), page.isIntact else {
        // The last page may be truncated.
        if reader.page(at: mark) != nil { hasDamagedPages = true }
        position = mark + 1
        rejected += 1
        guard rejected < Self.maximumRejected else { return nil }
        continue
      }
      position = page.end
      end = page.end
      if page.header.beginsStream {
        if begun == 0 {
          append(&link)
          guard links.count < Self.maximumLinks else { return nil }
        }
        let isWanted = links.isEmpty && link == nil ? begun == index : link == nil
        if isWanted { link = OggLink(page) }
        if isWanted, link == nil, links.isEmpty { return nil }
        begun += 1
        hasOtherStreams = hasOtherStreams || begun > 1
      } else {
        begun = 0
      }
      if page.header.serial == link?.serial {
        link?.add(page)
      } else if !page.header.beginsStream {
        hasOtherStreams = true
      }
    }
    append(&link)
    isIntact = isIntact && !hasDamagedPages
    guard !links.isEmpty else { return nil }
  }

  private mutating func append(_ link: inout OggLink?) {
    if let link, link.hasAudio {
      isIntact = isIntact && !link.hasGap
      repeatsSerial = repeatsSerial || links.last?.serial == link.serial
      links.append(link)
    }
    link = nil
  }

  /// Whether there is one stream, which is intact, and whose granules state its length.
  var isPlain: Bool { links.count == 1 && !hasOtherStreams && isIntact && links[0].isConsistent }

  /// The links that libavformat can play: those before the first one with another format.
  var playable: ArraySlice<OggLink> {
    links.prefix { $0.codec.canFollow(links[0].codec) }
  }

  /// Returns the length of `links`.
  static func length(of links: some Sequence<OggLink>) -> MediaTime {
    links.reduce(MediaTime.zero) { $0 + $1.codec.rate.time(of: Frames($1.audibleFrames)) }
  }
}
