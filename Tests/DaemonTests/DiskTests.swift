import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// The daemon runs with a state folder that is full, read-only, damaged or not writable. It reports this and loses
/// nothing unnecessarily.
@Suite struct DiskTests {
  private let daemon: DaemonProcess
  private let folder: FilePath

  init() throws {
    daemon = try DaemonProcess(running: false)
    folder = daemon.directory.appending("home/.local/state/segue")
    var path = daemon.directory.appending("home")
    for name in [".local", "state", "segue"] {
      path = path.appending(name)
      path.withCString { _ = mkdir($0, 0o700) }
    }
    for name in ["a", "b", "c"] {
      try AudioFile.write(AudioFile.wave(Signal.pcm(0..<4_410)), to: daemon.directory.appending("\(name).wav"))
    }
  }

  // MARK: Requests

  /// Adds tracks and returns their ids.
  @discardableResult
  private func add(_ names: String..., to client: SocketClient) throws -> [Int] {
    let uris = names.map { quoted(FileURI.encode(daemon.directory.appending("\($0).wav"))) }.joined(separator: ",")
    return try client.call("queue.add", #"{"uris":[\#(uris)]}"#)["added"]?.elements?.compactMap(\.int) ?? []
  }

  private func ids(_ client: SocketClient) throws -> [Int] {
    try client.call("list")["tracks"]?.elements?.compactMap { $0["id"]?.int } ?? []
  }

  private func saveError(_ client: SocketClient) throws -> String? {
    try client.call("daemon.stats")["saveError"]?.string
  }

  /// Waits until `daemon.stats` reports that saving fails or works. `change` runs before every request.
  private func wait(
    saving works: Bool, _ client: SocketClient, change: () throws -> Void = {}
  ) throws {
    try waitUntil("saving \(works ? "works" : "fails"): \(daemon.errors)", every: MediaTime.milliseconds(20)) {
      try change()
      return try (saveError(client) == nil) == works
    }
  }

  /// Makes changes until the disk is full and then frees it. All confirmed changes are saved without another request.
  private func fillAndFree(_ client: SocketClient, free: () throws -> Void) throws {
    try client.call("repeat", #"{"mode":"one"}"#)
    try wait(saving: false, client) { try add("a", to: client) }
    #expect(daemon.errors.contains("cannot save queue and position (\(folder)/segue.db: "))
    try client.call("queue.move", #"{"ids":[\#(try #require(ids(client).last))],"to":0}"#)
    try client.call("volume", #"{"level":31}"#)
    let confirmedIDs = try ids(client)
    #expect(try saveError(client)?.contains("segue.db") == true)
    try client.send(#"{"jsonrpc":"2.0","id":"unsaved","method":"volume","params":{"level":31}}"#)
    let unsaved = try #require(try client.line())
    #expect(unsaved.hasSuffix(#","durable":false,"id":"unsaved"}"#), "\(unsaved)")
    try client.send(#"{"jsonrpc":"2.0","id":"added","method":"queue.add","params":{"uris":[]}}"#)
    let added = try #require(try client.line())
    #expect(added.hasSuffix(#","durable":false,"id":"added"}"#), "\(added)")
    let verb = try ClientProcess.run(["volume", "31"], environment: ["SEGUE_SOCKET": "\(daemon.socket)"])
    #expect(verb.code == 0 && verb.errorText.contains("the change is in effect, but the daemon could not save it"))
    try free()
    try wait(saving: true, client)
    try client.send(#"{"jsonrpc":"2.0","id":"saved","method":"volume","params":{"level":31}}"#)
    let saved = try #require(try client.line())
    #expect(!saved.contains("durable"))
    #expect(daemon.errors.contains("saving works again"))
    daemon.kill()
    try daemon.start()
    let after = try daemon.connect()
    #expect(try ids(after) == confirmedIDs)
    let status = try after.call("status")
    #expect(status["repeat"]?.string == "one")
    #expect(status["volume"]?.int == 31)
    #expect(try saveError(after) == nil)
  }

  // MARK: Disks

  @Test(.enabled(if: TmpfsVolume.isAllowed, "only root may mount a small disk"))
  func changesAreSavedWhenAFullDiskHasRoomAgain() throws {
    let disk = try TmpfsVolume(over: folder)
    try daemon.start()
    let client = try daemon.connect()
    try add("a", "b", to: client)
    try disk.fill()
    try fillAndFree(client) { disk.free() }
  }

  @Test(.enabled(if: TmpfsVolume.isAllowed, "only root may mount a small disk")) func theDaemonStartsOnAFullDisk()
    throws
  {
    let disk = try TmpfsVolume(over: folder)
    try daemon.start()
    let confirmedIDs = try add("a", "b", to: try daemon.connect())
    daemon.kill()
    try disk.fill()
    try daemon.start()
    let client = try daemon.connect()
    #expect(try ids(client) == confirmedIDs)
    try fillAndFree(client) { disk.free() }
  }

  /// A file size limit has the same effect without a mount. Its signal must not end the daemon.
  @Test func changesAreSavedWhenTheFileSizeLimitIsRaised() throws {
    try daemon.start()
    let client = try daemon.connect()
    try add("a", "b", to: client)
    try limit(Self.page)
    try fillAndFree(client) { try limit("unlimited:") }
  }

  /// Sets the soft limit only, so that it can be raised again.
  private static let page = "4096:"

  /// Sets the file size limit of the daemon.
  private func limit(_ bytes: String) throws {
    let code = try ChildProcess(
      ["prlimit", "--pid", "\(try #require(daemon.pid))", "--fsize=\(bytes)"], environment: ["PATH": "/usr/bin:/bin"]
    ).end(0)
    try #require(code == 0)
  }

  /// The playback position is also in memory, and stays there if it cannot be written.
  @Test func thePositionSurvivesAnExitOnAFullDisk() throws {
    try daemon.start()
    let client = try daemon.connect()
    let confirmedIDs = try add("a", "b", to: client)
    try client.call("play", #"{"id":\#(confirmedIDs[1])}"#)
    try client.call("pause")
    try limit(Self.page)
    try wait(saving: false, client) { try client.call("volume", "[7]") }
    try client.call("seek", #"{"position":0.05}"#)
    #expect(daemon.stop() == 0)
    #expect(daemon.errors.contains("the last changes are lost"))
    try daemon.start()
    let status = try daemon.connect().call("status")
    #expect(status["track"]?["id"]?.int == confirmedIDs[1])
    #expect(status["position"]?.double == 0.05)
  }

  /// The runtime folder is in memory, as on most machines.
  @Test func aConfirmedSeekSurvivesAKill() throws {
    let daemon = try DaemonProcess()
    let file = daemon.directory.appending("long.wav")
    try AudioFile.write(AudioFile.wave(Signal.pcm(0..<441_000)), to: file)
    try daemon.connect().call("queue.add", #"{"uris":["\#(FileURI.encode(file))"],"play":true}"#)
    for round in 1...12 {
      let client = try daemon.connect()
      let position = Double(round) / 2
      try client.call("seek", #"{"position":\#(position)}"#)
      daemon.kill()
      try daemon.start()
      #expect(try daemon.connect().call("status")["position"]?.double ?? 0 >= position)
    }
  }

  @Test(.enabled(if: TmpfsVolume.isAllowed, "only root may mount a small disk"), arguments: [SIGTERM, SIGKILL])
  func changesAreSavedWhenAReadOnlyDiskBecomesWritable(end: Int32) throws {
    let disk = try TmpfsVolume(over: folder)
    try daemon.start()
    let first = try daemon.connect()
    let confirmedIDs = try add("a", "b", to: first)
    try first.call("volume", #"{"level":44}"#)
    daemon.stop(end)
    try disk.makeWritable(false)
    try daemon.start()
    let client = try daemon.connect()
    #expect(try ids(client) == confirmedIDs, "a read-only database is still read")
    #expect(try client.call("status")["volume"]?.int == 44)
    try wait(saving: false, client)
    try fillAndFree(client) { try disk.makeWritable(true) }
  }

  @Test func aStateFolderThatCannotBeMadeIsTriedAgain() throws {
    folder.withCString { _ = rmdir($0) }
    try AudioFile.write([], to: folder)
    try daemon.start()
    let client = try daemon.connect()
    try wait(saving: false, client)
    let confirmedIDs = try add("a", "b", to: client)
    folder.withCString { _ = unlink($0) }
    try wait(saving: true, client)
    #expect(try ids(client) == confirmedIDs)
    // The daemon has used this file. After a failure it is opened again and not renamed.
    try limit(Self.page)
    try fillAndFree(client) { try limit("unlimited:") }
    #expect(renamedDatabase == nil)
  }

  // MARK: Files

  enum Damage: CaseIterable { case garbage, truncated, newer, foreign, folder, pipe }

  /// The damaged file is renamed, the log states the new name, the queue is that of the copy, and later changes are
  /// saved.
  @Test(arguments: Damage.allCases) func aDamagedDatabaseIsReplacedByItsCopy(_ damage: Damage) throws {
    try expectReplacement(after: damage, hasCopy: true)
  }

  /// Without a copy, the queue is lost.
  @Test(arguments: Damage.allCases) func aDamagedDatabaseWithoutACopyIsRenamed(_ damage: Damage) throws {
    try expectReplacement(after: damage, hasCopy: false)
  }

  private func expectReplacement(after damage: Damage, hasCopy: Bool) throws {
    try daemon.start()
    let old = try add("a", "b", "c", to: try daemon.connect())
    daemon.stop()
    let copy = folder.appending("segue.db.copy")
    #expect(copy.exists)
    if !hasCopy { Folder.removeFile(copy) }
    let path = folder.appending("segue.db")
    var bytes = try AudioFile.read(path)
    switch damage {
    case .garbage: bytes = (0..<20_000).map { _ in UInt8.random(in: 0...255) }
    case .truncated: bytes.removeLast(bytes.count / 2)
    // user_version, big-endian, at offset 60 (SQLite file format, 1.3).
    case .newer: bytes[63] = 200
    // The tables of this database do not match its version.
    case .foreign: bytes = renamingTables(in: bytes)
    case .folder:
      path.withCString {
        _ = unlink($0)
        _ = mkdir($0, 0o700)
      }
    case .pipe:
      path.withCString {
        _ = unlink($0)
        _ = mkfifo($0, 0o600)
      }
    }
    let isFile = damage != .folder && damage != .pipe
    if isFile { try AudioFile.write(bytes, to: path) }
    try daemon.start()
    let client = try daemon.connect()
    let kept = try ids(client)
    // The readable part of a truncated file depends on the place at which it ends.
    if damage != .truncated { #expect(kept == (hasCopy ? old : [])) }
    let new = try add("a", "b", to: client)
    #expect(new.allSatisfy { $0 > old.max() ?? 0 }, "no id is used twice")
    try wait(saving: true, client)
    daemon.kill()
    try daemon.start()
    #expect(try ids(try daemon.connect()) == kept + new)
    let name = try #require(renamedDatabase, "\(daemon.errors)")
    let aside = folder.appending(name)
    #expect(daemon.errors.contains("it was set aside as \(aside)"))
    if isFile { #expect(try AudioFile.read(aside) == bytes) }
  }

  /// One flipped bit anywhere in the file changes at most what it belongs to. The copy has the rest.
  @Test func aFlippedBitDoesNotLoseTheQueue() throws {
    try daemon.start()
    let client = try daemon.connect()
    let uris = (0..<300).map { quoted("http://127.0.0.1:9/\($0)") }.joined(separator: ",")
    try client.call("queue.add", #"{"uris":[\#(uris)]}"#)
    try client.call("volume", #"{"level":31}"#)
    daemon.stop()
    let path = folder.appending("segue.db")
    let original = try AudioFile.read(path)
    for number in 0..<24 {
      var bytes = original
      // The bytes at the beginning of each page are those that matter most.
      bytes[(number * 4_096 + number * 37) % bytes.count] ^= 1 << UInt8(number % 8)
      for suffix in ["-wal", "-shm"] { Folder.removeFile(path.adding(suffix)) }
      try AudioFile.write(bytes, to: path)
      try daemon.start()
      let after = try daemon.connect()
      #expect(try after.call("list")["total"]?.int == 300, "bit \(number): \(daemon.errors)")
      daemon.kill()
    }
  }

  /// Without a copy, only the entries in the damaged page are lost.
  @Test func theReadableEntriesOfADamagedDatabaseAreKept() throws {
    try daemon.start()
    let uris = (0..<1_000).map { quoted("http://127.0.0.1:9/\($0)") }.joined(separator: ",")
    try daemon.connect().call("queue.add", #"{"uris":[\#(uris)]}"#)
    daemon.stop()
    Folder.removeFile(folder.appending("segue.db.copy"))
    let path = folder.appending("segue.db")
    var bytes = try AudioFile.read(path)
    let name = Array("http://127.0.0.1:9/500".utf8)
    let place = try #require(
      stride(from: 0, to: bytes.count - name.count, by: 1).first { bytes[$0..<($0 + name.count)].elementsEqual(name) })
    let page = place / 4_096 * 4_096
    for index in page..<(page + 4_096) { bytes[index] = 0xFF }
    try AudioFile.write(bytes, to: path)
    try daemon.start()
    let total = try #require(try daemon.connect().call("list")["total"]?.int)
    #expect(total < 1_000 && total > 800, "\(daemon.errors)")
  }

  /// The disk reports an error for one read, at any time during the start.
  @Test(arguments: 0..<10) func aTransientReadErrorLosesNothing(number: Int) throws {
    try daemon.start()
    let confirmedIDs = try add("a", "b", "c", to: try daemon.connect())
    daemon.kill()
    daemon.environment["LD_PRELOAD"] = WorkerProcess.product("libFaultInjection.so").description
    daemon.environment["FAILING_READS"] = "segue.db \(number) 1"
    try daemon.start()
    let client = try daemon.connect()
    #expect(try ids(client) == confirmedIDs, "\(daemon.errors)")
    try wait(saving: true, client)
    #expect(renamedDatabase == nil)
  }

  /// Reads fail as long as the error lasts. The files are not renamed meanwhile, because they are not at fault.
  @Test func aPersistentReadErrorOfTheLibraryRenamesNoFile() throws {
    try daemon.start()
    try daemon.connect().call("favorites.add", #"{"uris":["http://127.0.0.1:9/a"]}"#)
    daemon.kill()
    let before = daemon.environment
    daemon.environment["LD_PRELOAD"] = WorkerProcess.product("libFaultInjection.so").description
    daemon.environment["FAILING_READS"] = "library.db 0 1000000000"
    for _ in 0..<3 {
      try daemon.start()
      let client = try daemon.connect()
      for _ in 0..<3 { _ = try? client.call("favorites.list") }
      daemon.kill()
    }
    let names = TemporaryFolder.names(in: folder).map { String(decoding: $0, as: UTF8.self) }
    #expect(!names.contains { $0.contains("unread") || $0.contains("broken") }, "\(names)")
    daemon.environment = before
    try daemon.start()
    #expect(try daemon.connect().call("favorites.list")["total"]?.int == 1)
  }

  enum Loss: CaseIterable { case folder, files, replaced, emptied }

  /// Later changes are saved again, with everything that existed before.
  @Test(arguments: Loss.allCases) func aDeletedDatabaseIsRecreatedWhileRunning(_ loss: Loss) throws {
    try daemon.start()
    let client = try daemon.connect()
    try add("a", to: client)
    let files = ["segue.db", "segue.db-wal"].map { folder.appending($0) }
    switch loss {
    case .folder: #expect(folder.withCString { rename($0, "\(folder).away") } == 0)
    case .files: for file in files { _ = file.withCString { unlink($0) } }
    case .replaced:
      for file in files {
        let bytes = try AudioFile.read(file)
        _ = file.withCString { unlink($0) }
        try AudioFile.write(bytes, to: file)
      }
    case .emptied: for file in files { _ = file.withCString { truncate($0, 0) } }
    }
    try client.call("volume", #"{"level":31}"#)
    // The log line comes before the new file, and the next response after it.
    try add("b", to: client)
    let confirmedIDs = try ids(client)
    #expect(try saveError(client) == nil)
    #expect(daemon.errors.contains("while in use"))
    daemon.kill()
    try daemon.start()
    let after = try daemon.connect()
    #expect(try ids(after) == confirmedIDs)
    #expect(try after.call("status")["volume"]?.int == 31)
  }

  /// Later changes are durable, and earlier ones are durable again.
  @Test func aDatabaseDamagedInUseIsRecreatedBeforeTheNextResponse() throws {
    try daemon.start()
    let client = try daemon.connect()
    // Enough entries to take some time to write. Streams are not probed.
    let uris = (0..<5_000).map { quoted("http://127.0.0.1:9/\($0)") }.joined(separator: ",")
    try client.call("queue.add", #"{"uris":[\#(uris)]}"#)
    for name in ["segue.db", "segue.db-wal"] {
      let path = folder.appending(name)
      try AudioFile.write([UInt8](repeating: 0x5A, count: try AudioFile.read(path).count), to: path)
    }
    try client.call("volume", "[31]")
    daemon.kill()
    #expect(daemon.errors.contains("starting with a new database"))
    try daemon.start()
    let after = try daemon.connect()
    #expect(try after.call("list")["total"]?.int == 5_000)
    #expect(try after.call("status")["volume"]?.int == 31)
  }

  /// The same happens on a clean exit.
  @Test func aDatabaseFoundDamagedOnExitIsRecreated() throws {
    try daemon.start()
    let confirmedIDs = try add("a", "b", to: try daemon.connect())
    for name in ["segue.db", "segue.db-wal"] {
      let path = folder.appending(name)
      try AudioFile.write([UInt8](repeating: 0x5A, count: try AudioFile.read(path).count), to: path)
    }
    #expect(daemon.stop() == 0)
    try daemon.start()
    #expect(try ids(try daemon.connect()) == confirmedIDs)
  }

  /// Returns the new name of the file from the log.
  private var renamedDatabase: String? {
    daemon.errors.split(whereSeparator: \.isWhitespace).map(String.init)
      .first { $0.contains("segue.db.") && !$0.hasSuffix(":") }?
      .split(separator: "/").last.map { String($0.prefix { $0 != "," }) }
  }

  /// Renames the table `queue` in the database.
  private func renamingTables(in bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    let (name, other) = (Array("queue".utf8), Array("other".utf8))
    for start in 0..<(bytes.count - name.count) where bytes[start..<(start + name.count)].elementsEqual(name) {
      bytes.replaceSubrange(start..<(start + name.count), with: other)
    }
    return bytes
  }
}
