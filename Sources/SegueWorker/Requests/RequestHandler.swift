// Thread: the decoding thread; see Worker.swift.
internal import Glibc
internal import SegueFFmpeg
internal import SegueSystem
internal import SegueTags
internal import SegueWire
internal import SegueWorkerProtocol

/// A handler of the requests that do not concern playback: what files contain, covers, loudness, sort keys, charsets.
final class RequestHandler {
  private let inbox: CommandInbox
  private let events: EventSender
  private let scanner: FileScanner
  /// The meters of the tracks of the album that is being measured.
  private var albumMeters: [LoudnessMeter] = []

  /// The size of the results, in bytes, above which a packet is sent. The last result of a packet may exceed it.
  private static let packetSize = 24 * 1024
  /// The longest time that a result is held back for others of the same request.
  private static let maximumDelay = MediaTime.milliseconds(20)

  init(_ inbox: CommandInbox, _ events: EventSender) {
    self.inbox = inbox
    self.events = events
    // A damaged file may decode to nothing but the delay that the decoder returns at the end. Therefore the first audio
    // is decoded, too.
    scanner = FileScanner { (file, name) throws(MediaError) in
      let track = try MediaTrack.open(MediaSource(name: name), .file(file), start: .zero, .thorough)
      _ = try track.next()
      return (track.info, track.demuxer)
    }
  }

  /// Carries out a request with the files of the command. Throws if some are missing.
  func handle(_ request: WorkerRequest, _ received: ReceivedCommand, ticket: UInt32) throws(SystemError) {
    switch request {
    case .probe(let source):
      let input = try received.takeInput(of: source, inbox)
      respond(to: ticket, input.file) { () throws(MediaError) in .probed(try probe(source, input)) }
    case .scan(let names):
      scan(try names.map { name throws(SystemError) in (name: name, file: try received.takeFile()) }, ticket: ticket)
    case .lyrics(let name):
      let file = try received.takeFile()
      respond(to: ticket, file) { () throws(MediaError) in .lyrics(try lyrics(name, file)) }
    case .cover(let name, let wanted):
      let (file, target) = (try received.takeFile(), try received.takeMemoryFile())
      respond(to: ticket, file) { () throws(MediaError) in
        .cover(try CoverWriter(wanted, target, scanner).write(name, file))
      }
    case .measure(let source, let isFirst):
      let input = try received.takeInput(of: source, inbox)
      respond(to: ticket, input.file) { () throws(MediaError) in
        .measured(try measure(source, input, isFirst: isFirst))
      }
    case .collate(let texts):
      let keys = texts.prefix(WorkerRequest.maximumCollationTexts).map {
        scanner.collator.key($0.text, keepsArticle: $0.isSortName)
      }
      events.send(ticket, .collated(keys, collation: scanner.collator.name))
    case .transcode:
      let (file, target) = (try received.takeFile(), try received.takeMemoryFile())
      respond(to: ticket, nil) { () throws(MediaError) in .transcoded(size: try transcode(file, target)) }
    }
  }

  /// Sends the response that `read` makes of `file`.
  private func respond(to ticket: UInt32, _ file: FileInput?, _ read: () throws(MediaError) -> WorkerResponse) {
    do throws(MediaError) {
      events.send(ticket, try reading(file, read))
    } catch {
      events.send(ticket, .failed(error.failure))
    }
  }

  /// Returns what `read` finds in `file`. If another program changes the file meanwhile, it is read once more.
  private func reading<Result>(
    _ file: FileInput?, _ read: () throws(MediaError) -> Result
  ) throws(MediaError) -> Result {
    do throws(MediaError) {
      return try read()
    } catch {
      guard let file, file.hasChanged else { throw error }
      // Most programs are done by then.
      if let deadline = FileChange(of: file, at: .zero).wait {
        var nothing: [pollfd] = []
        poll(&nothing, until: deadline)
      }
      file.refresh()
      return try read()
    }
  }

  private func probe(_ source: MediaSource, _ input: MediaInput) throws(MediaError) -> MediaInfo {
    let track = try MediaTrack.open(source, input, start: .zero, .thorough)
    // As for a scan, the first audio of a file must be decodable.
    if input.file != nil, source.isWhole { _ = try track.next() }
    return track.info
  }

  // MARK: Scanning

  private func scan(_ files: [(name: String, file: FileInput)], ticket: UInt32) {
    var results: [ScanResult] = []
    var size = 0
    var since = MonotonicTime.now
    for (index, (name, file)) in files.enumerated() {
      let result = scan(file, name)
      // The files of a request are kept until its end, and their caches are not needed any more.
      file.freeCache()
      results.append(result)
      size += result.estimatedSize
      guard index == files.count - 1 || size > Self.packetSize || MonotonicTime.now - since > Self.maximumDelay else {
        continue
      }
      events.send(ticket, .scanned(results))
      results.removeAll(keepingCapacity: true)
      size = 0
      since = .now
    }
  }

  private func scan(_ file: FileInput, _ name: String) -> ScanResult {
    do throws(MediaError) {
      return .facts(try reading(file) { () throws(MediaError) in try scanner.facts(of: file, name) })
    } catch {
      return .failed(error.failure)
    }
  }

  // MARK: Lyrics

  /// Returns the lyrics that are embedded in a file, or the contents of a file whose extension is "lrc".
  private func lyrics(_ name: String, _ file: FileInput) throws(MediaError) -> String? {
    FilePath(name).fileExtension == "lrc" ? LRCFile.text(of: file) : try scanner.tags(of: file, name).0.lyrics
  }

  // MARK: Loudness

  /// Decodes and measures the whole source. The daemon ends the worker if that takes too long.
  private func measure(_ source: MediaSource, _ input: MediaInput, isFirst: Bool) throws(MediaError) -> ReplayGain {
    if isFirst { albumMeters = [] }
    let meter = LoudnessMeter()
    let track = try MediaTrack.open(source, input, start: .zero, .thorough)
    while try add(track.next(), to: meter) {}
    albumMeters.append(meter)
    return LoudnessMeter.gain(of: albumMeters)
  }

  /// Returns false at the end of the track.
  private func add(_ output: MediaTrack.Output, to meter: LoudnessMeter) throws(MediaError) -> Bool {
    switch output {
    case .pcm(let format, _, let bytes):
      if meter.add(format, bytes) { return true }
      throw .failed(
        Failure(.unplayable, "cannot measure the loudness of \(format.channels.count) channels at \(format.rate)"))
    case .title: return true
    case .end: return false
    }
  }

  // MARK: Charsets

  /// Writes the text of `file` in UTF-8 to `target` and returns its size.
  private func transcode(_ file: FileInput, _ target: SharedMemoryFile) throws(MediaError) -> Int {
    let size = min(Int(clamping: file.size ?? 0), WorkerRequest.maximumTranscodeSize)
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = file.peek(at: 0, into: UnsafeMutableRawBufferPointer(buffer))
    }
    let text = LegacyText(bytes).utf8
    guard text.withUnsafeBytes(target.write) else { throw .failed(Failure(.tooLarge, "the text is too long")) }
    return text.count
  }
}

extension ScanResult {
  /// An estimate of the size in a packet, in bytes: a generous constant for all short members, and the texts and keys.
  fileprivate var estimatedSize: Int {
    guard case .facts(let facts) = self else { return 512 }
    let metadata = facts.info.metadata
    let (details, keys) = (facts.details, facts.sortKeys)
    let texts = [
      metadata.title, metadata.artist, metadata.album, metadata.albumArtist, metadata.composer, metadata.date,
      details.originalDate, details.titleSort, details.artistSort, details.albumSort, details.albumArtistSort,
    ]
    var size = 512 + (facts.cueSheet?.utf8.count ?? 0)
    for text in texts { size += text?.utf8.count ?? 0 }
    for text in metadata.artists + metadata.genre { size += text.utf8.count }
    for chapter in facts.chapters { size += 16 + chapter.title.utf8.count }
    for key in [keys.title, keys.artist, keys.album, keys.albumArtist] + keys.artists { size += key.count }
    return size + 40 * (details.musicBrainz.artists.count + details.musicBrainz.albumArtists.count)
  }
}
