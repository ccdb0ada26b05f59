import Glibc
import SegueFiles
import SegueSQLite
import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Testing

@testable import SegueLibrary

/// Files that are added, changed, moved, removed, or not readable.
@Suite(.timeLimit(.minutes(1))) struct LibraryFileTests {
  private let scratch = Scratch()
  private let store: LibraryStore

  init() { store = LibraryStore(path: scratch["library.db"]) }

  private func stamp(_ path: FilePath) throws -> FileStamp {
    var status = Glibc.stat()
    try #require(path.withCString { stat($0, &status) } == 0)
    return FileStamp(status)
  }

  @Test func allFactsOfAFileAreStored() async throws {
    var builder = ScannedFileBuilder(
      album: "Album \"1\"\u{7}", albumArtist: "Boss", artists: ["[A]", "Б"], genres: ["Rock", "Поп"])
    builder.year = 1999
    builder.disc = 2
    var file = builder.file("/m/\u{1F3B5} näme%/1.opus", "Title\n2", track: 3)
    var facts = try file.result.get()
    facts.hasCover = true
    facts.details.gain.trackGain = -6.5
    facts.details.titleSort = "Sort"
    facts.chapters = [
      Chapter(title: "c", start: .zero),
      Chapter(title: "d", start: .seconds(5)),
    ]
    facts.info.metadata.composer = "Composer"
    facts.info.metadata.date = "1999-03-01"
    file.result = .success(facts)
    try await store.scan([file])
    let uri = FileURI.encode(file.path)
    let (track, details) = try await store.read { reader throws(StoreError) in
      (try reader.track(uri), try reader.details(uri))
    }
    #expect(track?.uri == uri)
    #expect(track?.metadata == facts.info.metadata)
    #expect(track?.audio == facts.info.audio)
    #expect(track?.duration == facts.info.duration)
    #expect(track?.hasCover == true && track?.hasLyrics == false)
    #expect(details == TrackDetails(tags: facts.details, chapters: facts.chapters))
    store.close()
  }

  @Test func pathsNeedNotBeUTF8() async throws {
    let path = FilePath(
      bytes: joined("/m/".utf8, [0xFF, 0xFE, 0x20], "/".utf8, [0x80, 0x2E, 0x6D, 0x70, 0x33]))
    var file = ScannedFileBuilder().file("/m/x.mp3", nil)
    file.path = path
    try await store.scan([file])
    let (known, folders) = try await store.write { writer throws(StoreError) in
      (try writer.indexedFiles(in: path.parent), try writer.indexedFolders(in: FilePath("/m")))
    }
    #expect(known == [Array(path.lastComponent): IndexedFile(stamp: file.stamp, hasFailed: false)])
    #expect(folders == [[0xFF, 0xFE, 0x20]])
    // The folder is moved.
    let moved = FilePath(bytes: Array("/n/".utf8) + [0xC0])
    try await store.write { writer throws(StoreError) in try writer.rename(path.parent, to: moved) }
    let track = try await store.read { reader throws(StoreError) in try reader.tracks().items.first }
    #expect(track?.uri == FileURI.encode(moved.appending(path.lastComponent)))
    store.close()
  }

  @Test func anUnreadableFileIsListedUntilItIsReadable() async throws {
    let good = ScannedFileBuilder().file("/m/a.flac", "A")
    var bad = good
    bad.result = .failure(Failure(.unplayable, .plain("no audio in it")))
    try await store.scan([good])
    try await store.scan([bad])
    let (counts, failures) = try await store.read { reader throws(StoreError) in
      (try reader.counts(), try reader.failures())
    }
    #expect(counts.tracks == 0 && counts.failed == 1)
    #expect(failures.items.map(\.uri) == ["file:///m/a.flac"])
    #expect(failures.items.map(\.failure) == [Failure(.unplayable, .plain("no audio in it"))])
    let known = try await store.write { writer throws(StoreError) in try writer.indexedFiles(in: FilePath("/m")) }
    #expect(known == [Array("a.flac".utf8): IndexedFile(stamp: good.stamp, hasFailed: true)])
    try await store.scan([good])
    #expect(try await store.read { reader throws(StoreError) in try reader.counts().failed } == 0)
    #expect(try await store.track("/m/a.flac") != nil)
    store.close()
  }

  @Test func aMovedFileKeepsItsRowAndUserData() async throws {
    let old = scratch.write("old/a.flac", "music")
    let stamp = try stamp(old)
    let builder = ScannedFileBuilder(album: "Album")
    try await store.scan([builder.file("\(old)", "A", stamp: stamp)])
    let before = try #require(try await store.track("\(old)"))
    try await store.write { writer throws(StoreError) in
      try writer.setFavorite([before.uri], true)
      try writer.setRating(before.uri, 7)
      try writer.addPlay(before.uri)
      try writer.setBookmark(before.uri, ResumePoint(position: MediaTime(nanoseconds: 5), speed: .fastest))
    }
    // A second link is a file of its own as long as the first one exists.
    let new = scratch["new/b.flac"]
    scratch.makeFolder(new.parent)
    _ = old.withCString { old in new.withCString { link(old, $0) } }
    try await store.scan([builder.file("\(new)", "A", stamp: stamp)])
    #expect(try await store.read { reader throws(StoreError) in try reader.counts().tracks } == 2)
    try await store.remove("\(new)")
    _ = old.withCString { unlink($0) }
    try await store.scan([builder.file("\(new)", "A", stamp: stamp)])

    let after = try #require(try await store.track("\(new)"))
    #expect(after.id == before.id)
    #expect(after.added == before.added)
    #expect(after.isFavorite && after.rating == 7)
    let (plays, mark, total) = try await store.read { reader throws(StoreError) in
      (try reader.plays().items, try reader.bookmark(after.uri), try reader.counts().tracks)
    }
    #expect(plays.map(\.track?.id) == [before.id])
    #expect(mark?.point == ResumePoint(position: MediaTime(nanoseconds: 5), speed: .fastest))
    #expect(total == 1)
    let folders = try await store.write { writer throws(StoreError) in try writer.hasFiles(under: old.parent) }
    #expect(!folders)
    store.close()
  }

  @Test func aRenamedFolderKeepsItsTracksAndUserData() async throws {
    try await store.scan(
      ScannedFileBuilder(album: "A").files("/m/a%b/x", "1", "2") + ScannedFileBuilder(album: "B").files("/m/a%bc", "3"))
    let before = try #require(try await store.track("/m/a%25b/x/1.flac"))
    try await store.write { writer throws(StoreError) in
      try writer.setFavorite(["file:///m/a%25b/x/1.flac", "file:///m/a%25bc/1.flac"], true)
      try writer.rename(FilePath("/m/a%b"), to: FilePath("/m/moved/here"))
    }
    let after = try #require(try await store.track("/m/moved/here/x/1.flac"))
    #expect(after.id == before.id && after.isFavorite)
    #expect(
      try await store.track("/m/a%25bc/1.flac")?.isFavorite == true, "a folder with a similar name is not affected")
    #expect(try await store.track("/m/a%25b/x/1.flac") == nil)
    // The tracks that the index had at the new path are removed.
    try await store.rename("/m/a%bc", to: "/m/moved/here")
    #expect(try await store.titles(by: .title) == ["3"])
    try await store.rename("/m/moved/here/1.flac", to: "/m/9.flac")
    #expect(try await store.track("/m/9.flac")?.isFavorite == true)
    let known = try await store.write { writer throws(StoreError) in try writer.hasFiles(under: FilePath("/m/moved")) }
    #expect(!known)
    store.close()
  }

  @Test func aCueSheetSplitsAFileIntoTracks() async throws {
    var file = ScannedFileBuilder(album: "Disc").file("/m/disc.flac", "The whole disc")
    let sheet = { (start: Int64, end: Int64?, title: String) in
      var metadata = Metadata()
      (metadata.title, metadata.artist, metadata.artists, metadata.track) = (
        title, "Singer", ["Singer"], Int(start / 75) + 1
      )
      return ScannedFile.CueTrack(range: CueRange(start: start, end: end), metadata: metadata)
    }
    file.cueTracks = [sheet(0, 75, "First"), sheet(75, nil, "Last")]
    try await store.scan([file])
    #expect(try await store.titles(by: .album) == ["First", "Last"])
    let last = try #require(try await store.track("/m/disc.flac#t=1"))
    #expect(last.duration == .seconds(59))
    #expect(last.metadata.album == "Disc" && last.metadata.artist == "Singer")
    // With one more track, the first one keeps its id. Without the cue sheet, the file is one track.
    file.cueTracks = [sheet(0, 75, "First"), sheet(75, 150, "Second"), sheet(150, nil, "Last")]
    let first = try await store.track("/m/disc.flac#t=0,1")?.id
    try await store.scan([file])
    #expect(try await store.titles(by: .album) == ["First", "Second", "Last"])
    #expect(try await store.track("/m/disc.flac#t=0,1")?.id == first)
    file.cueTracks = []
    try await store.scan([file])
    #expect(try await store.titles(by: .album) == ["The whole disc"])
    store.close()
  }

  @Test func theDataOfTheUserStaysWithATrackWhoseEndInTheCueSheetChanges() async throws {
    func scan(firstEnd: Int64) async throws {
      var file = ScannedFileBuilder(album: "Disc").file("/m/disc.flac", "The whole disc")
      file.cueTracks = [CueRange(start: 0, end: firstEnd), CueRange(start: firstEnd, end: nil)].map {
        ScannedFile.CueTrack(range: $0, metadata: Metadata())
      }
      try await store.scan([file])
    }
    func rating(_ uri: String) async throws -> Int? {
      try await store.read { reader throws(StoreError) in try reader.rating("file://\(uri)") }
    }
    try await scan(firstEnd: 75)
    try await store.write { writer throws(StoreError) in
      try writer.setRating("file:///m/disc.flac#t=0,1", 8)
      try writer.setFavorite(["file:///m/disc.flac#t=0,1"], true)
    }
    try await scan(firstEnd: 150)
    #expect(try await rating("/m/disc.flac#t=0,2") == 8)
    #expect(try await rating("/m/disc.flac#t=0,1") == nil)
    let favorites = try await store.read { reader throws(StoreError) in try reader.favoriteURIs() }
    #expect(favorites.contains("file:///m/disc.flac#t=0,2") && favorites.count == 1)
    store.close()
  }

  @Test func theDataOfTheUserStaysWithATrackWhoseStartInTheCueSheetIsCorrected() async throws {
    func scan(_ starts: Int64...) async throws {
      var file = ScannedFileBuilder(album: "Disc").file("/m/disc.flac", "The whole disc")
      file.cueTracks = starts.enumerated().map { index, start in
        var metadata = Metadata()
        metadata.track = index + 1
        let end = index + 1 < starts.count ? starts[index + 1] : nil
        return ScannedFile.CueTrack(range: CueRange(start: start, end: end), metadata: metadata)
      }
      try await store.scan([file])
    }
    func ratings(_ fragments: String...) async throws -> [Int?] {
      try await store.read { reader throws(StoreError) in
        var ratings: [Int?] = []
        for fragment in fragments { ratings.append(try reader.track("file:///m/disc.flac#t=\(fragment)")?.rating) }
        return ratings
      }
    }
    try await scan(0, 75, 150)
    try await store.write { writer throws(StoreError) in
      try writer.setRating("file:///m/disc.flac#t=1,2", 8)
      try writer.setRating("file:///m/disc.flac#t=2", 4)
    }
    try await scan(0, 90, 180)
    #expect(try await ratings("0,1.2", "1.2,2.4", "2.4") == [nil, 8, 4])
    // The last track is no longer there.
    try await scan(0, 75)
    #expect(try await ratings("0,1", "1") == [nil, 8])
    store.close()
  }

  @Test func offlineTracksAreKept() async throws {
    try await store.scan(ScannedFileBuilder().files("/mnt/usb/a", "1") + ScannedFileBuilder().files("/m", "2"))
    try await store.write { writer throws(StoreError) in try writer.folders.setOffline(FilePath("/mnt/usb"), true) }
    #expect(try await store.track("/mnt/usb/a/1.flac")?.isOffline == true)
    #expect(try await store.track("/m/1.flac")?.isOffline == false)
    #expect(try await store.read { reader throws(StoreError) in try reader.random(9).map(\.metadata.title) } == ["2"])
    try await store.write { writer throws(StoreError) in try writer.folders.setOffline(FilePath("/mnt/usb"), false) }
    #expect(try await store.track("/mnt/usb/a/1.flac")?.isOffline == false)
    store.close()
  }

  /// Only the topmost folder has a mark. A folder with a similar name is not affected.
  @Test func aFolderBecomesAvailableWithAllFoldersBelowIt() async throws {
    try await store.scan(
      ScannedFileBuilder().files("/mnt/usb/a/b", "1") + ScannedFileBuilder().files("/mnt/usb2", "2")
        + ScannedFileBuilder().files("/mnt/usb", "3"))
    func offline() async throws -> [Bool?] {
      var found: [Bool?] = []
      for uri in ["/mnt/usb/a/b/1.flac", "/mnt/usb2/1.flac", "/mnt/usb/1.flac"] {
        found.append(try await store.track(uri)?.isOffline)
      }
      return found
    }
    for (path, isOffline, expected) in [
      ("/mnt/usb/a", true, [true, false, false]), ("/mnt/usb", true, [true, false, true]),
      ("/mnt/usb", false, [false, false, false]), ("/", true, [true, true, true]), ("/", false, [false, false, false]),
    ] {
      try await store.write { writer throws(StoreError) in try writer.folders.setOffline(FilePath(path), isOffline) }
      #expect(try await offline() == expected, "\(path) \(isOffline)")
    }
    store.close()
  }

  @Test func removingAFolderRemovesAllFilesBelowIt() async throws {
    var failed = ScannedFileBuilder().file("/m/a/deep/bad.flac", nil)
    failed.result = .failure(Failure(.unplayable, "x"))
    try await store.scan(
      ScannedFileBuilder(album: "A").files("/m/a", "1") + ScannedFileBuilder(album: "B").files("/m/a/deep", "2") + [
        failed
      ]
        + ScannedFileBuilder(album: "C").files("/m/ab", "3"))
    try await store.write { writer throws(StoreError) in
      try writer.removeFolder(FilePath("/m/a"))
      try writer.finishScan()
    }
    let (counts, titles) = (
      try await store.read { reader throws(StoreError) in try reader.counts() }, try await store.titles(by: .title)
    )
    #expect(titles == ["3"])
    #expect(counts.tracks == 1 && counts.albums == 1 && counts.failed == 0)
    store.close()
  }
}
