internal import SegueLibrary
internal import SegueLink
internal import SegueLoop
internal import SegueSystem
public import SegueWire

/// Parts of files: audiobooks, albums and sets in one piece.
extension Player {
  /// Who is no further into a chapter, or a long track, means the one before it by "back".
  private static let nearStart = MediaTime.seconds(3)
  /// How long a step waits for the chapters of one track: a file system may not answer, and many files may have to be
  /// looked into before this one.
  private static let chapterPatience = MediaTime.seconds(1)
  /// How many tracks one step looks for chapters in, if others change the track while it waits.
  private static let mostChapterSearches = 4

  /// Of the file at `uri`, or of what is current.
  public func chapters(of uri: String?, then: @escaping Completion<ChapterList>) {
    guard let uri = uri ?? queue.currentEntry?.uri else {
      return then(.failure(noCurrentTrack))
    }
    let media: MediaURI
    do { media = try MediaURI(uri) } catch { return then(.failure(error)) }
    let answer: @MainActor (Result<[Chapter], Failure>) -> Void = { [weak self] result in
      guard let self else { return }
      then(result.map { self.list($0, of: media.uri) })
    }
    // A part of a file has no parts.
    guard case .file(_, range: nil) = media else { return answer(.success([])) }
    if let heard, heard.uri == media.uri, let chapters = heard.chapters { return answer(.success(chapters)) }
    findChapters(of: media.uri, then: answer)
  }

  private func list(_ chapters: [Chapter], of uri: String) -> ChapterList {
    let position = heard?.uri == uri ? status.position : nil
    return ChapterList(
      uri: uri, chapters: chapters,
      current: position.flatMap { time in chapters.lastIndex { $0.start <= time } })
  }

  /// From the library or, if it does not know the file, from the file.
  private func findChapters(of uri: String, then: @escaping @MainActor (Result<[Chapter], Failure>) -> Void) {
    library.lookUp(
      { reader throws(StoreError) -> [Chapter]? in
        try reader.track(uri) == nil ? nil : try reader.details(uri)?.chapters ?? []
      },
      then: { [weak self] result in
        if case .success(.some(let chapters)) = result { return then(.success(chapters)) }
        self?.prober.probe(uri) { found in then(found.map(\.chapters)) }
      })
  }

  /// Calls `step` once the chapters of what is heard are known: a file that was chosen a moment ago, one that the last
  /// daemon played, that was paused for long or that goes on where it was left may not have been opened yet.
  /// It is called after a limited time in any case; without chapters the step leads to another track.
  /// `isLeft`: nothing could be learnt of it, and another track is heard by now because it cannot be played.
  func whenChaptersAreKnown(
    for reason: PlayQueue.Reason, searches: Int = mostChapterSearches,
    _ step: @escaping @MainActor (_ isLeft: Bool) -> Void
  ) {
    guard let heard, heard.chapters == nil, searches > 0, mayLeadToChapter(reason),
      case .file(_, range: nil) = try? MediaURI(heard.uri)
    else { return step(false) }
    let search = TimedCompletion<Result<[Chapter], Failure>>(
      timeout: Self.chapterPatience, on: loop
    ) { [weak self] result in
      guard let self else { return }
      if self.heard?.entry == heard.entry { return step(false) }
      if case .failure = result { return step(true) }
      // Another client has changed the track meanwhile. The step starts from the new one, which may have chapters too.
      self.whenChaptersAreKnown(for: reason, searches: searches - 1, step)
    }
    findChapters(of: heard.uri) { [weak self] result in
      if let self, self.heard?.entry == heard.entry, self.heard?.chapters == nil {
        self.heard?.chapters = (try? result.get()) ?? []
      }
      search.complete(with: result)
    }
  }

  /// Whether a step may lead to another part of the same file: from its start only forwards.
  private func mayLeadToChapter(_ reason: PlayQueue.Reason) -> Bool {
    switch reason {
    case .next: transport.playState != .stopped
    case .prev, .trackEnded: isBegun
    }
  }

  /// Whether what is chosen was begun in its midst.
  private var isBegun: Bool {
    switch transport.state {
    case .stopped: false
    case .dormant(_, let position), .lost(_, let position): position > .zero
    case .active(let plan, _): plan[0].start > .zero
    }
  }

  /// Where `reason` leads within what is heard; nil if that is another track.
  func place(_ reason: PlayQueue.Reason) -> MediaTime? {
    guard let heard, transport.playState != .stopped, let position = status.position else { return nil }
    let chapters = heard.chapters ?? []
    if reason == .next { return chapters.first { $0.start > position }?.start }
    guard !chapters.isEmpty || isHeardLong else { return nil }
    let index = chapters.lastIndex { $0.start <= position }
    let start = index.map { chapters[$0].start } ?? .zero
    if position - start > Self.nearStart { return start }
    return index.flatMap { $0 > 0 ? chapters[$0 - 1].start : nil }
  }
}
