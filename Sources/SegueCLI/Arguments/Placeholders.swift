internal import SegueClientKit

/// The words in capital letters that stand for a value in usage lines, such as `PATH` in `segue add PATH|URL…`.
enum Placeholders {
  /// All words that have translations. `N`, `URL`, `URI` and `JSON` are the same in every language.
  private static let words = [
    trLater("ARGUMENT"), trLater("BAR"), trLater("CODE"), trLater("COMMAND"), trLater("DB"), trLater("FACTOR"),
    trLater("GENRE"), trLater("KEY"), trLater("KIND"), trLater("METHOD"), trLater("NAME"),
    trLater("NEW"), trLater("OPTION"), trLater("PART"), trLater("PATH"), trLater("PREFIX"), trLater("QUERY"),
    trLater("ROLE"), trLater("SECONDS"), trLater("SIZE"), trLater("TAG"), trLater("TEMPLATE"), trLater("TERM"),
    trLater("TIME"),
    trLater("TO"), trLater("TOPIC"), trLater("VALUE"), trLater("VERB"), trLater("WHEN"), trLater("WORD"),
  ]

  /// Returns a usage line with its placeholders in the language of the user.
  static func translated(_ syntax: String) -> String {
    var (text, word) = ("", "")
    for character in syntax + " " {
      if character.isASCII, character.isUppercase {
        word.append(character)
      } else {
        text += words.contains(word) ? SegueClientKit.translated(text: word) : word
        text.append(character)
        word = ""
      }
    }
    return String(text.dropLast())
  }
}
