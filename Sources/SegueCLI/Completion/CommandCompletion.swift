internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// The hidden verb `complete`, which the completions in contrib/completions call.
///
/// Its arguments are the words after the program, the last of which is being typed. It prints the candidates for that
/// word, one per line, each with a tab and a description if there is one. An empty line says that files are candidates,
/// too, and that the shell finds them; the candidates after it are less likely than files. It prints no errors, and
/// does not start the daemon.
struct CommandCompletion {
  static let verb = "complete"

  struct Candidate {
    let word: String
    let description: String

    init(_ word: String, _ description: String = "") {
      self.word = word
      self.description = description.visible
    }

    /// Files that the shell finds.
    static let files = Candidate("")
  }

  /// The verb and its arguments, without options.
  private var given: [String] = []
  /// Whether the words after the current one are no options.
  private var isEnded = false
  /// The option whose value is being typed.
  private var option: String?
  /// The part of the typed word before the value of an option, such as `--output=`.
  private var head = ""
  private var typed: String
  private var socket: FilePath?

  init(_ words: [Argument]) {
    typed = words.last?.text ?? ""
    var rest = words.dropLast()
    while let word = rest.popFirst() {
      guard !isEnded, word.isOption else {
        given.append(word.text)
        continue
      }
      isEnded = word.text == "--"
      let (name, attached) = word.nameAndValue
      guard values(of: name) != nil else { continue }
      guard let value = attached ?? rest.popFirst() else {
        option = name
        continue
      }
      if name == "--socket" { socket = value.path }
    }
    guard option == nil, let word = words.last, isOption else { return }
    let (name, attached) = word.nameAndValue
    if let attached {
      (option, typed) = (name, attached.text)
      head = name + "="
    }
  }

  /// Whether the typed word is an option.
  private var isOption: Bool { !isEnded && typed.hasPrefix("-") }

  private var verb: Verb? { given.first.flatMap { try? Verb.named($0) } }

  /// The lines to print.
  var lines: [String] {
    let values = LiveValues(typed: typed, socket: socket)
    let candidates =
      if option == nil, isOption { options } else { kinds.flatMap(values.candidates) }
    let start = typed.lowercased()
    var seen: Set<String> = []
    return candidates.compactMap { candidate in
      let word = candidate.word
      // The program would treat a name with a dash as an option, and other characters may control the terminal.
      guard isOption || isEnded || !word.hasPrefix("-"), word == word.visible,
        word.isEmpty || word.lowercased().containsSubstring(start), seen.insert(word).inserted
      else { return nil }
      let line = word.isEmpty ? "" : head + word
      return candidate.description.isEmpty ? line : "\(line)\t\(candidate.description)"
    }
  }

  /// The options of the program and those of the verb.
  private var options: [Candidate] {
    Options.all.flatMap { option in option.names.map { Candidate($0, option.summary) } }
      + (verb?.options ?? []).map { Candidate($0.rawValue) }
  }

  /// The values that the typed word may have.
  private var kinds: [ArgumentValues.Kind] {
    if let option { return values(of: option) ?? [] }
    return given.isEmpty ? [.verbs] : verb?.values.next(given.dropFirst()) ?? []
  }

  /// Returns the values that an option accepts; nil if it takes none.
  private func values(of option: String) -> [ArgumentValues.Kind]? {
    switch option {
    case "--socket": return [.files]
    case "--color", "--colour": return [.words(Options.Color.words)]
    default: break
    }
    return switch VerbOption.Name(rawValue: option) {
    case .output: [.words(BarOutput.words)]
    case .size: [.words(Art.Size.words)]
    case .kind: [.words(CatalogItem.Kind.words)]
    case .provider: [.providers]
    case .sort: [.words(verb?.orders ?? [])]
    case .genre: [.genres(kind)]
    case .role: [.words(Role.words)]
    case .format, .country, .limit, .page, .port: []
    case .follow, .play, .add, .next, .replace, .watch, .loudness, .cancel, .show, .track, .online, .reverse, .refresh,
      .tiles, .number, .plain, .checkConfiguration, .lan, nil:
      nil
    }
  }

  /// The kind of the items that the verb lists.
  private var kind: CatalogItem.Kind {
    if verb?.name == "radio" { return .station }
    return given.dropFirst().first.flatMap { try? CatalogItem.Kind(parsing: $0) } ?? .song
  }
}
