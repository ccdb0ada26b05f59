internal import SegueClientKit
internal import SegueUnicode

/// The help texts, generated from the table of verbs.
enum Help {
  /// The output of `segue --help`.
  static var overview: String {
    var text =
      tr(
        """
        segue: play music with segued

        Usage:  segue [OPTION…] VERB [ARGUMENT…]        default verb: status

        Getting started:
          segue add ~/Music          add a folder to the queue
          segue play                 start playback, or resume it after a pause
          segue                      show the current track and position
          segue next                 skip to the next track; see also seek and volume
          segue search kino --play   search the library and play the results
        """) + "\n"
    for category in Verb.Category.allCases {
      text += "\n\(category.heading):\n"
      for verb in category.verbs {
        text += row(verb.form, verb.summary)
      }
    }
    text += "\n" + tr("Options (before or after the verb):") + "\n"
    for option in Options.all {
      let names = option.names.joined(separator: ", ")
      text += row(option.value.map { "\(names) \(Placeholders.translated($0))" } ?? names, option.summary)
    }
    return text + "\n"
      + tr(
        """
        N is the number of a queue entry, counted from 1, as   segue list   shows it.
        A TIME is in seconds (90), a clock time (1:30, 1:02:03.5) or has units (1h30m).
        segue help VERB   shows details and examples.

        Exit status: 0 success · 1 error · 2 invalid command line · 3 no daemon running
        To start the daemon:  systemctl --user start segued.socket   or   segued &
        """)
  }

  /// Returns the output of `segue help VERB`.
  static func text(for verb: Verb) -> String {
    var text = tr("Usage:  %1$s", verb.usage) + "\n\n  \(verb.summary)"
    if !verb.aliases.isEmpty {
      let names = verb.aliases.joined(separator: ", ")
      text += "\n  " + trn("Also called: %2$s", "Also called: %2$s", verb.aliases.count, names)
    }
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
