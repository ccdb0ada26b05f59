import SegueSystem
import SegueTestKit
import Testing

/// Tests that `contrib/lint` finds a bad example of each rule, and only that.
@Suite struct LintTests {
  /// A tree of files with one fault, or none.
  struct Example: CustomTestStringConvertible, Sendable {
    let name: String
    let files: [String: String]
    /// The beginning of the only message; nil if there is none.
    let fault: String?

    init(_ name: String, _ files: [String: String], _ fault: String? = nil) {
      self.name = name
      self.files = files
      self.fault = fault
    }

    var testDescription: String { name }
  }

  private static let words = Array(repeating: "word", count: 30).joined(separator: " ")
  private static let file = "Sources/A/File.swift"

  static let examples = [
    Example(
      "names of types, functions, files and folders that exist",
      [
        file: "struct Deck {\n  func play(at: Int) {}\n}\n", "contrib/run": "",
        "README.md":
          "`Deck`, `play(at:)`, `File.swift`, `Sources/A`, `A/`, `contrib/run ~/Music`\n[file](Sources/A/File.swift)\n",
        "contrib/docs/page.md": "[file](../../Sources/A/File.swift#part), [web](https://example.org/x)\n",
      ]),
    Example(
      "a type that exists in a comment only", [file: "// Deck\n", "README.md": "A\n`Deck`\n"],
      "README.md:2: `Deck` does not exist; "),
    Example(
      "a word that is no type", [file: "let text = \"TapeDeck\"\n", "Sources/README.md": "`TapeDeck`\n"],
      "Sources/README.md:1: `TapeDeck` does not exist; "),
    Example(
      "a former folder", [file: "", "contrib/decisions/1.md": "`Decks/`\n"],
      "contrib/decisions/1.md:1: `Decks/` does not exist; "),
    Example(
      "a former script", [file: "", "README.md": "```sh\nsudo contrib/walk ~/Music\n```\n"],
      "README.md:2: sudo contrib/walk does not exist; "),
    Example(
      "a link that leads nowhere", [file: "", "contrib/docs/page.md": "[page](README.md)\n"],
      "contrib/docs/page.md:1: the link leads to README.md, "),
    Example(
      "a wide line of code or text", [file: "let text = \"\(words) // \(words)\"\n\"\"\"\n// \(words)\n\"\"\"\n"]),
    Example(
      "a suite that its own file uses",
      [
        "Tests/ATests/DeckTests.swift": "@Suite struct DeckTests {\n}\nlet a = DeckTests.a\n",
        "Tests/BTests/b.swift": "DeckTests.a\n",
      ]),
    Example(
      "a suite that another file uses",
      [
        "Tests/ATests/DeckTests.swift": "@Suite struct DeckTests {\n}\n",
        "Tests/ATests/a.swift": "// DeckTests\nDeckTests.a\n",
      ],
      "Tests/ATests/a.swift:2: DeckTests is the suite of "),
    Example("a wide comment", [file: "\n// \(words)\n"], "\(file):2: the comment ends in column 152; "),
    Example(
      "a wide comment behind code", [file: "let a = 1  // \(words)\n"], "\(file):1: the comment ends in column 163; "),
    Example(
      "the forms of the line with the thread",
      [
        "Sources/A/1.swift": "// Thread: the loop.\n", "Sources/A/2.swift": "// Thread: \"scan\". It waits.\n",
        "Sources/A/3.swift": "// Thread: any. The work is done on the thread \"files\".\n",
        "Sources/A/4.swift": "/// A thread.\n",
      ]),
    Example(
      "another form", [file: "// On the loop thread only.\n"], "\(file):1: the line names a thread in an unusual form; "
    ),
    Example(
      "proofs",
      [
        file: """
        // Proof: only the main function uses it.
        nonisolated(unsafe) var count = 0
        final class Box: @unchecked Sendable {
          // Proof: it is constant.
        }
        """ + "\n"
      ]),
    Example(
      "unsafe state without a proof", [file: "nonisolated(unsafe) var count = 0\n"],
      "\(file):1: nonisolated(unsafe) has no proof; "),
    Example(
      "an unchecked type without a proof", [file: "final class Box: @unchecked Sendable {}\n"],
      "\(file):1: @unchecked Sendable has no proof; "),
    Example(
      "an unretained reference without a proof", [file: "let pointer = Unmanaged.passUnretained(box).toOpaque()\n"],
      "\(file):1: Unmanaged.passUnretained has no proof; "),
    Example(
      "types of modules",
      [
        "Sources/A/Deck.swift": "struct Deck {}\nprivate struct State {}\n",
        "Sources/B/Tape.swift": "struct Tape {\n  struct Deck {}\n}\nprivate struct State {}\n",
      ]),
    Example(
      "a name of two types",
      ["Sources/A/Deck.swift": "package struct Deck {}\n", "Sources/B/Tape.swift": "enum Deck {}\n"],
      "Sources/B/Tape.swift:1: Deck is also a type in Sources/A/Deck.swift:1; "),
    Example("a file of 500 lines", [file: String(repeating: "\n", count: 500)]),
    Example(
      "a longer file", [file: String(repeating: "\n", count: 501)], "\(file):501: the file has 501 lines; "),
    Example("a longer file that is generated", ["Sources/A/Generated/File.swift": String(repeating: "\n", count: 501)]),
    Example(
      "a release that the programs do not have",
      [
        "Sources/SegueSystem/Processes/Version.swift": "  public static let program = \"1.2.3\"\n",
        "contrib/CHANGELOG.md": "# Changelog\n\n## 1.2.4 – 2026-01-02\n\n## 1.2.3 – 2026-01-01\n",
      ], "contrib/CHANGELOG.md:3: the programs are version 1.2.3; "),
  ]

  @Test(arguments: examples) func aFaultIsReportedWithItsPlace(_ example: Example) throws {
    let folder = try TemporaryFolder()
    for (name, text) in example.files {
      var parent = folder.path
      for part in name.split(separator: "/").dropLast() { parent = parent.appending(String(part)) }
      try Folder.create(parent)
      try folder.write(name, Array(text.utf8))
    }
    let (code, text) = try Self.lint([folder.path.description])
    let messages = text.split(separator: "\n")
    if let fault = example.fault {
      #expect(code == 1 && messages.count == 1 && text.hasPrefix(fault), "\(text)")
    } else {
      #expect(code == 0 && text == "", "\(text)")
    }
  }

  @Test func helpNamesEveryRule() throws {
    let (code, text) = try Self.lint(["--help"])
    #expect(code == 0)
    for rule in ["names", "width", "threads", "proofs", "types", "length", "version"] {
      #expect(text.contains("\n  \(rule) "), "\(rule)")
    }
  }

  @Test func aFolderThatDoesNotExistIsAnError() throws {
    let (code, text) = try Self.lint(["/nowhere"])
    #expect(code == 1 && text.hasPrefix("usage: contrib/lint "), "\(text)")
  }

  private static func lint(_ arguments: [String]) throws -> (code: Int32?, text: String) {
    let command = ["python3", Repository.root.appending("contrib/lint").description] + arguments
    return try ChildProcess.run(command, environment: ["PATH": "/usr/bin:/bin"], errors: true)
  }
}
