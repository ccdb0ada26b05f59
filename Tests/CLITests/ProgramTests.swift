import Glibc
import SegueSystem
import SegueTestKit
import SegueUnicode
import Testing

@testable import SegueCLI

/// Tests of the help, the version and the linked libraries of the program.
@Suite struct ProgramTests {
  @Test func noWordOfAnotherProgramIsAVerb() {
    for name in Verb.all.flatMap({ [$0.name] + $0.aliases }) {
      #expect(ForeignVerb.equivalent(of: name) == nil, "\(name)")
    }
  }

  @Test func helpListsEveryVerbAndFits80Columns() throws {
    let help = try ClientProcess.run(["--help"])
    #expect(help.code == 0 && help.errors == [])
    #expect(try ClientProcess.run(["help"]).lines == help.lines)
    #expect(try ClientProcess.run(["-h"]).lines == help.lines)
    let verbs = help.lines.filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") && !$0.hasPrefix("  -") }
      .map { String($0.split(separator: " ")[0]) }.filter { $0 != "segue" }
    for verb in verbs + [
      "status", "list", "play", "pause", "toggle", "stop", "next", "prev", "seek", "add", "insert", "remove", "move",
      "clear", "undo", "redo", "volume", "repeat", "shuffle", "consume", "speed", "sleep", "outputs", "watch", "rpc",
      "stats", "shutdown",
      "version", "help", "search", "suggest", "albums", "artists", "genres", "browse", "tracks", "album", "artist",
      "fav", "rate",
      "history", "playlist", "lyrics", "library", "scan", "art", "gain", "chapters", "popular", "radio", "people",
      "person", "info", "providers",
    ] {
      #expect(verbs.contains(verb), "\(verb)")
      let own = try ClientProcess.run(["help", verb])
      #expect(own.code == 0 && own.lines.first?.hasPrefix("Usage:  segue \(verb)") == true)
      #expect(try ClientProcess.run([verb, "--help"]).lines == own.lines)
      #expect(own.lines.allSatisfy { DisplayWidth.of($0) <= 80 }, "\(verb)")
      let examples = own.lines.dropFirst().filter { $0.hasPrefix("    ") && $0.contains("segue \(verb)") }
      #expect(!examples.isEmpty, "the help of \(verb) has an example")
    }
    #expect(help.lines.filter { DisplayWidth.of($0) > 80 } == [])
    let plain = try ClientProcess.run(["--help"], environment: ["LANG": "C"])
    #expect(plain.output.allSatisfy { $0 < 0x80 })
  }

  @Test func versionOptionWorksWithoutADaemon() throws {
    let outcome = try ClientProcess.run(["--version"])
    #expect(try ClientProcess.run(["-V"]).lines == outcome.lines)
    #expect(outcome.code == 0 && outcome.lines == ["segue \(Version.program)"])
    let both = try ClientProcess.run(["version"], environment: ["SEGUE_SOCKET": "/nonexistent/socket"])
    #expect(both.code == 3 && both.lines == outcome.lines)
  }

  /// The start takes only a few milliseconds because few libraries are loaded.
  @Test(.disabled(if: Sanitizer.isOn, "sanitizers link further libraries")) func clientLinksOnlyLightLibraries() throws
  {
    let needed = try neededLibraries(of: WorkerProcess.product("segue"))
    #expect(needed.contains { $0.hasPrefix("libjansson") })
    let allowed = [
      "libc.so", "libm.so", "libgcc_s.so", "libstdc++.so", "libjansson.so", "libutf8proc.so", "libswift", "ld-linux",
    ]
    #expect(needed.filter { name in !allowed.contains { name.hasPrefix($0) } } == [])
  }

  /// Returns the DT_NEEDED entries of an ELF file.
  private func neededLibraries(of file: FilePath) throws -> [String] {
    let stream = try #require(popen("readelf -d '\(file)'", "r"))
    defer { pclose(stream) }
    var text: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while case let count = fread(&chunk, 1, chunk.count, stream), count > 0 { text += chunk[..<count] }
    return String(decoding: text, as: UTF8.self).split(separator: "\n").filter { $0.contains("(NEEDED)") }
      .compactMap { $0.split(separator: "[").last.map { String($0.dropLast()) } }
  }
}
