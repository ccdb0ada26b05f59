internal import SegueSystem
internal import SegueWire

/// `segue library`: what there is, and where it is looked for.
struct LibraryScreen {
  let status: LibraryStatus
  let style: Style

  var lines: [String] {
    var lines = [style.paint(fit(Self.counts(status)), .bold)]
    if status.isBusy { lines.append(fit(Self.progress(status))) }
    for folder in status.folders {
      let path = place(folder.uri)
      switch folder.state {
      case .online: lines.append(fit("  \(path)"))
      case .unknown: lines.append(fit("  \(path)  (not looked at yet)"))
      case .empty: lines.append(style.paint(fit("  \(path)  (not there, or without music)"), .yellow))
      case .offline: lines.append(style.paint(fit("  \(path)  (cannot be reached; its tracks are kept)"), .yellow))
      }
    }
    if let error = status.error { lines.append(style.paint(fit("  ! \(error.visible)"), .red)) }
    return lines
  }

  /// For a program.
  static func fields(_ status: LibraryStatus) -> [String] {
    let numbers = [
      ("tracks", String(status.tracks)), ("albums", String(status.albums)), ("artists", String(status.artists)),
      ("scanning", status.scanning ? "yes" : "no"), ("done", String(status.done)), ("total", String(status.total)),
      ("failed", String(status.failed)), ("error", (status.error ?? "").visible),
    ]
    return numbers.map { $1.isEmpty ? "\($0):" : "\($0): \($1)" }
      + status.folders.map { "folder: \($0.state.rawValue)\t\($0.uri.visible)" }
  }

  /// `12 tracks, 3 albums, 2 artists; 1 file could not be read`
  static func counts(_ status: LibraryStatus) -> String {
    let there = [
      counted(status.tracks, "track"), counted(status.albums, "album"), counted(status.artists, "artist"),
    ].joined(separator: ", ")
    return status.failed == 0 ? there : "\(there); \(counted(status.failed, "file")) could not be read"
  }

  /// `scanned 120 of 340`
  static func progress(_ status: LibraryStatus) -> String {
    if let measuring = status.measuring, !status.scanning {
      return measuring.total == 0
        ? "looking for what is not measured" : "measured \(measuring.done) of \(measuring.total)"
    }
    return status.total == 0 ? "looking for what is new" : "scanned \(status.done) of \(status.total)"
  }

  private func fit(_ line: String) -> String { line.cut(to: style.columns, mark: style.ellipsis) }
}

extension LibraryStatus {
  /// Something goes on of which there will be news.
  var isBusy: Bool { scanning || measuring != nil }
}
