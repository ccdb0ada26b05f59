internal import Glibc
public import SegueSystem

/// The translations of the repository, compiled where the programs of the build look for them.
public enum BuiltTranslations {
  /// Compiles a translation and returns the path of the result. Tests that run at the same time do not disturb each
  /// other.
  @discardableResult
  public static func compile(_ language: String) throws -> FilePath {
    let source = Repository.root.appending("Sources/Translations/\(language).po")
    let folder = WorkerProcess.product("segue").parent.parent.appending("share/locale/\(language)/LC_MESSAGES")
    let target = folder.appending("segue.mo")
    let temporary = folder.appending("segue.mo.\(getpid()).\(pthread_self())")
    for command in [
      ["mkdir", "-p", folder.description], ["msgfmt", "-o", temporary.description, source.description],
      ["mv", temporary.description, target.description],
    ] {
      let (code, text) = try ChildProcess.run(command, environment: ["PATH": "/usr/bin:/bin"], errors: true)
      guard code == 0 else { throw Failed(output: text) }
    }
    return target
  }

  /// An error that is thrown if a translation cannot be compiled.
  public struct Failed: Error { public let output: String }
}
