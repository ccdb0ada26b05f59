internal import SegueFrontend
internal import SegueSystem
internal import SegueUnicode
internal import SegueWire

/// The output of `status` on a terminal: a few lines that fit its width.
struct StatusScreen {
  let status: Status
  let style: Style
  let now: MonotonicTime

  var lines: [String] {
    guard status.length > 0 || status.track != nil else { return emptyQueue + problems }
    return heading + (status.track.map(description) ?? []) + progress + modes + sleep + audioFormat + device + problems
  }

  private var emptyQueue: [String] {
    [
      style.fitted(status.state.symbol(style) + " The queue is empty."),
      style.fitted("  segue add ~/Music    adds a folder, then  segue play  starts playback"),
      style.fitted("  segue play PATH      plays a file, a folder or a URL immediately"),
    ] + modes
  }

  private var heading: [String] {
    let word = status.state.symbol(style) + " " + status.state.rawValue
    let place = status.index.map { "  \($0.oneBased) of \(status.length)" } ?? "  \(status.length) in the queue"
    return [style.paint(word, status.state.paint) + (DisplayWidth.of(word + place) <= style.columns ? place : "")]
  }

  private func description(_ track: Track) -> [String] {
    var lines = [style.paint(style.fitted("  " + track.title), .bold)]
    let metadata = track.metadata
    var album = (metadata.album ?? "").visible
    if !album.isEmpty, let year = metadata.year { album += " (\(year))" }
    let credits = [track.artist, album].filter { !$0.isEmpty }.joined(separator: " \(style.dash) ")
    if !credits.isEmpty { lines.append(style.fitted("  " + credits)) }
    if let stream = metadata.stream, !stream.isEmpty, let name = status.stream?.station ?? metadata.title, !name.isEmpty
    {
      lines.append(style.fitted("  on " + name.visible))
    }
    return lines
  }

  /// The position, such as `1:23 / 4:56 (28%)`, and a bar that fills the line.
  private var progress: [String] {
    guard status.track != nil else { return [] }
    var text = "  " + StatusLine.clock(status, at: now)
    if let waiting = status.stream?.state?.waiting { text += " \(style.dash) \(waiting)" }
    guard let duration = status.duration, duration > .zero, status.durationKind != .unbounded,
      let position = status.position(at: now)
    else { return [style.fitted(text)] }
    let fraction = min(1, position.seconds / duration.seconds)
    text += " (\(Int(fraction * 100))%)"
    let available = style.columns - DisplayWidth.of(text) - 2
    guard available >= 8 else { return [style.fitted(text)] }
    return [text + "  " + style.progressBar(fraction, columns: min(available, 60))]
  }

  /// The volume and the playback modes, in as many lines as necessary.
  private var modes: [String] {
    let words = [
      "volume \(status.volume)%" + (status.muted ? " (muted)" : ""), "repeat \(status.repeatMode.rawValue)",
      "shuffle \(status.shuffle.rawValue)", "consume \(status.consume ? "on" : "off")",
    ]
    var lines = ["  " + words[0]]
    for word in words.dropFirst() {
      let longer = lines[lines.count - 1] + "   " + word
      if DisplayWidth.of(longer) <= style.columns { lines[lines.count - 1] = longer } else { lines.append("  " + word) }
    }
    return lines.map(style.fitted)
  }

  private var sleep: [String] {
    guard let sleep = status.sleep else { return [] }
    return [style.fitted("  sleep: " + sleep.description(status, at: now))]
  }

  private var audioFormat: [String] {
    guard let audio = status.audio else { return [] }
    var words = [audio.codec.visible.uppercased()]
    if audio.sampleRate > 0 { words.append("\(kilohertz(audio.sampleRate)) kHz") }
    if let bits = audio.bitDepth { words.append("\(bits) bit") }
    if audio.channels > 0 { words.append(channels(audio.channels)) }
    if let rate = audio.bitRate, !audio.lossless { words.append("\(rate.roundedQuotient(by: 1000)) kbit/s") }
    return [style.paint(style.fitted("  " + words.joined(separator: " ")), .dim)]
  }

  /// The line with the output device. It is omitted while no device is open.
  private var device: [String] {
    guard let name = status.output.device else { return [] }
    return [style.paint(style.fitted("  output \(name.visible)"), .dim)]
  }

  /// The errors of the output and of the track.
  private var problems: [String] {
    var lines: [String] = []
    if status.output.state == .lost, let recovery = status.output.lossKind.recovery {
      lines.append("\(status.output.lossKind.summary): playback resumes automatically \(recovery)")
    }
    if let error = status.output.error { lines.append("output: \(error.visible)") }
    if let error = status.track?.error { lines.append("track: \(error.visible)") }
    return lines.map { style.paint(style.fitted("  ! " + $0), .red) }
  }

  private func kilohertz(_ rate: Int) -> String {
    let tenths = rate.roundedQuotient(by: 100)
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }

  private func channels(_ count: Int) -> String {
    switch count {
    case 1: "mono"
    case 2: "stereo"
    default: "\(count) channels"
    }
  }
}

extension Sleep {
  /// Returns a description such as `in 29:59` or `after this track`.
  func description(_ status: Status, at now: MonotonicTime) -> String {
    switch self {
    case .after(.track): "after this track"
    case .after(.album): "after this album"
    case .after(.queue): "at the end of the queue"
    case .seconds(let left): "in \(remaining(left, status, now).clock)"
    }
  }

  /// Returns the remaining time now, if it was `left` at `Status.monotonic`.
  func remaining(_ left: MediaTime, _ status: Status, _ now: MonotonicTime) -> MediaTime {
    guard status.monotonic.nanoseconds > 0, now > status.monotonic else { return left }
    return max(.zero, left - (now - status.monotonic))
  }
}
