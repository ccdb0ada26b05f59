internal import SegueSystem
internal import SegueWire

/// `segue status` for a program: `key: value` lines, always all of them in this order, empty for what is not known.
enum StatusFields {
  static func lines(_ status: Status, at now: MonotonicTime = .now) -> [String] {
    let track = status.track
    let fields: [(key: String, value: String?)] = [
      ("state", status.state.rawValue),
      ("position", status.position(at: now)?.decimal),
      ("duration", status.duration?.decimal),
      ("duration-kind", status.durationKind?.rawValue),
      ("title", track?.title),
      ("artist", track?.artist),
      ("album", track?.metadata.album),
      ("uri", track?.uri),
      ("number", status.index.map { String($0.fromOne) }),
      ("length", String(status.length)),
      ("volume", String(status.volume)),
      ("muted", status.muted ? "yes" : "no"),
      ("repeat", status.repeatMode.rawValue),
      ("shuffle", status.shuffle.rawValue),
      ("consume", status.consume ? "on" : "off"),
      ("sleep", sleep(status, now)),
      ("output", status.output.state.rawValue),
      ("device", status.output.device),
      ("error", track?.error ?? status.output.error),
    ]
    return fields.map { field in
      let value = (field.value ?? "").visible
      return value.isEmpty ? "\(field.key):" : "\(field.key): \(value)"
    }
  }

  private static func sleep(_ status: Status, _ now: MonotonicTime) -> String {
    switch status.sleep {
    case nil: "off"
    case .after(let end): end.rawValue
    case .seconds(let left): Sleep.seconds(left).remaining(left, status, now).decimal
    }
  }
}
