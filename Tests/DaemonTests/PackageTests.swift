import SegueSystem
import SegueTestKit
import Testing

/// Tests of the Debian source package, which `contrib/package` builds, and of the scripts that prepare a build.
@Suite struct PackageTests {
  /// The names of the packages in a list of alternatives: "libtag-dev | libtag1-dev", without versions and
  /// architectures.
  private static func alternatives(_ text: Substring) -> Set<String> {
    Set(text.split(separator: "|").compactMap { $0.firstMatch(of: /[a-z0-9.+-]+/).map { String($0.0) } })
  }

  /// Runs commands in bash, after the functions that the scripts share, and returns their output.
  private func run(_ commands: String, environment: [String: String] = [:]) throws -> (code: Int32?, output: String) {
    let sources = ["say", "packages", "build"].map { "source contrib/lib/\($0).sh" }.joined(separator: "\n")
    let script = "set -euo pipefail\ncd '\(Repository.root)'\n\(sources)\n\(commands)"
    return try Command.run(["bash", "-c", script], environment: environment)
  }

  /// Many users export CDPATH, with which `cd contrib/..` may end in another repository.
  @Test(arguments: ["install", "package", "portability", "run", "test"])
  func scriptsFindTheirRepositoryDespiteCDPATH(name: String) throws {
    let folder = try TemporaryFolder()
    _ = try Command.run(["mkdir", "\(folder.path)/contrib"])
    let help = try Command.run(
      ["sh", "-c", "cd '\(Repository.root)' && contrib/\(name) --help"], environment: ["CDPATH": "\(folder.path)"])
    #expect(help.code == 0, "\(help.output)")
  }

  /// A service of the system has no HOME.
  @Test func theSearchForACompilerNeedsNoHOME() throws {
    let searched = try run("unset HOME SWIFTLY_BIN_DIR; PATH=/bin; find_swift || true; echo searched")
    #expect(searched == (0, "searched\n"), "\(searched.output)")
  }

  @Test func programsOfTheBuildRunAlthoughTheTemporaryFolderForbidsThem() throws {
    let folder = try TemporaryFolder()
    let commands = "cd '\(folder.path)' && choose_temporary_folder && echo \"$TMPDIR\""
    let environment = ["TMPDIR": "/somewhere"]
    let forbidding = try run("findmnt() { echo rw,noexec,relatime; }; \(commands)", environment: environment)
    #expect(forbidding == (0, "\(folder.path)/.build/tmp\n"), "\(forbidding.output)")
    let permitting = try run("findmnt() { echo rw,relatime; }; \(commands)", environment: environment)
    #expect(permitting == (0, "/somewhere\n"), "\(permitting.output)")
  }

  /// apt names its archives only if it has their lists, which images for containers often lack.
  @Test func listsOfPackagesAreUpdatedBeforeTheArchivesAreRead() throws {
    let commands = "apt-config() { :; }; apt-get() { echo archive; }; update_lists() { echo update; }"
    let missing = try run("\(commands); find() { :; }; archives")
    #expect(missing == (0, "update\narchive\n"), "\(missing.output)")
    let present = try run("\(commands); find() { echo _Packages; }; archives")
    #expect(present == (0, "archive\n"), "\(present.output)")
  }

  @Test func sourcePackageRequiresWhatTheScriptsInstall() throws {
    let control = String(
      decoding: try AudioFile.read(Repository.root.appending("contrib/debian/control")), as: UTF8.self)
    let field = try #require(control.firstMatch(of: /Build-Depends:((.|\n )*)/)).1
    let required = field.split(separator: ",").map { Self.alternatives($0) }
    let script = """
      source contrib/lib/packages.sh
      for need in "${build_needs[@]}" "${toolchain_needs[@]}"; do echo "${need##* }"; done
      """
    let (code, output) = try Command.run(["bash", "-c", "cd '\(Repository.root)' && \(script)"])
    #expect(code == 0)
    // g++ and libc6-dev are installed on every system that builds packages.
    for need in Set(output.split(separator: "\n")).subtracting(["g++", "libc6-dev"]) {
      #expect(required.contains { !$0.isDisjoint(with: Self.alternatives(need)) }, "\(need) is not in Build-Depends")
    }
  }
}
