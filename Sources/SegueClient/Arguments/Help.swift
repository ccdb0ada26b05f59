internal import SegueSystem

/// The help texts, generated from the table of verbs.
enum Help {
  /// The output of `segue --help`.
  static var overview: String {
    var text = """
      segue: listen to music with segued

      Usage:  segue [OPTION…] VERB [ARGUMENT…]        without a verb: status

      Begin here:
        segue add ~/Music          put a folder into the queue
        segue play                 start; again after a pause: go on
        segue                      what is heard, and how far it is
        segue next                 the next one; segue seek +30, segue volume -5, …
        segue search kino --play   play what the library has of it

      """
    for category in Verb.Category.allCases {
      text += "\n\(category.rawValue):\n"
      for verb in category.verbs {
        text += row(verb.syntax.isEmpty ? verb.name : "\(verb.name) \(verb.syntax)", verb.summary)
      }
    }
    text += "\nOptions, before or after the verb:\n"
    for option in Options.all { text += row(option.syntax, option.summary) }
    return text + """

      A number is an entry's place in the queue, from 1, as   segue list   shows it.
      A TIME is seconds (90), a clock (1:30, 1:02:03.5) or amounts (1h30m, 45s).
      segue help VERB   tells the rest, with examples.

      Exit status: 0 done · 1 the daemon refused · 2 the command line is wrong ·
      3 no daemon. Start one:  systemctl --user start segued.socket   or   segued &
      """
  }

  /// Returns the output of `segue help VERB`.
  static func text(for verb: Verb) -> String {
    var text = "Usage:  \(verb.usage)\n\n  \(verb.summary)"
    if !verb.aliases.isEmpty { text += "\n  Also called: \(verb.aliases.joined(separator: ", "))" }
    if !verb.details.isEmpty {
      text +=
        "\n\n"
        + verb.details.split(separator: "\n", omittingEmptySubsequences: false)
        .map { $0.isEmpty ? "" : "  \($0)" }.joined(separator: "\n")
    }
    return text
  }

  /// Returns a row with two columns. The right one starts on a line of its own if the left one is too wide.
  private static func row(_ left: String, _ right: String) -> String {
    let column = 26
    let gap = column - DisplayWidth.of(left)
    return gap > 1
      ? "  \(left)\(String(repeating: " ", count: gap))\(right)\n"
      : "  \(left)\n  \(String(repeating: " ", count: column))\(right)\n"
  }
}
