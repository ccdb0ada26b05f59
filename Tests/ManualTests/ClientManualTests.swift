import SegueSystem
import SegueTestKit
import Testing

/// Tests that segue(1) documents exactly the verbs and options of the program.
@Suite struct ClientManualTests {
  let page: ManualPage

  init() throws { page = try ManualPage("segue.1") }

  /// The parsed output of `segue help VERB`.
  private struct Help {
    let usage: [String]
    let aliases: Set<String>
    let options: Set<String>
    let lines: [String]

    init(_ verb: String) throws {
      lines = try ClientProcess.run(["help", verb]).lines
      usage = try #require(lines.first).split(separator: " ").dropFirst(3).map(String.init)
      let also = lines.first { $0.contains("Also called: ") }?.split(separator: ":").last ?? ""
      aliases = Set(also.split(separator: ",").map { String($0.drop { $0 == " " }) })
      // The options after a pipe belong to other programs.
      let own = lines.filter { !$0.contains("|") || $0.hasPrefix("Usage") }.joined(separator: "\n")
      options = Set(own.matches(of: /--[a-z][a-z-]+/).map { String($0.0) })
    }
  }

  private static func overview() throws -> [String] { try ClientProcess.run(["--help"]).lines }

  private static func verbs() throws -> [String] {
    try overview().filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") && !$0.hasPrefix("  -") }
      .map { String($0.split(separator: " ")[0]) }.filter { $0 != "segue" }
  }

  private func item(_ verb: String) throws -> ManualItem {
    try #require(page.items(in: "VERBS").first { $0.names("Ic") == [verb] }, "\(verb) is not documented")
  }

  @Test func everyVerbIsDocumentedInOrder() throws {
    #expect(try page.items(in: "VERBS").map { $0.names("Ic").first } == Self.verbs())
  }

  @Test func usageOfEveryVerbIsDocumented() throws {
    for verb in try Self.verbs() {
      let (help, item) = (try Help(verb), try item(verb))
      let words = Set(help.usage.joined(separator: " ").matches(of: /--[a-z-]+|[A-Za-z]+/).map { String($0.0) })
      let documented = item.head.filter { $0.macro != "Ic" }.map(\.text)
      #expect(Set(documented.filter { $0.contains(where: \.isLetter) }) == words, "\(verb)")
    }
  }

  @Test func aliasesOfEveryVerbAreDocumented() throws {
    for verb in try Self.verbs() {
      let item = try item(verb)
      // The aliases follow "Also called".
      let start = item.body.indices.first { item.body[$0].text == "Also" }.map { $0 + 2 } ?? item.body.endIndex
      let names = item.body[start...].prefix { $0.macro == "Ic" }.map(\.text)
      #expect(try Set(names) == Help(verb).aliases, "\(verb)")
    }
  }

  @Test func optionsOfEveryVerbAreDocumented() throws {
    for verb in try Self.verbs() {
      let (item, options) = (try item(verb), try Help(verb).options)
      #expect(options.subtracting(item.words("Fl")) == [], "\(verb)")
    }
  }

  @Test func playlistActionsAreDocumented() throws {
    var verbs = ["list"]
    for line in try Help("playlist").lines {
      guard let example = line.firstMatch(of: /segue playlist ([a-z]+) NAME/) else { continue }
      if verbs.last != String(example.1) { verbs.append(String(example.1)) }
    }
    #expect(verbs.count > 5)
    #expect(try item("playlist").items.compactMap { $0.names("Cm").first } == verbs)
    for verb in verbs {
      // Without a name, the program prints the usage of the action.
      let errors = try ClientProcess.run(["playlist", verb]).errorText.split(separator: "\n")
      let usage = errors.first { $0.contains("usage: ") } ?? ""
      let documented = try #require(try item("playlist").items.first { $0.names("Cm").first == verb })
      for option in usage.matches(of: /--[a-z]+/) { #expect(documented.words("Fl").contains(String(option.0))) }
    }
  }

  @Test func settingsActionsAreDocumented() throws {
    let usage = try Help("settings").usage.joined(separator: " ")
    let actions = usage.matches(of: /\b[a-z]+\b/).map { String($0.0) }
    #expect(actions.count > 3)
    #expect(try item("settings").items.compactMap { $0.names("Cm").first } == actions)
  }

  @Test func globalOptionsAreDocumented() throws {
    let lines = try Self.overview()
    let start = try #require(lines.firstIndex { $0.hasPrefix("Options") })
    let options = lines[(start + 1)...].prefix { !$0.isEmpty }.flatMap { line in
      line.split(separator: " ").filter { $0.hasPrefix("-") }.map { String($0.filter { $0 != "," }) }
    }
    #expect(options.count > 6)
    #expect(page.items(in: "DESCRIPTION", "Options").flatMap { $0.names("Fl") } == options)
    #expect(try ClientProcess.run(["--colour", "never", "--help"]).code == 0)
  }

  @Test func exitStatusesAreDocumented() throws {
    let text = try Self.overview().joined(separator: " ")
    let statement = try #require(text.firstMatch(of: /Exit status: .*/)).0
    let codes = statement.matches(of: /\b[0-9]\b/).map { String($0.0) }
    #expect(page.items(in: "EXIT STATUS").map(\.head[0].text) == codes)
  }

  @Test func keysForProgramsAreDocumentedInOrder() throws {
    let daemon = try DaemonProcess()
    for verb in ["status", "library"] {
      let lines = try ClientProcess.run([verb], environment: ["SEGUE_SOCKET": "\(daemon.socket)"]).lines
      let keys = lines.map { String($0.prefix { $0 != ":" }) }.filter { $0 != "folder" && $0 != "failure" }
      #expect(keys.count > 5)
      #expect(Array(try item(verb).words("Cm").prefix(keys.count)) == keys)
    }
  }

  @Test func queryFiltersAreDocumented() throws {
    let help = try Help("search").lines.joined(separator: "\n")
    let filters = Set(help.matches(of: /\b([a-z]+):/).map { String($0.1) }).subtracting(["search", "script"])
    #expect(filters.count > 7)
    #expect(filters.subtracting(page.items(in: "QUERIES").flatMap { $0.names("Cm") }) == [])
  }

  @Test func environmentVariablesAreDocumented() throws {
    let own = try Repository.environmentVariables(readIn: ["SegueCLI", "SegueClientKit"])
    #expect(own.contains("NO_COLOR"))
    let documented = Set(page.items(in: "ENVIRONMENT").flatMap { $0.names("Ev") })
    #expect(own.subtracting(documented) == [])
    let shared = try Repository.environmentVariables(readIn: ["SegueSystem"])
    #expect(documented.subtracting(own).subtracting(shared) == [])
  }
}
