extension String {
  /// polybar obeys `%{…}` and has no way to say that it is none: an offset of nothing between the two is seen by nobody.
  var escapedForPolybar: String {
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if scalar == "{", result.last == "%" { result.append(contentsOf: "%{O0}".unicodeScalars) }
      result.append(scalar)
    }
    return String(result)
  }

  /// tmux(1) reads what a program prints twice: for formats, in which `##` is a `#`, and for styles, in which it is again,
  /// except that a single one stays, and that the first reading leaves all of them before a `[`.
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
