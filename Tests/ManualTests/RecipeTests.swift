import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests that the programs accept the examples of segue-recipes(7), and that those which need no other machine, window
/// manager or service manager do what the page says.
@Suite struct RecipeTests {
  private let recipes: [Recipe]

  init() throws { recipes = try ManualPage("segue-recipes.7").displays.map(Recipe.init) }

  private static func isInstalled(_ program: String) -> Bool { access("/usr/bin/\(program)", X_OK) == 0 }

  private func recipe(with text: String) throws -> Recipe {
    try #require(recipes.first { $0.text.contains(text) }, "no recipe contains \(text)")
  }

  // MARK: Arguments

  @Test func everyCallOfSegueIsAccepted() throws {
    let folder = try TemporaryFolder()
    try folder.write("queue.m3u8")
    let calls = recipes.flatMap { $0.calls }
    #expect(calls.count > 80)
    for call in calls {
      let program = try ClientProcess(
        call, environment: ["SEGUE_SOCKET": "\(folder.path)/socket"], folder: folder.path)
      // A call that follows the daemon prints a line without one, and does not end.
      if call.contains("--follow"), try program.readLine() != nil { continue }
      let outcome = try program.finish()
      // The daemon is needed after the arguments are accepted, unless there are none on standard input.
      let isAccepted = outcome.code == 3 || outcome.code == 0 && call.contains("-")
      #expect(isAccepted, "segue \(call): \(outcome.errorText)")
    }
  }

  @Test func everyScriptIsValid() throws {
    let scripts = recipes.filter { $0.text.hasPrefix("#!") }
    #expect(scripts.count > 2)
    for script in scripts {
      let code = try ChildProcess.run(["sh", "-n", "-c", script.text], environment: ["PATH": "/usr/bin:/bin"]).code
      #expect(code == 0, "\(script.text)")
    }
  }

  // MARK: Menus

  @Test(.enabled(if: isInstalled("fzf"), "fzf is not installed")) func menusOfFzf_playWhatIsChosen() throws {
    try checkMenus(of: "fzf", script: #"exec /usr/bin/fzf --exact --filter "$CHOICE" "$@""#, verbs: 5)
  }

  @Test(arguments: ["rofi", "dmenu"]) func menusOnTheDesktop_playWhatIsChosen(menu: String) throws {
    // These programs print the chosen line and need a display. The page says which options make them do so.
    try checkMenus(of: menu, script: #"exec grep --fixed-strings -e "$CHOICE""#, verbs: 2)
  }

  private func checkMenus(of menu: String, script: String, verbs: Int) throws {
    let fixture = try RecipeFixture()
    try fixture.addProgram(menu, script: script)
    let commands = recipes.flatMap { recipe in
      recipe.commands.filter { $0.contains(" \(menu) -") && !$0.contains("rating") }
    }
    #expect(Set(commands.map { verb(of: $0) }).count == verbs)
    for command in commands {
      let choices = fixture.choices(of: verb(of: command))
      #expect(!choices.isEmpty, "\(command)")
      for choice in choices {
        try fixture.reset()
        let code = try fixture.run(command, choosing: choice.text)
        #expect(code == 0, "\(command)")
        let current = try fixture.status().track?.uri
        #expect(current == choice.uri, "\(choice.text): \(command)")
      }
      // A menu that is closed prints nothing, and nothing is played.
      try fixture.reset()
      try fixture.run(command, choosing: "no such line")
      let state = try fixture.status().state
      #expect(state == .stopped, "\(command)")
    }
  }

  /// Returns the first verb of a command.
  private func verb(of command: String) -> String { String(command.split(separator: " ")[1]) }

  // MARK: Queue and tracks

  @Test(.enabled(if: isInstalled("jq"), "jq is not installed")) func queueIsWrittenToAPlaylistAndReadAgain() throws {
    let fixture = try RecipeFixture()
    try fixture.reset()
    let code = try fixture.run(recipe(with: "#EXTM3U").text)
    #expect(code == 0)
    let queue = try fixture.queue()
    #expect(queue == fixture.uris)
    let lines = try Repository.lines(of: fixture.home.appending("queue.m3u8"))
    #expect(lines.filter { !$0.hasPrefix("#") && !$0.isEmpty } == fixture.uris)
    #expect(lines.contains { $0.hasPrefix("#EXTINF:") && $0.hasSuffix(",--help - --play") })
  }

  @Test func tracksThatWereNeverPlayed_arePlayed() throws {
    let fixture = try RecipeFixture()
    try fixture.reset()
    let code = try fixture.run(recipe(with: "uniq -u").text)
    #expect(code == 0)
    let queue = try fixture.queue()
    #expect(Set(queue) == Set(fixture.uris))
    let state = try fixture.status().state
    #expect(state == .playing)
  }

  @Test(.enabled(if: isInstalled("jq"), "jq is not installed")) func scriptWritesEveryTrackThatBegins() throws {
    let fixture = try RecipeFixture()
    try fixture.reset()
    let script = try ChildProcess(
      ["sh", "-c", recipe(with: "now-playing").text], environment: fixture.environment())
    defer { script.end(SIGKILL) }
    for (number, text) in [("3", "--help - --play"), ("4", "Кино - Война")] {
      try fixture.segue("play", number)
      try waitUntil("the script writes \(text)") {
        let path = fixture.home.appending("now-playing")
        return ((try? Repository.lines(of: path)) ?? []).first == text
      }
    }
  }
}
