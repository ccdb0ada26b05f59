import SegueClientKit
import SegueSystem
import SegueWire

@testable import SegueTUI

/// A model with a queue that answers its requests at once, as the daemon does. Tests press keys and read the screen.
struct Interface {
  /// The way in which a request is answered.
  enum Answering {
    case atOnce
    /// When the test calls `answer`.
    case later
    /// With an error.
    case failing
  }

  private(set) var model: Model
  /// The entries of the queue.
  private(set) var tracks: [QueueEntry]
  private var favoritesVersion: UInt64 = 0
  private var ratingsVersion: UInt64 = 0
  private(set) var status: Status
  private(set) var lyrics: Lyrics?
  /// The chapters of every track.
  private let chapters: [Chapter]
  /// The library.
  var library = FakeLibrary()
  /// The cover of every track.
  private let cover: Art?
  /// The calls that change something, in order.
  private(set) var calls: [DaemonCall] = []
  /// The answers about online catalogues.
  var online = OnlineFixture()
  /// The requests to the driver other than calls.
  private(set) var requests: [InterfaceRequest] = []
  private(set) var now = MonotonicTime(nanoseconds: 1_000_000_000_000)
  /// Returns the way in which a request is answered.
  var answering: (DaemonCall) -> Answering = { _ in .atOnce }
  /// The calls that are to be answered later, in order.
  private(set) var delayed: [DaemonCall] = []
  /// The number of pages that were read.
  private(set) var pagesRead = 0

  static let colored = Appearance(isUnicode: true, isColored: true, decoration: .full)

  init(
    _ tracks: [QueueEntry] = Interface.album, rows: Int = 24, columns: Int = 80, appearance: Appearance = colored,
    playing index: Int? = nil, at position: Double = 83, lyrics: Lyrics? = nil,
    chapters: [Chapter] = [], cover: Art? = nil, isConnected: Bool = true,
    configuration: InterfaceConfiguration = InterfaceConfiguration(),
    warnings: [INIWarning] = [],
    change: (inout Status) -> Void = { _ in }
  ) {
    self.tracks = tracks
    self.lyrics = lyrics
    self.chapters = chapters
    self.cover = cover
    model = Model(
      size: ScreenSize(rows: rows, columns: columns), appearance: appearance, configuration: configuration,
      warnings: warnings, at: now)
    status = Self.status(tracks, playing: index, at: position, now)
    change(&status)
    if isConnected { send(.connected) }
  }

  /// Five tracks with titles in several scripts.
  static let album = [
    track(0, "So What", "Miles Davis", "Kind of Blue", 545), track(1, "Колыбельная", "Осцилляторы", "Рассвет", 201),
    track(2, "夜明け前", "発振器", "夜明け", 78), track(3, "Ünïcode: e\u{301}tude", "Zoë", "Æther", 4_000),
    track(4, "\u{202E}evil \u{1B}[31m", "Nobody", nil, 12),
  ]

  static func track(_ index: Int, _ title: String, _ artist: String?, _ album: String?, _ seconds: Double) -> QueueEntry
  {
    var metadata = Metadata()
    (metadata.title, metadata.artist, metadata.album) = (title, artist, album)
    return QueueEntry(
      id: UInt64(100 + index), index: index, uri: "file:///music/\(index).flac", duration: MediaTime(seconds: seconds),
      durationKind: .exact, metadata: metadata, favorite: false, rating: nil, error: nil, errorKind: nil)
  }

  /// Returns a queue of `count` tracks.
  static func queue(_ count: Int) -> [QueueEntry] {
    (0..<count).map { track($0, "Track \($0 + 1)", "Artist \($0 % 7)", "Album \($0 / 12)", 200) }
  }

  /// Returns the status of a queue that is repeated.
  private static func status(_ tracks: [QueueEntry], playing index: Int?, at position: Double, _ now: MonotonicTime)
    -> Status
  {
    var output = Output()
    output.state = index == nil ? .idle : .open
    let track = index.map { tracks[$0] }
    return Status(
      state: index == nil ? .stopped : .playing, position: index.map { _ in MediaTime(seconds: position) },
      duration: track?.duration, durationKind: track?.durationKind, monotonic: now, rate: index == nil ? 0 : 1,
      track: track, index: index, length: tracks.count, version: 1, volume: 80, muted: false, repeatMode: .all,
      shuffle: .off, consume: false, speed: .normal, sleep: nil, output: output, audio: nil, stream: nil,
      next: index.map { tracks[($0 + 1) % tracks.count] })
  }

  // MARK: Input

  /// Presses the first key of a command.
  mutating func perform(_ command: Command) {
    for key in KeyBindings.standard.keys(for: command).prefix(1) { send(.input(.key(key))) }
  }

  /// Presses keys, as a terminal sends them.
  mutating func type(_ text: String) {
    var parser = InputParser()
    for event in parser.parse(Array(text.utf8)) + parser.endSequence() { send(.input(event)) }
  }

  mutating func press(_ code: Key.Code, _ modifiers: Key.Modifiers = []) {
    send(.input(.key(Key(code: code, modifiers: modifiers))))
  }

  mutating func mouse(_ action: MouseEvent.Action, row: Int, column: Int) {
    send(.input(.mouse(MouseEvent(action: action, position: Position(row: row, column: column)))))
  }

  /// Lets time pass.
  mutating func wait(_ time: MediaTime) {
    now = now + time
    send(.tick)
  }

  /// Removes the first `count` tracks as another client does.
  mutating func removeFirst(_ count: Int) {
    var rest = Array(tracks.dropFirst(count))
    for index in rest.indices { rest[index].index = index }
    replaceQueue(rest)
  }

  /// Changes the queue as another client does.
  mutating func replaceQueue(_ tracks: [QueueEntry]) {
    self.tracks = tracks
    process(eventsOfChange())
  }

  /// Makes an entry of the queue a favorite, or not, as the daemon does: the version of the queue stays the same.
  mutating func setFavorite(_ index: Int, _ isFavorite: Bool) {
    tracks[index].favorite = isFavorite
    favoritesVersion += 1
    if let index = status.index { status.track = tracks[index] }
    process([.changed(.player(status)), .changed(.favorites(ListVersion(version: favoritesVersion)))])
  }

  /// Rates an entry of the queue, as the daemon does.
  mutating func rate(_ index: Int, _ rating: Int?) {
    tracks[index].rating = rating
    ratingsVersion += 1
    if let index = status.index { status.track = tracks[index] }
    process([.changed(.player(status)), .changed(.ratings(ListVersion(version: ratingsVersion)))])
  }

  /// Announces that the library has changed.
  mutating func announceLibrary() {
    library.version += 1
    send(.changed(.library(library.status)))
  }

  mutating func change(_ change: (inout Status) -> Void) {
    change(&status)
    send(.changed(.player(status)))
  }

  /// Passes an event to the model, and answers its requests until there are no more.
  mutating func send(_ event: Event) {
    if case .disconnected = event { delayed = [] }
    process([event])
  }

  private mutating func process(_ events: [Event]) {
    var events = events
    while !events.isEmpty {
      for request in model.update(events.removeFirst(), at: now) {
        guard case .call(let call) = request else {
          requests.append(request)
          continue
        }
        if Self.isAction(call) { calls.append(call) }
        switch answering(call) {
        case .atOnce: events += self.events(answering: call)
        case .later: delayed.append(call)
        case .failing: events.append(.response(call, .failure(ClientError(.failed, "busy", kind: "busy"))))
        }
      }
    }
  }

  // MARK: The daemon

  /// Answers the first call that is to be answered later. Returns false if there is none.
  @discardableResult
  mutating func answer() -> Bool {
    guard !delayed.isEmpty else { return false }
    process(events(answering: delayed.removeFirst()))
    return true
  }

  /// Answers the first call that is to be answered later with a result.
  mutating func answer(with result: some JSONEncodable) {
    process([.response(delayed.removeFirst(), .success(Self.json(result)))])
  }

  /// Answers all calls, also those that follow.
  mutating func answerAll() { while answer() {} }

  /// Whether a call is made because of a key, and not for what a screen displays.
  private static func isAction(_ call: DaemonCall) -> Bool {
    switch call {
    case .subscribe, .read, .locate, .lyrics, .chapters, .cover, .catalog, .details, .track, .rating, .playlistNames,
      .hints,
      .suggestions:
      false
    default: true
    }
  }

  /// Performs a call, and returns its response and the events that follow.
  private mutating func events(answering call: DaemonCall) -> [Event] {
    let result: Result<JSON, ClientError>
    switch call {
    case .subscribe:
      result = .success(
        Self.json {
          $0.member("status", status)
          $0.member("library", library.status)
          $0.member("settings", SettingList(settings: Self.settings))
        })
    case .read(let source, let read):
      if case .page = read { pagesRead += 1 }
      result = source == .queue ? .success(list(read.offset, read.limit)) : library.answer(source, read)
    case .locate(let id):
      let index = tracks.firstIndex { $0.id == id }
      result = index.map { .success(list($0, 1)) } ?? .failure(ClientError(.failed, "gone", kind: "no_such_track"))
    case .lyrics:
      result =
        lyrics.map { lyrics in .success(Self.json(lyrics)) }
        ?? .failure(ClientError(.failed, "there are no lyrics", kind: "not_found"))
    case .chapters(let uri):
      result = .success(Self.json(ChapterList(uri: uri, chapters: chapters, current: nil)))
    case .cover:
      result =
        cover.map { cover in .success(Self.json(cover)) }
        ?? .failure(ClientError(.failed, "there is no cover", kind: "not_found"))
    case .catalog, .details, .hints, .suggestions:
      guard let answer = online.answer(call) else { return [] }
      result = answer
    case .track(let uri): result = library.report(of: uri)
    case .rating(let uri):
      result = .success(Self.json(Rating(uri: uri, rating: library.tracks.first { $0.uri == uri }?.rating)))
    case .playlistNames: result = .success(library.playlistNames)
    case .remove(let ids): return change(call) { $0.removeAll { ids.contains($0.id) } }
    case .clear: return change(call) { $0 = [] }
    case .move(let ids, let index):
      return change(call) { tracks in
        let moved = ids.compactMap { id in tracks.first { $0.id == id } }
        tracks.removeAll { ids.contains($0.id) }
        tracks.insert(contentsOf: moved, at: min(max(0, index), tracks.count))
      }
    // Tests answer these themselves.
    case .savePlaylist, .addToPlaylist, .renamePlaylist, .set, .reset: return []
    default: result = .success(state(as: call.request))
    }
    return [.response(call, result)]
  }

  /// Returns the result of a request: the state as it is, or an empty object if the request returns no state.
  private func state<Request: ProtocolRequest>(as request: Request) -> JSON {
    switch Request.Result.self {
    case is Status.Type: Self.json(status)
    case is QueueSummary.Type: Self.json(queue)
    case is QueueStepResult.Type: result(of: nil)
    default: Self.json { _ in }
    }
  }

  private var queue: QueueSummary { QueueSummary(version: status.version, length: status.length) }

  /// Returns the result of undoing or redoing a step.
  func result(of step: QueueStep?) -> JSON { Self.json(QueueStepResult(step: step, queue: queue)) }

  /// Changes the queue, and returns the response to the call and the events of the change.
  private mutating func change(_ call: DaemonCall, _ change: (inout [QueueEntry]) -> Void) -> [Event] {
    change(&tracks)
    for index in tracks.indices { tracks[index].index = index }
    let events = eventsOfChange()
    return [.response(call, .success(Self.json(queue)))] + events
  }

  /// Adapts the status to a change of the queue, and returns the events that follow.
  private mutating func eventsOfChange() -> [Event] {
    status.version += 1
    status.length = tracks.count
    status.index = status.track.flatMap { track in tracks.firstIndex { $0.id == track.id } }
    return [.changed(.queue(QueueSummary(version: status.version, length: status.length))), .changed(.player(status))]
  }

  /// Settings of the daemon, one of every type.
  static let settings = [
    setting(
      "output.device", "Output device", "the output device; none: the default of the sound server", .name, .text(nil)),
    setting(
      "player.restore", "After a restart", "the state of playback after a restart of the daemon",
      .choice(["paused", "resume"]),
      .text("paused")),
    setting(
      "player.crossfade", "Crossfade", "the duration of the crossfade between tracks; 0: none",
      .whole(0...15, unit: "seconds"),
      .whole(3), .chosen),
    setting(
      "player.preventClipping", "Prevent clipping", "limit the gain of a track so that its peak does not clip", .flag,
      .flag(true)),
    setting(
      "library.musicFolder", "Music folders", "the folders that are scanned", .paths, .paths([FilePath("/music")]),
      .file),
    setting(
      "catalog.genre", "Genre of the charts", "the genre of popular films; all: all genres", .name, .text("action")),
  ]

  static func setting(
    _ name: String, _ label: String, _ summary: String, _ type: SettingType, _ value: SettingValue,
    _ source: SettingSource = .standard
  ) -> SettingReport {
    SettingReport(
      name: name, section: "Section", key: "Key", label: label, summary: summary, type: type, value: value,
      standard: value,
      source: source,
      isChangeable: type != .paths)
  }

  private func list(_ offset: Int, _ limit: Int) -> JSON {
    let tracks = tracks.dropFirst(offset).prefix(limit)
    return Self.json(
      QueuePage(tracks: Array(tracks), total: self.tracks.count, offset: offset, version: status.version))
  }

  static func json(_ value: some JSONEncodable) -> JSON {
    var writer = JSONWriter()
    value.encode(into: &writer)
    return parsed(writer)
  }

  static func json(_ write: (inout JSONWriter) -> Void) -> JSON {
    var writer = JSONWriter()
    writer.beginObject()
    write(&writer)
    writer.endObject()
    return parsed(writer)
  }

  private static func parsed(_ writer: consuming JSONWriter) -> JSON {
    do { return try JSON(parsing: writer.bytes) } catch { preconditionFailure("the encoder writes JSON: \(error)") }
  }

  // MARK: The screen

  /// The rows of the screen. The selected tab, which is underlined, stands in brackets.
  var lines: [String] {
    var grid = model.frame().grid
    func isUnderlined(_ column: Int) -> Bool {
      grid.size.columns > column && column >= 0 && grid[0, column].look.emphasis.contains(.underlined)
    }
    for column in 0..<(grid.size.rows > 0 ? grid.size.columns : 0) where !isUnderlined(column) {
      if isUnderlined(column + 1) { grid[0, column].glyph = "[" }
      if isUnderlined(column - 1) { grid[0, column].glyph = "]" }
    }
    return grid.lines
  }
  var screen: String { lines.joined(separator: "\n") }
  var statusLine: String { lines[lines.count - 2] }
  var cursor: Position? { model.frame().cursor }

  func look(row: Int, column: Int) -> Look { model.frame().grid[row, column].look }

  /// The text of the focused row, which is displayed in reverse.
  var focusedRow: String? {
    let grid = model.frame().grid
    return lines.indices.first { row in
      (0..<grid.size.columns).contains { grid[row, $0].look.emphasis.contains(.reversed) }
    }.map { lines[$0] }
  }
}
