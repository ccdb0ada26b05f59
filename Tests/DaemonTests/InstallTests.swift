import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of contrib/install: the installed files, their function, and the removal.
@Suite struct InstallTests {
  private let folder: TemporaryFolder
  private let script = Repository.root.appending("contrib/install").description
  /// The prefix contains a space, which all files with paths must support.
  private var prefix: FilePath { folder.path.appending("a place") }

  init() throws { folder = try TemporaryFolder() }

  private func install(_ arguments: String..., built: FilePath = WorkerProcess.product("segued").parent) throws -> (
    code: Int32?, output: String
  ) {
    try Command.run([script, "--bin", built.description, "--prefix", prefix.description] + arguments)
  }

  /// Returns every path below `folder`, with the mode and size of files.
  private func tree(_ folder: FilePath) throws -> [String] {
    let (code, output) = try Command.run(
      ["find", folder.description, "-type", "d", "-printf", "%p\n", "-o", "-printf", "%p %M %s\n"])
    #expect(code == 0)
    return output.split(separator: "\n").map(String.init).sorted()
  }

  private func line(_ start: String, of path: FilePath) throws -> String {
    let lines = String(decoding: try AudioFile.read(path), as: UTF8.self).split(separator: "\n").map(String.init)
    return try #require(lines.first { $0.hasPrefix(start) })
  }

  @Test func installedProgramsPlay() throws {
    let (code, output) = try install()
    #expect(code == 0, "\(output)")
    let fixture = try DaemonFixture(.null("test"))
    #expect(fixture.daemon.stop() == 0)
    fixture.daemon.program = prefix.appending("bin/segued")
    try fixture.daemon.start()
    try fixture.reconnect()
    try fixture.add([try fixture.track("long", 0..<(60 * Signal.rate))], play: true)
    try fixture.wait { $0.state == .playing && $0.output.state == .open }
    let worker = Processes.program(of: try fixture.decoder())
    #expect(worker == prefix.appending("libexec/segue/segue-worker").description)
    let client = try Command.run([prefix.appending("bin/segue").description, "--socket", "\(fixture.daemon.socket)"])
    #expect(client.code == 0)
    #expect(client.output.contains("state: playing"), "\(client.output)")
  }

  @Test func installedProgramsPlayStreams() throws {
    #expect(try install().code == 0)
    let fixture = try DaemonFixture(.null("test"))
    #expect(fixture.daemon.stop() == 0)
    fixture.daemon.program = prefix.appending("bin/segued")
    try fixture.daemon.start()
    try fixture.reconnect()
    let web = try WebServer(.radio(burst: 88_200))
    try fixture.add(uris: [web.url("radio")], play: true)
    try fixture.wait { $0.state == .playing && $0.output.state == .open }
    let programs = Processes.children(of: fixture.daemon.pid ?? 0).compactMap(Processes.program)
    let folder = prefix.appending("libexec/segue")
    #expect(Set(programs) == ["\(folder)/segue-worker", "\(folder)/segue-fetch"])
    withExtendedLifetime(web) {}
  }

  /// Where the profiles are in effect, the two programs exchange bytes only if each profile names the other program.
  @Test func profilesNameTheInstalledPrograms() throws {
    #expect(try install().code == 0)
    let folder = prefix.appending("libexec/segue")
    let programs = ["segue-worker", "segue-fetch"].map { folder.appending($0).description }
    for program in programs {
      let name = String(program.dropFirst().map { "/ ".contains($0) ? "." : $0 })
      let profile = prefix.appending("etc/apparmor.d/\(name)")
      #expect(try line("\"", of: profile) == "\"\(program)\" {")
      #expect(try line("  \"", of: profile) == "  \"\(program)\" mr,")
      let text = String(decoding: try AudioFile.read(profile), as: UTF8.self)
      for other in programs where other != program { #expect(text.contains("peer=(label=\"\(other)\")")) }
      #expect(text.contains("include if exists <local/\(name)>"))
      #expect(!text.contains("/usr/libexec/segue") && !text.contains("usr.libexec.segue"))
    }
  }

  @Test func installedUnitsAndDesktopFilesAreValid() throws {
    #expect(try install().code == 0)
    let units = ["segued.service", "segued.socket", "segue-web.service", "segue-web.socket"].map {
      "\(prefix)/lib/systemd/user/\($0)"
    }
    let verified = try Command.run(
      ["systemd-analyze", "--user", "verify"] + units, environment: ["XDG_RUNTIME_DIR": "\(folder.path)"])
    #expect(verified == (0, ""), "\(verified.output)")
    #expect(
      try line("ExecStart=", of: FilePath(units[0])) == "ExecStart=\"\(prefix)/bin/segued\"",
      "systemd-analyze has verified this program")
    let entry = prefix.appending("share/applications/segue.desktop")
    let valid = try Command.run(["desktop-file-validate", entry.description])
    #expect(valid == (0, ""), "\(valid.output)")
    #expect(try line("Exec=", of: entry).hasPrefix("Exec=\"\(prefix)/bin/segue\" "))
    #expect(try line("TryExec=", of: entry) == "TryExec=\(prefix)/bin/segued")
    #expect(try line("Icon=", of: entry) == "Icon=segue")
    let icon = prefix.appending("share/icons/hicolor/scalable/apps/segue.svg")
    #expect(try line("<svg ", of: icon).contains("viewBox"))
  }

  /// The MIME types of the player and of the desktop file are equal, except for folders, which belong to the file
  /// manager.
  @Test func theDesktopFileMatchesTheMPRISProperties() throws {
    let entry = Repository.root.appending("contrib/desktop/segue.desktop")
    let types = Set(try line("MimeType=", of: entry).dropFirst(9).split(separator: ";").map(String.init))
    let desktop = try DesktopSession(try DaemonProcess())
    let application = "org.mpris.MediaPlayer2"
    let announced = try desktop.property("SupportedMimeTypes", "as", of: application).elements ?? []
    #expect(types.union(["inode/directory"]) == Set(announced.compactMap(\.string)))
    #expect(try desktop.property("DesktopEntry", "s", of: application).string == "segue")
    let schemes = try desktop.property("SupportedUriSchemes", "as", of: application).elements ?? []
    #expect(Set(schemes.compactMap(\.string)).isSuperset(of: ["file", "http", "https", "itunes", "tmdb", "radio"]))
  }

  /// Only the version that the policy names is compared, because others may rate differently.
  @Test func theSecurityPolicyStatesTheExposureOfTheUnit() throws {
    let rating = try Command.run([Repository.root.appending("contrib/exposure").description]).output
    let parts = try #require(rating.wholeMatch(of: /(\d\.\d [A-Z]+) (\(systemd \d+\))\n/))
    let policy = String(decoding: try AudioFile.read(Repository.root.appending(".github/SECURITY.md")), as: UTF8.self)
    #expect(policy.contains(/the unit: \d\.\d [A-Z]+ \(systemd \d+\)/))
    if policy.contains(parts.2) { #expect(policy.contains("the unit: \(parts.1) \(parts.2)"), "\(rating)") }
  }

  @Test func uninstallRemovesExactlyWhatWasInstalled() throws {
    let old = prefix.appending("share/man/man1/ls.1")
    _ = try Command.run(["mkdir", "-p", old.parent.description])
    try AudioFile.write(Array("old".utf8), to: old)
    let before = try tree(folder.path)
    #expect(try install().code == 0)
    let once = try tree(folder.path)
    #expect(once.count > before.count + 16)
    // A second installation replaces a damaged file and removes one of an older version.
    try AudioFile.write([], to: prefix.appending("bin/segue"))
    let obsolete = prefix.appending("share/segue/obsolete")
    try AudioFile.write([], to: obsolete)
    let list = prefix.appending("share/segue/installed")
    let entries = try AudioFile.read(list)
    try AudioFile.append(Array("file \(obsolete)\n".utf8), to: list)
    #expect(try install().code == 0)
    #expect(try tree(folder.path) == once)
    #expect(try AudioFile.read(list) == entries, "the list still contains the folders that the first installation made")

    let own = prefix.appending("share/applications/own.desktop")
    try AudioFile.write(Array("own".utf8), to: own)
    #expect(try install("--uninstall").code == 0)
    try #require(try AudioFile.read(own) == Array("own".utf8))
    _ = try Command.run(["rm", own.description])
    #expect(try install("--uninstall").output.contains("has installed nothing"))
    let rest = try tree(folder.path)
    let kept = [prefix.appending("share/applications").description]
    #expect(rest.filter { !kept.contains($0) && !$0.contains("mimeinfo.cache") } == before)
  }

  @Test func filesOfALaterPackageAreKept() throws {
    #expect(try install().code == 0)
    let program = prefix.appending("bin/segue")
    let query = folder.path.appending("dpkg-query")
    try AudioFile.write(Array("#!/bin/sh\necho 'segue: \(program)'\n".utf8), to: query)
    try #require(chmod(query.description, 0o755) == 0)
    let removed = try Command.run(
      ["sh", "-c", "PATH='\(folder.path)':$PATH '\(script)' --prefix '\(prefix)' --uninstall"])
    #expect(removed.code == 0, "\(removed.output)")
    #expect(TemporaryFolder.names(in: program.parent).map { String(decoding: $0, as: UTF8.self) } == ["segue"])
  }

  @Test func installationForOneUserWorks() throws {
    let home = folder.path.appending("home")
    let settings = home.appending(".config/segue/segue.conf")
    _ = try Command.run(["mkdir", "-p", settings.parent.description])
    try AudioFile.write(Array("[Player]\n".utf8), to: settings)
    // The default search path of zsh.
    let zshrc = home.appending(".zshrc")
    try AudioFile.write([], to: zshrc)
    let before = try tree(home)
    let command = [script, "--user", "--bin", WorkerProcess.product("segued").parent.description]
    let (code, output) = try Command.run(command, environment: ["HOME": "\(home)"])
    #expect(code == 0, "\(output)")
    let service = home.appending(".local/share/systemd/user/segued.service")
    #expect(try line("ExecStart=", of: service) == "ExecStart=\"\(home)/.local/bin/segued\"")
    #expect(try Command.run(["\(home)/.local/bin/segued", "--version"]).code == 0)
    // The suggested line makes zsh find the completions, and is not suggested again.
    let line = try #require(output.firstMatch(of: /(fpath=\(.*\)) +in ~\/.zshrc/)).1
    try AudioFile.write(Array("\(line)\n".utf8), to: zshrc)
    let again = try Command.run(command, environment: ["HOME": "\(home)"])
    #expect(again.code == 0 && !again.output.contains("fpath"), "\(again.output)")
    let completions = try Command.run(
      ["zsh", "-i", "-c", "autoload -Uz compinit && compinit -u -D && print $_comps[segue]"],
      environment: ["HOME": "\(home)"])
    #expect(completions.output.hasSuffix("_segue\n"), "\(completions.output)")
    try AudioFile.write([], to: zshrc)
    #expect(try Command.run(command + ["--uninstall"], environment: ["HOME": "\(home)"]).code == 0)
    #expect(try tree(home) == before)
  }

  // MARK: Rejected installations, which change nothing

  private func expectRefusal(_ hint: String, _ arguments: String..., built: FilePath? = nil) throws {
    let before = try tree(folder.path)
    let built = built ?? WorkerProcess.product("segued").parent
    let (code, output) = try Command.run([script, "--bin", "\(built)", "--prefix", "\(prefix)"] + arguments)
    #expect(code == 1)
    #expect(output.hasPrefix("error: ") && output.contains(hint), "\(output)")
    #expect(try tree(folder.path) == before)
  }

  @Test func filesOfOthersAreNotOverwritten() throws {
    _ = try Command.run(["mkdir", "-p", "\(prefix)/bin"])
    try AudioFile.write(Array("#!/bin/sh\n".utf8), to: prefix.appending("bin/segue"))
    try expectRefusal("\(prefix)/bin/segue exists and was not installed")
  }

  @Test func librariesOfOthersAreNotReplacedByStubs() throws {
    let built = folder.path.appending("built")
    try #require(mkdir("\(built)", 0o755) == 0 && mkdir("\(built)/stubs", 0o755) == 0)
    for program in ["segue", "segue-ui", "segued", "segue-web", "segue-worker", "segue-fetch"] {
      try #require(symlink("\(WorkerProcess.product(program))", "\(built)/\(program)") == 0)
    }
    try AudioFile.write(Array("stub".utf8), to: built.appending("stubs/libsegue-stub.so"))
    try #require(symlink("libsegue-stub.so", "\(built)/stubs/libtest.so.1") == 0)
    let stubs = prefix.appending("libexec/segue/stubs")
    _ = try Command.run(["mkdir", "-p", "\(stubs)"])
    try #require(symlink("nothing", "\(stubs)/libtest.so.1") == 0)
    try expectRefusal("\(stubs)/libtest.so.1 exists and was not installed", built: built)
    try #require(unlink("\(stubs)/libtest.so.1") == 0)
    for _ in 0..<2 {
      let (code, output) = try install(built: built)
      #expect(code == 0, "\(output)")
    }
    #expect(try AudioFile.read(stubs.appending("libtest.so.1")) == Array("stub".utf8))
  }

  /// The script may run as root, and other users may be able to write the list.
  @Test(arguments: ["/etc/passwd", "bin/../../precious"]) func aListWithForeignPathsIsRejected(path: String) throws {
    #expect(try install().code == 0)
    let foreign = path.hasPrefix("/") ? path : "\(prefix)/\(path)"
    try AudioFile.append(Array("file \(foreign)\n".utf8), to: prefix.appending("share/segue/installed"))
    try expectRefusal("contains \(foreign), which contrib/install does not install", "--uninstall")
    try expectRefusal("contains \(foreign), which contrib/install does not install")
  }

  @Test func aPrefixThatCannotBeWrittenIsReported() throws {
    _ = try Command.run(["mkdir", "-p", "-m", "555", prefix.description])
    // Root may write everywhere unless it drops the capability.
    let unprivileged = geteuid() == 0 ? ["setpriv", "--bounding-set=-dac_override", "--"] : []
    let (code, output) = try Command.run(
      unprivileged + [script, "--bin", "\(WorkerProcess.product("segued").parent)", "--prefix", "\(prefix)"])
    #expect(code == 1)
    #expect(output.contains("\(prefix): permission denied") && output.contains("contrib/install --user"), "\(output)")
    #expect(TemporaryFolder.names(in: prefix).isEmpty)
  }

  @Test func invalidArgumentsAreReported() throws {
    try expectRefusal("\(folder.path)/segue: no such program", built: folder.path)
    try expectRefusal("--user and --prefix cannot be combined", "--user")
    try expectRefusal("unknown option --nonsense", "--nonsense")
    try expectRefusal("contains a character", "--prefix", "/tmp/100%")
    try AudioFile.write([], to: prefix)
    try expectRefusal("\(prefix) is not a folder")
  }
}
