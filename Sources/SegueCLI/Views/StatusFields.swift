internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// The output of `status` for programs: `key: value` lines in a fixed order. Unknown values are empty.
enum StatusFields {
  static func lines(_ status: Status, _ chapter: CurrentChapter?, at now: MonotonicTime = .now) -> [String] {
    let track = status.track
    return [
      line("state", status.state.rawValue),
      line("position", status.position(at: now)?.decimalSeconds),
      line("duration", status.duration?.decimalSeconds),
      line("duration-kind", status.durationKind?.rawValue),
      line("title", track?.title),
      line("artist", track?.artist),
      line("album", track?.metadata.album),
      line("uri", track?.uri),
      line("number", status.index.map { String($0.oneBased) }),
      line("length", String(status.length)),
      line("volume", String(status.volume)),
      line("muted", status.muted ? "yes" : "no"),
      line("repeat", status.repeatMode.rawValue),
      line("shuffle", status.shuffle.rawValue),
      line("consume", status.consume ? "on" : "off"),
      line("sleep", sleep(status, now)),
      line("output", status.output.state.rawValue),
      line("device", status.output.device),
      line("error", (track?.error ?? status.output.error)?.text),
      line("stream", status.stream?.state?.rawValue),
      line("buffered", status.stream?.buffered.decimalSeconds),
      line("station", status.stream?.station),
      line("next-title", status.next?.title),
      line("next-artist", status.next?.artist),
      line("speed", status.speed.description),
      line("chapter", chapter?.title),
      line("chapter-number", chapter.map { String($0.index.oneBased) }),
      line("chapters", chapter.map { String($0.count) }),
    ]
  }

  private static func line(_ key: String, _ value: String?) -> String {
    guard let value, !value.isEmpty else { return "\(key):" }
    return "\(key): \(value.visible)"
  }

  private static func sleep(_ status: Status, _ now: MonotonicTime) -> String {
    switch status.sleep {
    case nil: "off"
    case .after(let end): end.rawValue
    case .seconds(let left): status.timeToSleep(left, at: now).decimalSeconds
    }
  }
}
