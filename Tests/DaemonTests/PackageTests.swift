import SegueSystem
import SegueTestKit
import Testing

/// Tests of the Debian source package, which `contrib/package` builds.
@Suite struct PackageTests {
  /// The names of the packages in a list of alternatives: "libtag-dev | libtag1-dev", without versions and architectures.
  private static func alternatives(_ text: Substring) -> Set<String> {
    Set(text.split(separator: "|").compactMap { $0.firstMatch(of: /[a-z0-9.+-]+/).map { String($0.0) } })
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
