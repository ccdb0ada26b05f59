import Glibc
import SegueFiles
import SegueLibrary
import SegueSQLite
import SegueScan
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

@Suite(.timeLimit(.minutes(3))) struct ScanWalkTests {
  private let fixture = ScanFixture()
  private var music: Scratch { fixture.music }

  @Test func aScanFindsAudioFilesAndSkipsHiddenAndIgnoredOnes() async throws {
    for name in [
      "a.wav", "A.WAV", "Кино/Группа крови.wav", "東京/さくら.wav", "مرحبا/🎸.wav", "e\u{301}/x.wav", "deep/er/still/x.wav",
      ".hidden.wav", ".secret/x.wav", "skip/.nomedia", "skip/x.wav", "skip/deep/x.wav", "leave/.ignore", "leave/x.wav",
      "notes.txt", "noext", ".wav",
    ] {
      fixture.writeSong(name)
    }
    let long = String(repeating: "ы", count: 124)
    fixture.writeSong("\(long)foldero/\(long)ooo.wav")
    music.write(music.path.appending([0xFF, 0x0A, 0x25] + Array(".wav".utf8)), ScanFixture.wave())
    music.write("broken.mp3", "this is no music")
    music.write("empty.flac", "")
    _ = music["pipe.wav"].withCString { mkfifo($0, 0o600) }
    try fixture.start()
    let status = try await fixture.walk()
    let indexed = try await fixture.indexedFiles()
    #expect(
      Set(indexed.keys) == [
        "a.wav", "A.WAV", "Кино/Группа крови.wav", "東京/さくら.wav", "مرحبا/🎸.wav", "e\u{301}/x.wav", "deep/er/still/x.wav",
        "\(long)foldero/\(long)ooo.wav", "\u{FFFD}\n%.wav", "broken.mp3", "empty.flac",
      ])
    #expect(Set(indexed.filter(\.value.hasFailed).keys) == ["broken.mp3", "empty.flac"])
    #expect((status.done, status.total, status.failed) == (11, 11, 2))
    #expect(status.folders == [ScanFolder(path: music.path, state: .online)])
  }

  /// A status that was on its way when a scan was requested does not count that request.
  @Test func aStatusCountsARequestOnceItsWalkHasBegun() async throws {
    for index in 0..<50 { fixture.writeSong("\(index).wav") }
    try fixture.start()
    for _ in 0..<3 { fixture.withScanner { $0.scan() } }
    try await eventually("all requests are taken up") {
      !self.fixture.status.isScanning && self.fixture.status.requests == 4
    }
    var counted = 0
    for status in fixture.reports where status.requests > counted {
      counted = status.requests
      #expect(status.isScanning, "\(status)")
    }
    fixture.withScanner { $0.scan([FilePath("/nowhere")]) }
    try await eventually("the request for another folder is taken up") { self.fixture.status.requests == 5 }
  }

  /// The header of each file states a duration of days, and the file has a tenth of a second of audio. The durations of
  /// an album are added up.
  @Test func implausibleDurationsAreReplacedByEstimates() async throws {
    var file = FLACFile(.init(), total: 1 << 36 - 1)
    file.append(.init(), blocks: 4) { frame, _ in frame }
    for index in 0..<40 {
      for disc in ["CD1", "CD2"] { music.write(music["album/\(disc)/\(index).flac"], file.bytes) }
    }
    try fixture.start()
    #expect(try await fixture.walk().failed == 0)
    let track = try await fixture.track("album/CD1/1.flac")
    #expect(track?.duration.map { $0 < MediaTime.seconds(1) } == true)
    #expect(track?.durationKind == .estimated)
  }

  @Test func aFolderBehindSeveralLinksIsVisitedOnce() async throws {
    let elsewhere = Scratch()
    elsewhere.write(elsewhere["out/1.wav"], ScanFixture.wave())
    elsewhere.write(elsewhere["single.wav"], ScanFixture.wave())
    for name in ["a/1.wav", "b/2.wav"] { fixture.writeSong(name) }
    music.link("a/loop", to: "..")
    music.link("a/self", to: ".")
    music.link("b/other", to: "../a")
    music.link("c", to: elsewhere["out"].description)
    music.link("d", to: elsewhere["out"].description)
    elsewhere.link("out/back", to: music.path.description)
    elsewhere.link("out/up", to: "..")
    music.link("single.wav", to: elsewhere["single.wav"].description)
    music.link("broken.wav", to: "nowhere")
    music.link("circle.wav", to: "circle.wav")
    try fixture.start()
    try await fixture.walk()
    let names = Set(try await fixture.indexedFiles().keys)
    let linked = Set(names.filter { $0.hasPrefix("c/") || $0.hasPrefix("d/") })
    #expect(names.subtracting(linked) == ["a/1.wav", "b/2.wav", "single.wav"])
    // The link `up` leads to the folder above and its other file. The folder itself has been visited.
    #expect(linked.map { $0.dropFirst(2) }.sorted() == ["1.wav", "up/single.wav"])
  }

  /// The order of the two paths to the folder may change.
  @Test func aFolderWithTwoPathsIsIndexedOnceAndKeepsItsRating() async throws {
    let elsewhere = Scratch()
    elsewhere.link("link", to: music.path.description)
    let link = elsewhere["link"]
    let uris = [music.path, link].map { FileURI.encode($0.appending("album/1.wav")) }
    for name in ["album/1.wav", "album/2.wav"] { fixture.writeSong(name) }
    try fixture.start([music.path, link])
    try await fixture.walk()
    #expect(Set(try await fixture.indexedFiles().keys) == ["album/1.wav", "album/2.wav"])
    #expect(try await fixture.indexedFiles(in: link) == [:])
    #expect(fixture.status.folders.map(\.state) == [.online, .online])
    try await fixture.store.write { writer throws(StoreError) in try writer.setRating(uris[0], 7) }

    fixture.stop()
    fixture.removeReports()
    try fixture.start([link, music.path])
    try await fixture.walk()
    #expect(try await fixture.indexedFiles() == [:])
    #expect(Set(try await fixture.indexedFiles(in: link).keys) == ["album/1.wav", "album/2.wav"])
    #expect(fixture.status.folders.map(\.state) == [.online, .online])
    let (rating, total) = try await fixture.store.read { reader throws(StoreError) in
      (try reader.rating(uris[1]), try reader.tracks().total)
    }
    #expect((rating, total) == (7, 2))
    try await fixture.walk { $0.scan() }
    #expect(try await fixture.indexedFiles(in: link).count == 2)
  }

  @Test func unchangedFilesAreNotOpened() async throws {
    for index in 0..<40 { fixture.writeSong("folder \(index % 4)/\(index).wav") }
    music.write("broken.mp3", "this is no music")
    try fixture.start()
    try await fixture.walk()
    let monitor = try FileOpenMonitor()
    for folder in ["", "folder 0", "folder 1", "folder 2", "folder 3"] { monitor.watch(music[folder]) }
    #expect(try await fixture.walk { $0.scan() }.total == 0)
    fixture.stop()
    fixture.removeReports()
    try fixture.start()
    #expect(try await fixture.walk().total == 0)
    #expect(monitor.takeOpenedFiles() == [], "the files are opened neither by the same scanner nor by the next one")

    // Of the files in a folder, only the one that was touched is opened.
    _ = music["folder 1/1.wav"].withCString { utimes($0, nil) }
    try await eventually("the change is noticed") { fixture.reports.last?.total == 1 && !fixture.status.isScanning }
    #expect(monitor.takeOpenedFiles() == ["1.wav"])
  }

  @Test(arguments: [false, true]) func aFileThatIsWrittenWithoutANewTimeIsReadAgain(isDaemonRunning: Bool) async throws
  {
    for name in ["a.wav", "b.wav"] { fixture.writeSong(name) }
    try fixture.start()
    try await fixture.walk()
    if !isDaemonRunning { fixture.stop() }
    let monitor = try FileOpenMonitor()
    var status = stat()
    #expect(music["a.wav"].withCString { stat($0, &status) } == 0)
    var bytes = music.read(music["a.wav"])
    bytes[bytes.count - 1] ^= 1
    music.write(music["a.wav"], bytes)
    #expect(music["a.wav"].withCString { utimensat(AT_FDCWD, $0, [status.st_atim, status.st_mtim], 0) } == 0)
    // A backup by a hard link changes the other file's time of the inode.
    #expect(music["b.wav"].withCString { old in fixture.state["backup.wav"].withCString { link(old, $0) } } == 0)
    monitor.watch(music.path)
    if isDaemonRunning {
      try await fixture.walk { $0.scan() }
    } else {
      fixture.removeReports()
      try fixture.start()
      try await fixture.walk()
    }
    #expect(monitor.takeOpenedFiles() == ["a.wav"])
    try await fixture.walk { $0.scan() }
    #expect(monitor.takeOpenedFiles() == [], "the file is read once")
  }

  @Test func cueSheetsDivideTheirFilesIntoTracks() async throws {
    for name in ["album/1.wav", "album/disc.wav", "album/3.wav"] { fixture.writeSong(name) }
    func write(_ second: String) {
      music.write(
        "album/disc.cue",
        """
        PERFORMER "Somebody"
        TITLE "Album"
        FILE "disc.wav" WAVE
        TRACK 01 AUDIO
        TITLE "One"
        INDEX 01 00:00:00
        TRACK 02 AUDIO
        TITLE "\(second)"
        INDEX 01 00:00:05
        """)
    }
    func titles() async throws -> [String?] {
      let uris = ["#t=0,0.066667", "#t=0.066667"].map { FileURI.encode(music["album/disc.wav"]) + $0 }
      return try await fixture.store.read { reader throws(StoreError) in
        [try reader.track(uris[0])?.metadata.title, try reader.track(uris[1])?.metadata.title]
      }
    }
    write("Two")
    try fixture.start()
    try await fixture.walk()
    #expect(try await fixture.track("album/disc.wav") == nil)
    #expect(try await titles() == ["One", "Two"])
    #expect(try await fixture.walk { $0.scan() }.total == 0)
    write("Second")
    try await eventually("the change of the sheet is noticed") { try await titles() == ["One", "Second"] }
    _ = music["album/disc.cue"].withCString { unlink($0) }
    try await eventually("the file is one track again") { try await fixture.track("album/disc.wav") != nil }
    #expect(try await titles() == [nil, nil])
  }

  @Test func aCueSheetIsIndexedThatSpellsItsFileDifferently() async throws {
    for name in ["Case/Album.WAV", "Stem/Disc.wav", "Caf\u{E9}/Caf\u{E9}.wav"] { fixture.writeSong(name) }
    func write(_ sheet: String, _ file: String) {
      music.write(sheet, "FILE \"\(file)\" WAVE\nTRACK 01 AUDIO\nTITLE \"\(sheet)\"\nINDEX 01 00:00:01\n")
    }
    write("Case/1.cue", "album.flac")
    write("Stem/disc.cue", "C:\\CDImage.ape")
    write("Caf\u{E9}/3.cue", "Cafe\u{301}.wav")
    try fixture.start()
    try await fixture.walk()
    var titles: [String?] = []
    for name in ["Case/Album.WAV", "Stem/Disc.wav", "Caf\u{E9}/Caf\u{E9}.wav"] {
      let uri = FileURI.encode(music[name]) + "#t=0.013333"
      titles.append(
        try await fixture.store.read { reader throws(StoreError) in try reader.track(uri)?.metadata.title })
    }
    #expect(titles == ["Case/1.cue", "Stem/disc.cue", "Caf\u{E9}/3.cue"])
  }

  @Test func aCueSheetInALegacyCharsetIsIndexedAsText() async throws {
    music.write(music["Песня.wav"], ScanFixture.wave())
    // The name in windows-1251.
    let name: [UInt8] = [0xCF, 0xE5, 0xF1, 0xED, 0xFF]
    music.write(
      music["disc.cue"],
      joined("FILE \"".utf8, name, ".wav\" WAVE\nTRACK 01 AUDIO\nTITLE \"".utf8, name, "\"\nINDEX 01 00:00:01\n".utf8))
    try fixture.start()
    try await fixture.walk()
    let uri = FileURI.encode(music["Песня.wav"]) + "#t=0.013333"
    let track = try await fixture.store.read { reader throws(StoreError) in try reader.track(uri) }
    #expect(track?.metadata.title == "Песня")
    #expect(try await fixture.walk { $0.scan() }.total == 0)
  }

  /// The process ended after the files were stored and before their albums were completed.
  @Test func aScanCompletesTheAlbumsOfAnInterruptedOne() async throws {
    for index in 0..<300 { fixture.writeSong("\(index).wav") }
    let files = try (0..<300).map { index in
      var status = stat()
      let path = music["\(index).wav"]
      try #require(path.withCString { stat($0, &status) } == 0)
      var pressing = ScannedFileBuilder()
      pressing.album = "Album"
      return ScannedFile(
        path: path, stamp: FileStamp(status), result: pressing.file(path.description, "Song").result)
    }
    try await fixture.store.write { writer throws(StoreError) in try writer.put(files) }
    try fixture.start()
    #expect(try await fixture.walk().total == 0)
    #expect(try await fixture.store.albumList() == ["Album / Artist / 300"])
    try await eventually("the search finds all tracks") {
      try await fixture.store.read { reader throws(StoreError) in try reader.search("song", .track, PageRequest()) }
        .total
        == 300
    }
  }
}
