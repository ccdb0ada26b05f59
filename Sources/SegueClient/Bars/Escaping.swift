extension String {
  /// The text escaped for polybar, which interprets `%{…}` and has no escape sequence for it. An invisible offset of zero is
  /// inserted between the two characters.
  var escapedForPolybar: String {
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if scalar == "{", result.last == "%" { result.append(contentsOf: "%{O0}".unicodeScalars) }
      result.append(scalar)
    }
    return String(result)
  }

  /// The text escaped for tmux(1), which expands the output of a program twice: first formats, then styles. Both passes
  /// reduce `##` to `#`, but the second one keeps a single `#`, and the first one keeps all of them before a `[`.
  var escapedForTmux: String {
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
