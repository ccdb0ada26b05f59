import Glibc
import SegueFiles
import SegueLoop
import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Testing

@testable import SeguePlayer

/// Tests of the stub libraries with the real worker, loop and files.
@MainActor @Suite(.timeLimit(.minutes(2))) struct StubLibrariesTests {
  private let loop: EventLoop
  private let files = FileService(worker: SegueTestKit.WorkerProcess.product("segue-worker"))
  private let pool: WorkerPool
  private let prober: Prober
  private let home: TemporaryFolder
  private var program: FilePath { home.path.appending("segue-worker") }
  private var stubs: FilePath { home.path.appending("stubs") }

  init() throws {
    home = try TemporaryFolder()
    loop = try EventLoop()
    pool = try WorkerPool(loop: loop, folder: home.path, gracePeriod: .seconds(60))
    let fetcher = try Fetcher(loop: loop, pool: pool)
    let opener = MediaOpener(files: files, fetcher: fetcher, mailbox: loop.mailbox) { _, _ in }
    prober = try Prober(loop: loop, pool: pool, opener: opener)
    let worker = SegueTestKit.WorkerProcess.product("segue-worker")
    try #require(symlink(worker.description, program.description) == 0)
  }

  /// Lets a worker read a file, and expects that this succeeds.
  private func probe() throws {
    let song = Repository.root.appending("contrib/demo/02 Dawn.flac")
    prober.probe(FileURI.encode(song)) { [loop] result in
      #expect(throws: Never.self) { try result.get() }
      loop.exit(0)
    }
    let deadline = try Timer(on: loop) { [loop] in loop.exit(1) }
    deadline.arm(after: .seconds(60))
    #expect(try loop.run() == 0, "the file was not read")
  }

  /// Returns the names of the files that the worker has mapped, which the pool keeps.
  private func mappedFiles() -> Set<String> {
    var names: Set<String> = []
    for task in Self.names(in: "/proc/self/task") {
      for child in Self.text(of: "/proc/self/task/\(task)/children").split(separator: " ") {
        for line in Self.text(of: "/proc/\(child)/maps").split(separator: "\n") {
          if let name = line.split(separator: "/").last { names.insert(String(name)) }
        }
      }
    }
    return names
  }

  private static func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      names.append(withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
    return names.filter { !$0.hasPrefix(".") }
  }

  private static func text(of path: String) -> String {
    guard let stream = fopen(path, "re") else { return "" }
    defer { fclose(stream) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&chunk, 1, chunk.count, stream), count > 0 { bytes += chunk[..<count] }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func makeStubs() throws {
    let script = Repository.root.appending("contrib/lib/make-stubs").description
    let (code, text) = try SegueTestKit.ChildProcess.run(
      [script, home.path.description], environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"], errors: true)
    try #require(code == 0 && text.isEmpty, "\(text)")
  }

  /// FFmpeg reads them from memory. The code of a function in their place would be a table, or the address of a
  /// function.
  @Test func variablesOfTheReplacedLibrariesAreVariablesInTheStub() throws {
    try makeStubs()
    let (code, text) = try SegueTestKit.ChildProcess.run(
      ["readelf", "--dyn-syms", "--wide", stubs.appending("libsegue-stub.so").description],
      environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"], errors: true)
    try #require(code == 0, "\(text)")
    for variable in ["xmlFree", "x264_levels"] {
      let symbols = text.split(separator: "\n").map { $0.split(separator: " ") }
      let symbol = try #require(symbols.first { $0.last?.prefix { $0 != "@" } == Substring(variable) })
      #expect(symbol[3] == "OBJECT" && Int(symbol[2]).map { $0 >= 8 } == true, "\(symbol)")
    }
  }

  @Test func aWorkerReadsFilesWithTheStubsOfLibrariesThatItDoesNotNeed() throws {
    try makeStubs()
    try probe()
    let mapped = mappedFiles()
    #expect(mapped.contains("libsegue-stub.so"))
    let replaced = Self.names(in: stubs.description).filter { $0 != "libsegue-stub.so" }
    #expect(replaced.contains { $0.hasPrefix("libx264.") })
    for name in replaced {
      let library = name.prefix { $0 != "." }
      #expect(!mapped.contains { $0.hasPrefix("\(library).so.") }, "\(library)")
    }
    #expect(pool.lost == 0)
  }

  /// What prevents the dynamic linker from starting a program with its stubs. It ends the program with another status
  /// for each.
  enum Obstacle: CaseIterable {
    /// A stub is no library.
    case damaged
    /// The library was updated, and has other versions of its symbols.
    case otherVersion
  }

  /// FFmpeg may have been updated, and require a function or a version that the stubs lack.
  @Test(arguments: Obstacle.allCases) func aWorkerThatDoesNotStartWithItsStubsIsStartedWithoutThem(
    _ obstacle: Obstacle
  ) throws {
    try rejectStubs(obstacle)
    try probe()
    #expect(pool.started == 2)
    #expect(pool.lost == 1)
    #expect(!mappedFiles().contains("libsegue-stub.so"))
  }

  /// The workers of the scan and of playlists are started in another way than those of playback.
  @Test(arguments: Obstacle.allCases) func aWorkerForWhichAThreadWaitsIsStartedWithoutStubsThatItRejects(
    _ obstacle: Obstacle
  ) throws {
    try rejectStubs(obstacle)
    let converter = CharsetConverter(program: program)
    #expect(converter.utf8(of: [0x4D, 0x6F, 0x74, 0xF6, 0x72]) == Array("Mot\u{F6}r".utf8))
  }

  /// Makes stubs with which no program can be linked.
  private func rejectStubs(_ obstacle: Obstacle) throws {
    try #require(mkdir(stubs.description, 0o700) == 0)
    try home.write("stubs/libsegue-stub.so", Array("not a library".utf8))
    switch obstacle {
    case .damaged: try home.write("stubs/libm.so.6", Array("not a library".utf8))
    case .otherVersion:
      let source = try home.write("stub.c", Array("long segue_test(void) { return 0; }\n".utf8))
      let map = try home.write("stub.map", Array("SEGUE_TEST { global: segue_test; };\n".utf8))
      let (code, text) = try SegueTestKit.ChildProcess.run(
        [
          "cc", "-shared", "-fPIC", "-Wl,-soname,libm.so.6", "-Wl,--version-script=\(map)", "-o",
          stubs.appending("libm.so.6").description, source.description,
        ], environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"], errors: true)
      try #require(code == 0, "\(text)")
    }
  }
}
