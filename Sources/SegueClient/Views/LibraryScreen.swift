internal import SegueFrontend
internal import SegueSystem
internal import SegueWire

/// The output of `library`: the numbers of items and the music folders.
struct LibraryScreen {
  let status: LibraryStatus
  let style: Style

  var lines: [String] {
    var lines = [style.paint(style.fitted(Self.counts(status)), .bold)]
    if status.isBusy { lines.append(style.fitted(Self.progress(status))) }
    for folder in status.folders {
      let path = displayURI(folder.uri)
      switch folder.state {
      case .online: lines.append(style.fitted("  \(path)"))
      case .unknown: lines.append(style.fitted("  \(path)  (not scanned yet)"))
      case .empty: lines.append(style.paint(style.fitted("  \(path)  (missing or empty)"), .yellow))
      case .offline: lines.append(style.paint(style.fitted("  \(path)  (offline; its tracks are kept)"), .yellow))
      }
    }
    if let error = status.error { lines.append(style.paint(style.fitted("  ! \(error.visible)"), .red)) }
    return lines
  }

  /// Returns the lines for programs.
  static func fields(_ status: LibraryStatus) -> [String] {
    let numbers = [
      ("tracks", String(status.tracks)), ("albums", String(status.albums)), ("artists", String(status.artists)),
      ("scanning", status.scanning ? "yes" : "no"), ("done", String(status.done)), ("total", String(status.total)),
      ("failed", String(status.failed)), ("error", (status.error ?? "").visible),
    ]
    return numbers.map { $1.isEmpty ? "\($0):" : "\($0): \($1)" }
      + status.folders.map { "folder: \($0.state.rawValue)\t\($0.uri.visible)" }
  }

  /// Returns a line such as `12 tracks, 3 albums, 2 artists; 1 file could not be read`.
  static func counts(_ status: LibraryStatus) -> String {
    let items = [
      counted(status.tracks, "track"), counted(status.albums, "album"), counted(status.artists, "artist"),
    ].joined(separator: ", ")
    return status.failed == 0 ? items : "\(items); \(counted(status.failed, "file")) could not be read"
  }

  /// Returns a line such as `scanned 120 of 340`.
  static func progress(_ status: LibraryStatus) -> String {
    if let measuring = status.measuring, !status.scanning {
      return measuring.total == 0
        ? "searching for unmeasured tracks" : "measured \(measuring.done) of \(measuring.total)"
    }
    return status.total == 0 ? "searching for changes" : "scanned \(status.done) of \(status.total)"
  }
}

extension LibraryStatus {
  /// Whether a scan or a measurement is running, so that events will follow.
  var isBusy: Bool { scanning || measuring != nil }
}
