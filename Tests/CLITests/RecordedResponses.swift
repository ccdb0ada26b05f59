import SegueSystem
import SegueWire

/// Responses of a daemon, created from the types of the protocol.
enum RecordedResponses {
  static func json(_ value: some JSONEncodable) -> String {
    var json = JSONWriter()
    value.encode(into: &json)
    return String(decoding: json.bytes, as: UTF8.self)
  }

  static func track(
    _ index: Int, _ title: String?, artist: String? = nil, seconds: Double? = 201, kind: DurationKind? = .exact,
    error: LocalizableMessage? = nil, errorKind: Failure.Kind? = nil
  ) -> QueueEntry {
    var metadata = Metadata()
    metadata.title = title
    metadata.artist = artist
    return QueueEntry(
      id: UInt64(100 + index), index: index, uri: "file:///music/\(index).flac",
      duration: seconds.map { MediaTime(seconds: $0) }, durationKind: kind, metadata: metadata, favorite: false,
      error: error, errorKind: errorKind)
  }

  static func status(
    _ state: PlayState = .playing, track: QueueEntry? = track(2, "So What", artist: "Miles Davis"),
    position: Double = 83,
    length: Int = 5, rate: Double = 0, change: (inout Status) -> Void = { _ in }
  ) -> Status {
    var output = Output()
    output.state = .open
    output.device = "null"
    var status = Status(
      state: state, position: track == nil ? nil : MediaTime(seconds: position), duration: track?.duration,
      durationKind: track?.durationKind, monotonic: .now, rate: rate, track: track, index: track?.index,
      length: length, version: 7, volume: 80, muted: false, repeatMode: .all, shuffle: .off, consume: false,
      speed: .normal, sleep: nil, output: output, audio: nil, stream: nil, next: nil)
    change(&status)
    return status
  }

  static func page(_ tracks: [QueueEntry], total: Int, offset: Int = 0, version: UInt64 = 7) -> String {
    json(
      QueuePage(
        tracks: tracks, total: total, offset: offset, version: version,
        steps: QueueSteps(undo: QueueStep(action: .add, tracks: 5))))
  }

  /// Returns the page of `tracks` for the parameters of a `list` request.
  static func page(of tracks: [QueueEntry], parameters: String) -> String {
    let request = try? JSON(parsing: parameters)
    let offset = min(request?["offset"]?.int ?? 0, tracks.count)
    let limit = min(request?["limit"]?.int ?? 1000, 1000)
    return page(Array(tracks[offset..<min(offset + limit, tracks.count)]), total: tracks.count, offset: offset)
  }

  static let tracks = (0..<5).map { track($0, "Title \($0 + 1)", artist: "Artist \($0 + 1)") }

  private static let queue = QueueSummary(version: 8, length: 3)

  /// The script of a daemon with `tracks` in its queue.
  static let standard: StubDaemon.Script = { method, parameters in
    switch method {
    case "list": [.result(page(of: tracks, parameters: parameters))]
    case "volume": [.result(#"{"volume":80,"muted":false}"#)]
    case "gain":
      [.result(json(Gain(mode: .auto, preamp: -1.5, fallback: 0, preventsClipping: true, applied: -7.25)))]
    case "chapters": [.result(json(chapters))]
    case "queue.add", "queue.replace": [.result(#"{"added":[102,103],"failed":[],"version":8}"#)]
    case "play", "status": [.result(json(status(rate: 1)))]
    case "queue.remove", "queue.move", "queue.clear": [.result(#"{"version":8,"length":3}"#)]
    case "queue.undo": [.result(json(QueueStepResult(step: QueueStep(action: .remove, tracks: 2), queue: queue)))]
    case "queue.redo": [.result(json(QueueStepResult(step: QueueStep(action: .replace, tracks: 1), queue: queue)))]
    case "output.list", "output.set": [.result(outputs)]
    case "settings.list": [.result(json(SettingList(settings: settings)))]
    case "settings.get", "settings.set", "settings.reset": [.result(json(settings[2]))]
    case "rpc.version": [.result(#"{"protocol":1,"version":"9.8.7"}"#)]
    case "daemon.stats": [.result(#"{"clients":1,"requests":12}"#)]
    case "daemon.shutdown": [.result("null")]
    case "subscribe": [.result(#"{"seq":0,"status":\#(json(status()))}"#)]
    default: [.result(json(status()))]
    }
  }

  static let chapters = ChapterList(
    uri: "file:///music/2.flac",
    chapters: [
      .init(title: "Начало", start: .zero), .init(title: "\u{1B}[31mEnd\t日本", start: .seconds(3723)),
    ], current: 1)

  static let settings = [
    SettingReport(
      name: "library.musicFolder", section: "Library", key: "MusicFolder", label: "Music folders",
      summary: "folders to scan",
      type: .paths, value: .paths([FilePath("/srv/a  b"), FilePath("/m")]), standard: .paths([]), source: .file,
      isChangeable: false),
    SettingReport(
      name: "output.device", section: "Output", key: "Device", label: "Output device", summary: "output device",
      type: .name,
      value: .text(nil), standard: .text(nil), source: .standard, isChangeable: true),
    SettingReport(
      name: "player.preamp", section: "Player", key: "Preamp", label: "Preamplification",
      summary: "added to every gain",
      type: .number(-30...30, unit: "dB"), value: .number(-2.5), standard: .number(0), source: .chosen,
      isChangeable: true),
    SettingReport(
      name: "player.restore", section: "Player", key: "Restore", label: "After a restart",
      summary: "what to do at startup",
      type: .choice(["paused", "resume", "stopped"]), value: .text("paused"), standard: .text("paused"),
      source: .standard, isChangeable: true),
    SettingReport(
      name: "player.preventClipping", section: "Player", key: "PreventClipping", label: "Prevent clipping",
      summary: "limit the gain to avoid clipping",
      type: .flag, value: .flag(true), standard: .flag(true), source: .file, isChangeable: true),
  ]

  static let outputs = json(
    OutputList(outputs: [
      OutputDevice(
        name: "alsa.analog", description: "Built-in Audio", isDefault: true, isCurrent: true, sampleRate: 44_100,
        channels: 2, format: "s16le"),
      OutputDevice(
        name: "alsa.hdmi", description: "Monitor (HDMI)", isDefault: false, isCurrent: false, sampleRate: 48_000,
        channels: 2, format: "s16le"),
    ]))
}
