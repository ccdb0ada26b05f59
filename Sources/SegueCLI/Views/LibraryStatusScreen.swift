internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// The output of `library`: the numbers of items and the music folders.
struct LibraryStatusScreen {
  let status: LibraryStatus
  let style: Style

  var lines: [String] {
    var lines = [style.paint(style.fitted(Self.counts(status)), .bold)]
    if status.isBusy { lines.append(style.fitted(Self.progress(status))) }
    for folder in status.folders {
      let path = displayURI(folder.uri)
      switch folder.state {
      case .online: lines.append(style.fitted("  \(path)"))
      case .unknown: lines.append(style.fitted("  " + tr("%1$s  (not scanned yet)", path)))
      case .empty: lines.append(style.paint(style.fitted("  " + tr("%1$s  (missing or empty)", path)), .yellow))
      case .offline:
        lines.append(style.paint(style.fitted("  " + tr("%1$s  (offline; its tracks are kept)", path)), .yellow))
      }
    }
    if let error = status.error { lines.append(style.paint(style.fitted("  ! \(error.translated.visible)"), .red)) }
    return lines
  }

  /// Returns the lines for programs.
  static func fields(_ status: LibraryStatus) -> [String] {
    let numbers = [
      ("tracks", String(status.tracks)), ("albums", String(status.albums)), ("artists", String(status.artists)),
      ("scanning", status.scanning ? "yes" : "no"), ("done", String(status.done)), ("total", String(status.total)),
      ("failed", String(status.failed)), ("error", (status.error?.text ?? "").visible),
    ]
    return numbers.map { $1.isEmpty ? "\($0):" : "\($0): \($1)" }
      + status.folders.map { "folder: \($0.state.rawValue)\t\($0.uri.visible)" }
  }

  /// Returns a line such as `12 tracks, 3 albums, 2 artists; 1 file could not be read`.
  static func counts(_ status: LibraryStatus) -> String {
    let items = [
      Counts.tracks(status.tracks), Counts.albums(status.albums), Counts.artists(status.artists),
    ].joined(separator: ", ")
    guard status.failed > 0 else { return items }
    return items + "; " + trn("%1$d file could not be read", "%1$d files could not be read", status.failed)
  }

  /// Returns a line such as `measured 12 tracks; 1 failed` for a measurement with this last progress. The daemon
  /// reports the progress at intervals, so that the end of the last one may be unknown.
  static func summary(ofEnded last: LibraryStatus.Measuring) -> String {
    guard last.total > 0 else { return tr("there was no track to measure") }
    let result =
      last.done < last.total
      ? tr("measured about %1$d of %2$d tracks", last.done, last.total)
      : trn("measured %1$d track", "measured %1$d tracks", last.done - last.failed)
    return last.failed > 0 ? result + "; " + trn("%1$d failed", "%1$d failed", last.failed) : result
  }

  /// Returns a line such as `scanned 120 of 340`.
  static func progress(_ status: LibraryStatus) -> String {
    if let measuring = status.measuring, !status.scanning {
      guard measuring.total > 0 else { return tr("searching for unmeasured tracks") }
      let progress = tr("measured %1$d of %2$d", measuring.done, measuring.total)
      return measuring.remaining.map { tr("%1$s, about %2$s left", progress, $0.clock) } ?? progress
    }
    return status.total == 0 ? tr("searching for changes") : tr("scanned %1$d of %2$d", status.done, status.total)
  }
}

extension LibraryStatus {
  /// Whether a scan or a measurement is running, so that events will follow.
  var isBusy: Bool { scanning || measuring != nil }
}
