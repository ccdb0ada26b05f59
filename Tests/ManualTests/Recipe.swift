/// A literal display of segue-recipes(7): commands of the shell, a script, or lines of a configuration.
struct Recipe {
  let text: String

  /// The commands of the shell. A line that ends in a pipe or a backslash, or in quotes, continues in the next one.
  var commands: [String] {
    var commands: [String] = []
    var command = ""
    for line in text.split(separator: "\n") {
      command += line + "\n"
      let isInQuotes = command.count { $0 == "'" } % 2 == 1
      guard !isInQuotes, !line.hasSuffix("|"), !line.hasSuffix("\\") else { continue }
      commands.append(command)
      command = ""
    }
    return commands
  }

  /// The arguments of each call of `segue`, also of those in quotes and in lines of a configuration.
  var calls: [[String]] {
    text.matches(of: #/(?:^|[\s('])segue /#.anchorsMatchLineEndings()).flatMap { match in
      let isCalledByXargs = text[..<match.startIndex].hasSuffix("xargs -r")
      return Self.alternatives(of: Self.words(of: text[match.endIndex...]) + (isCalledByXargs ? ["1"] : []))
    }
  }

  /// Returns the words up to the end of a command of the shell, without their quotes.
  private static func words(of text: Substring) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    for character in text {
      if let open = quote {
        if character == open { quote = nil } else { word?.append(character) }
      } else if character == "'" || character == "\"" {
        // A quote within a word ends the string in which the whole command is.
        guard word == nil else { break }
        (quote, word) = (character, "")
      } else if "|;&)<>\n".contains(character) {
        // The number before a redirection is no argument.
        if character == ">", word?.allSatisfy(\.isNumber) == true { word = nil }
        break
      } else if character == " " {
        words += word.map { [$0] } ?? []
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    return (words + (word.map { [$0] } ?? [])).map { placeholders[$0] ?? $0 }
  }

  /// Values for what the shell and fzf replace.
  private static let placeholders = ["{1}": "segue:album/1", "$volume": "50"]

  /// Returns the lists of words for which sxhkd takes `words`: one for each of the alternatives in braces.
  private static func alternatives(of words: [String]) -> [[String]] {
    guard let index = words.firstIndex(where: { $0.hasPrefix("{") && !$0.hasPrefix("{{") }) else { return [words] }
    return words[index].dropFirst().dropLast().split(separator: ",").map { alternative in
      var words = words
      words[index] = String(alternative)
      return words
    }
  }
}
