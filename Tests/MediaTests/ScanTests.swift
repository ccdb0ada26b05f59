import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Testing

/// Tests that compare the facts for the library with the properties that playback states.
@Suite struct ScanTests {
  private func names(in folder: FilePath) throws -> [FilePath] {
    let handle = try #require(folder.withCString { opendir($0) })
    defer { closedir(handle) }
    var paths: [FilePath] = []
    while let entry = readdir(handle) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if name.first != UInt8(ascii: "."), entry.pointee.d_type == UInt8(DT_REG) { paths.append(folder.appending(name)) }
    }
    return paths
  }

  /// Scan and playback use the same readers. No estimated duration is stated to be exact.
  @Test func scan_agreesWithPlayback() throws {
    let paths = try names(in: Fixture.path("a.wav").parent) + names(in: Fixture.tagged("v24.mp3").parent)
    #expect(paths.count > 90)
    let worker = try WorkerProcess(ring: false)
    let scanned = try worker.scan(paths)
    for (path, result) in zip(paths, scanned) {
      try worker.probe(1, path)
      switch (try worker.nextEvent(), result) {
      case (.response(_, .probed(let info)), .facts(let facts)): compare(info, facts.info, path)
      case (.response(_, .failed(let asked)), .failed(let scanned)): #expect(asked.kind == scanned.kind, "\(path)")
      default: Issue.record("\(path): \(result)")
      }
    }
  }

  private func compare(_ played: MediaInfo, _ scanned: MediaInfo, _ path: FilePath) {
    #expect(scanned.metadata == played.metadata, "\(path)")
    var (a, b) = (scanned.audio, played.audio)
    // The average bit rate in a header is rounded, or includes the header itself.
    (a.bitRate, b.bitRate) = (nil, nil)
    #expect(a == b, "\(path)")
    #expect((scanned.audio.bitRate == nil) == (played.audio.bitRate == nil), "\(path)")
    if scanned.durationKind == .exact {
      #expect(scanned.duration == played.duration, "\(path)")
      #expect(played.durationKind == .exact, "\(path)")
    } else if let length = scanned.duration, let known = played.duration {
      #expect(abs(length.seconds - known.seconds) < 0.1 + known.seconds / 10, "\(path)")
    }
  }

  @Test func fileNamesOfAnyBytes_areAccepted() throws {
    let folder = try TemporaryFolder()
    let names: [[UInt8]] = [
      Array(repeating: UInt8(ascii: "n"), count: 251) + Array(".mp3".utf8), [0xCF, 0xF0, 0xE8, 0xFF, 0x0A, 0x1B],
      Array("שלום 🛫 あ.ogg".utf8), Array("a\u{301}\"\\\t.flac".utf8), [0xFF],
    ]
    var paths: [FilePath] = []
    for name in names {
      let path = folder.path.appending(name)
      let linked = path.withCString { target in Fixture.tagged("v22.mp3").withCString { symlink($0, target) } }
      #expect(linked == 0)
      paths.append(path)
    }
    let worker = try WorkerProcess(ring: false)
    let results = try worker.scan(paths)
    #expect(results.count == names.count)
    for case .failed(let failure) in results { Issue.record("\(failure)") }
  }

  /// The sort key of a missing title is that of the file name without its extension.
  @Test func fileWithoutTitle_isSortedByItsName() throws {
    let worker = try WorkerProcess(ring: false)
    guard case .facts(let facts) = try worker.scan([Fixture.path("a.wav")])[0] else {
      Issue.record("no facts")
      return
    }
    #expect(try facts.sortKeys.title == keys(["a"], worker)[0])
    #expect(facts.sortKeys.artist.isEmpty && facts.sortKeys.album.isEmpty)
  }

  private func keys(_ texts: [String], _ worker: WorkerProcess) throws -> [[UInt8]] {
    try worker.send(.request(ticket: 9, .collate(texts.map { CollationInput($0) })), files: [])
    guard case .response(9, .collated(let keys, let collation)) = try worker.nextEvent() else {
      Issue.record("\(worker.events)")
      return []
    }
    #expect(!collation.isEmpty && collation != "bytes")
    return keys
  }

  @Test func sortKeys_followTheLocale() throws {
    let worker = try WorkerProcess(ring: false)
    let ordered = [
      "2 Unlimited", "10cc", "ABBA", "An Albatross", "The Beatles", "Björk", "blur", "The Cure", "Zaz", "Ёлка",
      "Земфира", "椎名林檎",
    ]
    let keys = try keys(ordered.reversed(), worker)
    #expect(keys.count == ordered.count)
    for (earlier, later) in zip(keys.dropFirst(), keys) {
      #expect(earlier.lexicographicallyPrecedes(later))
    }
    #expect(try self.keys([], worker).isEmpty)
    let long = try self.keys([String(repeating: "я", count: 5_000)], worker)
    #expect(long[0].count == SortKeys.maximumKeySize)
  }

  /// A sort name keeps its article, because it was written for sorting.
  @Test func sortNames_arePreferredToNames() throws {
    let worker = try WorkerProcess(ring: false)
    guard case .facts(let facts) = try worker.scan([Fixture.tagged("v24.mp3")])[0] else {
      Issue.record("no facts")
      return
    }
    let expected = try keys(["Polet", "Akvarium", "Albom", "Vse", "Аквариум", "הדג נחש"], worker)
    #expect(facts.sortKeys.title == expected[0])
    #expect(facts.sortKeys.artist == expected[1])
    #expect(facts.sortKeys.album == expected[2])
    #expect(facts.sortKeys.albumArtist == expected[3])
    #expect(facts.sortKeys.artists == Array(expected[4...]))
  }
}
