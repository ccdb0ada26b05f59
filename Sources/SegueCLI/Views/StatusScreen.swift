internal import SegueClientKit
internal import SegueSystem
internal import SegueUnicode
internal import SegueWire

/// The output of `status` on a terminal: a few lines that fit its width.
struct StatusScreen {
  let status: Status
  let style: Style
  let now: MonotonicTime
  /// The chapter that plays; nil without chapters.
  let chapter: CurrentChapter?

  var lines: [String] {
    guard status.length > 0 || status.track != nil else { return emptyQueue + problems }
    let description = status.track.map(description) ?? []
    return [heading, description, chapterLine, progress, next, modes, sleep, audioFormat, device, problems].flatMap(
      \.self)
  }

  private var emptyQueue: [String] {
    [
      style.fitted(status.state.symbol(style) + " " + tr("The queue is empty.")),
      style.fitted("  " + tr("segue add ~/Music    adds a folder, then  segue play  starts playback")),
      style.fitted("  " + tr("segue play PATH      plays a file, a folder or a URL immediately")),
    ] + modes
  }

  private var heading: [String] {
    let word = status.state.symbol(style) + " " + status.state.label
    let place =
      "  "
      + (status.index.map { tr("%1$d of %2$d", $0.oneBased, status.length) }
        ?? trn("%1$d in the queue", "%1$d in the queue", status.length))
    return [style.paint(word, status.state.paint) + (DisplayWidth.of(word + place) <= style.columns ? place : "")]
  }

  private func description(_ track: QueueEntry) -> [String] {
    var lines = [style.paint(style.fitted("  " + track.title), .bold)]
    let metadata = track.metadata
    let credits = [track.artist, metadata.albumAndYear].filter { !$0.isEmpty }.joined(separator: " \(style.dash) ")
    if !credits.isEmpty { lines.append(style.fitted("  " + credits)) }
    if let stream = metadata.stream, !stream.isEmpty, let name = status.stream?.station ?? metadata.title, !name.isEmpty
    {
      lines.append(style.fitted("  " + tr("on %1$s", name)))
    }
    return lines
  }

  private var chapterLine: [String] { chapter.map { [style.fitted("  " + $0.description)] } ?? [] }

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

  private var next: [String] {
    guard let next = status.next else { return [] }
    return [style.fitted("  " + tr("Next: %1$s", next.heading(style)))]
  }

  /// The volume and the playback modes, in as many lines as necessary.
  private var modes: [String] {
    var words = [
      ModeLabels.volume(status.volume, isMuted: status.muted), ModeLabels.repeating(status.repeatMode),
      ModeLabels.shuffle(status.shuffle), ModeLabels.consume(status.consume),
    ]
    if status.speed != .normal { words.append(ModeLabels.speed(status.speed)) }
    var lines = ["  " + words[0]]
    for word in words.dropFirst() {
      let longer = lines[lines.count - 1] + "   " + word
      if DisplayWidth.of(longer) <= style.columns { lines[lines.count - 1] = longer } else { lines.append("  " + word) }
    }
    return lines.map(style.fitted)
  }

  private var sleep: [String] {
    guard let sleep = status.sleep else { return [] }
    return [style.fitted("  " + ModeLabels.sleepLine(sleep, status, at: now))]
  }

  private var audioFormat: [String] {
    guard let audio = status.audio else { return [] }
    var words = [audio.codec.visible.uppercased()]
    if audio.sampleRate > 0 {
      words.append(tr("%1$s kHz", decimalText(tenths: audio.sampleRate.roundedQuotient(by: 100))))
    }
    if let bits = audio.bitDepth { words.append(tr("%1$d bit", bits)) }
    if audio.channels > 0 { words.append(channels(audio.channels)) }
    if let rate = audio.bitRate, !audio.lossless { words.append(tr("%1$d kbit/s", rate.roundedQuotient(by: 1000))) }
    return [style.paint(style.fitted("  " + words.joined(separator: " ")), .dim)]
  }

  /// The line with the output device. It is omitted while no device is open.
  private var device: [String] {
    guard let name = status.output.device else { return [] }
    return [style.paint(style.fitted("  " + tr("output %1$s", name)), .dim)]
  }

  /// The errors of the output and of the track.
  private var problems: [String] {
    var lines: [String] = []
    if status.output.state == .lost, let recovery = status.output.lossKind.recovery {
      lines.append(recovery)
    }
    if let error = status.output.error { lines.append(tr("output: %1$s", error.translated)) }
    if let error = status.track?.error { lines.append(tr("track: %1$s", error.translated)) }
    return lines.map { style.paint(style.fitted("  ! " + $0), .red) }
  }

  private func channels(_ count: Int) -> String {
    switch count {
    case 1: tr("mono")
    case 2: tr("stereo")
    default: trn("%1$d channel", "%1$d channels", count)
    }
  }
}
