import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of paths that are not music files, and of files that never end, are dangling links or change during playback.
/// Each affects only its own entry of the queue.
@Suite struct UnusualFileTests {
  let fixture: DaemonFixture

  init() throws { fixture = try DaemonFixture() }

  private func link(_ name: String, to target: String) -> FilePath {
    let path = fixture.folder.appending(name)
    _ = path.withCString { symlink(target, $0) }
    return path
  }

  private func remove(_ path: FilePath) { _ = path.withCString { unlink($0) } }

  /// Paths that are not music files, by name, with a word of the expected reason.
  private func makeUnusualFiles() throws -> [(path: FilePath, word: String)] {
    let fifo = fixture.folder.appending("fifo.flac")
    _ = fifo.withCString { mkfifo($0, 0o600) }
    let folder = fixture.folder.appending("folder.mp3")
    _ = folder.withCString { mkdir($0, 0o700) }
    let listener = fixture.folder.appending("socket.ogg")
    _ = listener.withCString { mknod($0, S_IFSOCK | 0o600, 0) }
    return [
      (fifo, "pipe"), (folder, "no music"), (listener, "socket"),
      (link("endless.wav", to: "/dev/zero"), "device"), (link("terminal.mp3", to: "/dev/tty"), "device"),
      (link("circle.flac", to: "circle.flac"), "circle"), (link("gone.flac", to: "nowhere"), "no such file"),
      // A file that root may not read either.
      (link("secret.mp3", to: "/proc/sys/vm/compact_memory"), "not readable"),
      (try fixture.write("empty.flac", []), "empty"),
      (fixture.folder.appending(String(repeating: "n", count: 300) + ".mp3"), "too long"),
    ]
  }

  @Test func pathsThatAreNotRegularFilesAreRejectedWithAReason() throws {
    let intact = try fixture.album([20_000, 20_000])
    let unusualFiles = try makeUnusualFiles()
    let uris = ([intact[0]] + unusualFiles.map(\.path) + [intact[1]]).map(FileURI.encode)
    let response = try fixture.client.call("queue.add", #"{"uris":\#(fixture.list(uris)),"play":true}"#)
    #expect(response["added"]?.count == 2)
    let failed = response["failed"]?.elements ?? []
    #expect(failed.count == unusualFiles.count)
    for (path, word) in unusualFiles {
      let reason = failed.first { $0["uri"]?.string == FileURI.encode(path) }?["message"]?.string
      #expect(reason?.contains(word) == true, "\(path): \(reason ?? "no reason")")
    }
    try fixture.recording.waitForSilence()
    #expect(fixture.recording.recordedFrames.sound == [RecordedFrames.Run(first: 0, count: 40_000)])
  }

  @Test func symbolicLinksToMusicArePlayed() throws {
    let links = try fixture.album([20_000, 20_000]).enumerated().map { index, path in
      let first = link("first-\(index).wav", to: path.description)
      return link("second-\(index).wav", to: first.description)
    }
    try fixture.add(links, play: true)
    try fixture.recording.waitForSilence()
    #expect(fixture.recording.recordedFrames.sound == [RecordedFrames.Run(first: 0, count: 40_000)])
  }

  @Test func damagedAndDeletedFilesAffectOnlyTheirTracks() throws {
    let unusualFiles = try makeUnusualFiles()
    let paths = try fixture.album(Array(repeating: 20_000, count: unusualFiles.count + 2))
    try fixture.add(paths)
    for (path, unusualFile) in zip(paths.dropFirst(), unusualFiles) {
      remove(path)
      _ = unusualFile.path.withCString { old in path.withCString { rename(old, $0) } }
    }
    try fixture.call("play")
    try fixture.recording.waitForSilence()
    let last = 20_000 * (paths.count - 1)
    #expect(
      fixture.recording.recordedFrames.sound == [
        RecordedFrames.Run(first: 0, count: 20_000), RecordedFrames.Run(first: last, count: 20_000),
      ])
    #expect(try fixture.errors().map { $0 == nil } == paths.indices.map { $0 == 0 || $0 == paths.count - 1 })
  }

  @Test func recursiveFoldersAndPlaylistsTerminate() throws {
    try fixture.track("music/1", 0..<20_000)
    try fixture.track("music/2", 20_000..<40_000)
    _ = link("music/up", to: "..")
    _ = link("music/here", to: ".")
    #expect(try fixture.add([fixture.folder.appending("music")]).count == 2)
    let own = try fixture.write("own.m3u", "own.m3u\nmusic/1.wav\n")
    let one = try fixture.write("one.m3u", "two.pls\nmusic/2.wav\n")
    try fixture.write("two.pls", "[playlist]\nFile1=one.m3u\nFile2=folder\n")
    _ = link("folder", to: ".")
    let uris = [own, one].map(FileURI.encode)
    let response = try fixture.client.call("queue.add", #"{"uris":\#(fixture.list(uris))}"#)
    let reasons = response["failed"]?.elements?.compactMap { $0["message"]?.string } ?? []
    #expect(reasons.count { $0.contains("contains itself") } == 2, "\(reasons)")
    #expect(
      response["added"]?.count == 4,
      "one track of the first playlist, both of the folder that the second refers to, and track 2")
  }

  /// The worker has the descriptor, so changes of the name have no effect.
  @Test func aFileReplacedDuringPlaybackPlaysOn() throws {
    let length = 20 * Signal.rate
    let path = try fixture.track("old", 0..<length)
    try fixture.add([path, try fixture.track("next", length..<(length + 20_000))], play: true)
    try fixture.recording.wait(forFrame: 4_000)
    try AudioFile.write(Array("another".utf8), to: fixture.folder.appending("new"))
    _ = fixture.folder.appending("new").withCString { new in path.withCString { rename(new, $0) } }
    try fixture.recording.wait(for: "playback to continue") { ($0.lastFrame ?? 0) > 16_000 }
    try fixture.call("seek", #"{"position":19.5}"#)
    // A seek opens the file again. It has been replaced, so the next track plays.
    try fixture.recording.waitForSilence()
    #expect(fixture.recording.recordedFrames.sound.last == RecordedFrames.Run(first: length, count: 20_000))
    #expect(try fixture.errors().map { $0 != nil } == [true, false])
  }
}
