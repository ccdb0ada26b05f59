internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// An output format for a status bar. It determines the layout of a line and the characters that must be escaped.
enum BarOutput: String, CaseIterable {
  case plain, json, waybar, polybar, i3blocks, yambar, eww, tmux
  case i3statusRust = "i3status-rs"

  /// Whether the bar interprets text as Pango markup.
  var isMarkup: Bool {
    switch self {
    case .waybar, .i3blocks, .i3statusRust: true
    case .plain, .json, .polybar, .yambar, .eww, .tmux: false
    }
  }

  /// Returns `text` escaped such that the bar displays it literally.
  func escape(_ text: String) -> String {
    switch self {
    case .plain, .json, .yambar, .eww: text
    case .waybar, .i3statusRust: text.escapedForMarkup(quotes: true)
    // i3blocks 1.4 does not support backslash escapes in JSON.
    case .i3blocks: text.escapedForMarkup(quotes: true).reduce(into: "") { $0 += $1 == "\\" ? "&#92;" : String($1) }
    case .polybar: text.escapedForPolybar
    case .tmux: text.escapedForTmux
    }
  }

  /// Returns the bytes to print, including the line feed. `text` is already escaped for this bar.
  func line(_ text: String, _ status: BarStatus) -> [UInt8] {
    switch self {
    case .plain, .polybar: Array("\(text)\n".utf8)
    // tmux appends a style to the text, and a trailing `#` would become part of it.
    case .tmux: Array((text.hasSuffix("#") ? "\(text) \n" : "\(text)\n").utf8)
    case .yambar: Array(yambarTags(text, status).utf8)
    case .json:
      object { json in
        json.member("text", text)
        json.key("status")
        if let response = status.response { json.value(response) } else { json.null() }
      }
    case .waybar: object { waybar(text, status, &$0) }
    case .i3blocks:
      object { json in
        json.member("full_text", text)
        json.member("short_text", escape(status.track?.title ?? ""))
        json.member("markup", "pango")
      }
    case .i3statusRust: object { i3statusRust(text, status, &$0) }
    case .eww: object { eww(text, status, &$0) }
    }
  }

  private func object(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
    var json = JSONWriter()
    json.beginObject()
    write(&json)
    json.endObject()
    json.endLine()
    return JSONLine.escapingControls(json.bytes)
  }

  /// Writes the members of waybar-custom(5). An empty text hides the module, `alt` selects an icon and `class` a style.
  private func waybar(_ text: String, _ status: BarStatus, _ json: inout JSONWriter) {
    let track = status.track
    let about = [track?.title, track?.allArtists, track?.metadata.album?.visible].compactMap(\.self)
    var classes = [status.stateName]
    if status.player.muted { classes.append("muted") }
    if status.player.output.state == .lost { classes.append("lost") }
    if let stream = status.player.stream?.state { classes.append(stream.rawValue) }
    json.member("text", text)
    json.member("alt", status.stateName)
    json.member("tooltip", escape(about.filter { !$0.isEmpty }.joined(separator: "\n")))
    json.member("class", classes)
    json.member("percentage", status.player.volume)
  }

  /// Writes the members of the `custom` block. An empty text hides the block. All icon sets contain these icons.
  private func i3statusRust(_ text: String, _ status: BarStatus, _ json: inout JSONWriter) {
    let icon =
      switch (text.isEmpty, status.player.state) {
      case (true, _): ""
      case (_, .playing): "music_play"
      case (_, .paused): "music_pause"
      case (_, .stopped): "music"
      }
    json.member("icon", icon)
    json.member("state", status.player.output.state == .lost ? "Warning" : "Idle")
    json.member("text", text)
    json.member("short_text", escape(status.track?.title ?? ""))
  }

  private func eww(_ text: String, _ status: BarStatus, _ json: inout JSONWriter) {
    json.member("text", text)
    json.member("state", status.stateName)
    json.member("title", status.track?.title ?? "")
    json.member("artist", status.track?.allArtists ?? "")
    json.member("album", status.track?.metadata.album?.visible ?? "")
    json.member("art", status.track?.metadata.art.flatMap(FileURI.decode)?.description ?? "")
    json.member("volume", status.player.volume)
    json.member("muted", status.player.muted)
  }

  /// Returns the tags in the format of yambar-modules-script(5): one per line, followed by an empty line.
  private func yambarTags(_ text: String, _ status: BarStatus) -> String {
    let track = status.track
    return """
      text|string|\(text)
      state|string|\(status.stateName)
      title|string|\(track?.title ?? "")
      artist|string|\(track?.allArtists ?? "")
      album|string|\(track?.metadata.album?.visible ?? "")
      volume|range:0-100|\(status.player.volume)
      muted|bool|\(status.player.muted)


      """
  }
}

extension String {
  /// The text escaped for polybar, which interprets `%{…}` and has no escape sequence for it. An invisible offset of
  /// zero is inserted between the two characters.
  fileprivate var escapedForPolybar: String {
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if scalar == "{", result.last == "%" { result.append(contentsOf: "%{O0}".unicodeScalars) }
      result.append(scalar)
    }
    return String(result)
  }

  /// The text escaped for tmux(1), which expands the output of a program twice: first formats, then styles. Both passes
  /// reduce `##` to `#`, with two exceptions: the first pass does not change a sequence of `#` before a `[`, and the
  /// second pass keeps a `#` that stands alone.
  fileprivate var escapedForTmux: String {
    var result = String.UnicodeScalarView()
    var pending = 0
    func flush(before next: Unicode.Scalar?) {
      let count = next == "[" ? pending * 2 : pending == 1 ? 2 : pending * 4
      result.append(contentsOf: repeatElement("#", count: count))
      pending = 0
    }
    for scalar in unicodeScalars {
      if scalar == "#" {
        pending += 1
      } else {
        flush(before: scalar)
        result.append(scalar)
      }
    }
    flush(before: nil)
    return String(result)
  }
}
