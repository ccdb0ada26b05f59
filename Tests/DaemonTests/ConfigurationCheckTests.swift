import Glibc
import SegueSystem
import SegueTestKit
import Testing

/// Tests of `segued --check-config`, which reports errors without starting a daemon.
@Suite struct ConfigurationCheckTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func check(_ file: FilePath? = nil) throws -> (code: Int32?, lines: [Substring]) {
    try run(["--check-config"] + (file.map { [$0.description] } ?? []))
  }

  private func run(_ arguments: [String]) throws -> (code: Int32?, lines: [Substring]) {
    let (code, text) = try ChildProcess.run(
      [WorkerProcess.product("segued").description] + arguments,
      environment: ["XDG_CONFIG_HOME": folder.path.description], errors: true)
    return (code, text.split(separator: "\n"))
  }

  @Test func everyConfigurationErrorHasALineAndASuggestion() throws {
    let file = try folder.write(
      "mine", Array("[Player]\nRestore=resume\nGracePeriot=3\nReplayGain=albun\n[Libary]\n".utf8))
    let (code, lines) = try check(file)
    #expect(code == 1)
    #expect(
      lines == [
        "\(file):3: unknown key GracePeriot=; did you mean GracePeriod=?",
        "\(file):4: ReplayGain=albun is not one of off, track, album, auto; did you mean album?",
        "\(file):5: unknown section [Libary]; did you mean [Library]?",
      ])
  }

  @Test func aSuggestionIsASimilarNameThatIsValidInTheSection() throws {
    let file = try folder.write(
      "mine", Array("[Output]\nRatee=1\nGracePeriot=3\nColour=red\nRate=fast\n[Sound]\n".utf8))
    let rates = "source, 32000, 44100, 48000, 88200, 96000, 176400, 192000, 352800, 384000"
    #expect(
      try check(file).lines == [
        "\(file):2: unknown key Ratee=; did you mean Rate=?",
        "\(file):3: unknown key GracePeriot=; did you mean GracePeriod= in section [Player]?",
        "\(file):4: unknown key Colour=", "\(file):5: Rate=fast is not one of \(rates)",
        "\(file):6: unknown section [Sound]; the sections are [Library], [Output], [Player], [Desktop], [Network], [Catalog]",
      ])
  }

  @Test func theDefaultConfigurationIsCheckedWithoutAnArgument() throws {
    folder.path.appending("segue").withCString { _ = mkdir($0, 0o700) }
    let file = try folder.write("segue/segue.conf", Array("[Output]\nDevise=x\n".utf8))
    #expect(try check() == (1, ["\(file):2: unknown key Devise=; did you mean Device=?"]))
    try folder.write("segue/segue.conf", Array("[Output]\nDevice=x\n".utf8))
    #expect(try check() == (0, ["\(file): no errors"]))
  }

  @Test func optionsMayFollowInAnyOrder() throws {
    let none = "\(folder.path.appending("segue/segue.conf")): no configuration file; using defaults"
    let named = try folder.write("mine", Array("[Output]\nDevice=x\n".utf8))
    #expect(try run(["--check-config", "--verbose"]) == (0, [none[...]]))
    #expect(try run(["-v", "--check-config"]) == (0, [none[...]]))
    #expect(try run(["--check-config", "\(named)", "--verbose"]) == (0, ["\(named): no errors"]))
    let invalid = try run(["--check-config", "--verbos"])
    #expect(invalid.code == 2)
    #expect(invalid.lines.contains { $0.contains("unknown option: --verbos") })
  }

  @Test func aMissingConfigurationIsAnErrorOnlyIfNamed() throws {
    let standard = folder.path.appending("segue/segue.conf")
    #expect(try check() == (0, ["\(standard): no configuration file; using defaults"]))
    let (code, lines) = try check(folder.path.appending("no"))
    #expect(code == 1)
    #expect(lines == ["\(folder.path)/no: file not found"])
  }
}
