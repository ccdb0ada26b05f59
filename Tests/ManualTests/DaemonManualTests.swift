import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests that segued(8) documents everything that the daemon has, and nothing else.
@Suite struct DaemonManualTests {
  let page: ManualPage

  init() throws { page = try ManualPage("segued.8") }

  /// Returns the output of `segued --help`.
  private static func help() throws -> String {
    let (code, text) = try ChildProcess.run(
      [WorkerProcess.product("segued").description, "--help"], environment: ["PATH": "/usr/bin:/bin"])
    #expect(code == 0)
    return text
  }

  @Test func everyOptionIsDocumented() throws {
    let rows = try Self.help().split(separator: "\n").filter { $0.hasPrefix("  -") }
    let options = rows.flatMap { row in
      row.split(separator: " ").prefix { $0.hasPrefix("-") }.map { String($0.filter { $0 != "," }) }
    }
    #expect(options.count > 6)
    #expect(page.items(in: "DESCRIPTION").flatMap { $0.names("Fl") }.sorted() == options.sorted())
  }

  @Test func everySignalIsDocumented() throws {
    let line = try #require(try Self.help().split(separator: "\n").first { $0.hasPrefix("Signals:") })
    let signals = line.matches(of: /[A-Z]{3,}/).map { String($0.0) }
    #expect(page.items(in: "SIGNALS").flatMap { $0.names("Dv") }.sorted() == signals.sorted())
  }

  @Test func exitStatusesAreDocumented() throws {
    #expect(page.items(in: "EXIT STATUS").map(\.head[0].text) == ["0", "1", "2"])
    let daemon = try DaemonProcess()
    #expect(try daemon.runToEnd([]).code == 1)
    #expect(try daemon.runToEnd(["--no-such-option"]).code == 2)
    #expect(daemon.stop() == 0)
  }

  @Test func everyEnvironmentVariableIsDocumented() throws {
    let modules = TemporaryFolder.names(in: Repository.root.appending("Sources")).map {
      String(decoding: $0, as: UTF8.self)
    }
    .filter { $0.hasPrefix("Segue") && !["SegueCLI", "SegueClientKit", "SegueTUI"].contains($0) }
    let own = try Repository.environmentVariables(readIn: modules)
    #expect(own.isSuperset(of: ["XDG_STATE_HOME", "JOURNAL_STREAM", "LC_COLLATE"]))
    let documented = Set(page.items(in: "ENVIRONMENT").flatMap { $0.names("Ev") })
    // libsystemd, libcurl and the resolver read the others.
    let readByLibraries: Set<String> = [
      "LISTEN_FDS", "LISTEN_PID", "WATCHDOG_USEC", "WATCHDOG_PID", "http_proxy", "https_proxy", "HTTPS_PROXY",
      "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY", "LOCALDOMAIN", "RES_OPTIONS",
    ]
    #expect(documented.subtracting(readByLibraries) == own)
  }

  @Test func everyFileIsDocumented() throws {
    let daemon = try DaemonProcess()
    let client = try daemon.connect()
    let song = FileURI.encode(Repository.root.appending("contrib/demo/02 Dawn.flac"))
    try client.call("queue.add", #"{"uris":["\#(song)"]}"#)
    try client.call("playlists.save", #"{"name":"NAME"}"#)
    try client.call("favorites.add", #"{"uris":["\#(song)"]}"#)
    try client.call("art", #"{"uri":"\#(song)"}"#)
    var documented = page.items(in: "FILES").flatMap { $0.names("Pa") }
    documented += documented.filter { $0.hasSuffix(".db") }.flatMap { ["\($0)-wal", "\($0)-shm"] }
    let paths = ["home": "~", "run": "$XDG_RUNTIME_DIR"].flatMap { folder, name in
      files(in: daemon.directory.appending(folder)).map {
        name + $0.dropFirst(daemon.directory.appending(folder).description.count)
      }
    }
    #expect(paths.count > 6, "\(paths)")
    for path in paths {
      #expect(documented.contains { path == $0 || path.hasPrefix($0 + "/") }, "\(path) is not in the page")
    }
  }

  private func files(in folder: FilePath) -> [String] {
    TemporaryFolder.names(in: folder).flatMap { name -> [String] in
      let path = folder.appending(name)
      let inner = files(in: path)
      return inner.isEmpty && !path.isFolder ? [path.description] : inner
    }
  }
}

extension FilePath {
  fileprivate var isFolder: Bool {
    var status = stat()
    return withCString { lstat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
