import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Testing

/// Tests of the requests for covers and lyrics.
@Suite struct CoverAndLyricsTests {
  private struct Cover {
    var report: WorkerEvent
    var bytes: [UInt8]
  }

  private func cover(_ path: FilePath, room: Int = CoverInfo.maximumSize) throws -> Cover {
    let memory = try MemoryFile.create("cover", size: room)
    let worker = try WorkerProcess(ring: false)
    try worker.send(.request(ticket: 3, .cover(name: path.description)), files: [path], and: [memory.raw])
    let report = try worker.nextEvent()
    guard case .response(3, .cover(let found?)) = report else { return Cover(report: report, bytes: []) }
    var bytes = [UInt8](repeating: 0, count: found.size)
    #expect(pread(memory.raw, &bytes, bytes.count, 0) == bytes.count)
    return Cover(report: report, bytes: bytes)
  }

  /// The front cover is used, even though the back cover precedes it in most of the files.
  @Test(arguments: [
    "v24.mp3", "v23.mp3", "v22.mp3", "unsynchronised.mp3", "id3.wav", "id3.aiff", "id3.tta", "id3.dsf", "vorbis.flac",
    "vorbis.ogg", "vorbis.opus", "ape.wv", "ape.mpc", "asf.wma", "mp4.m4a", "chapters.mka",
  ])
  func frontCover_isReturned(_ name: String) throws {
    let cover = try cover(Fixture.tagged(name))
    #expect(try cover.bytes == Fixture.bytes("Tags/front.png"))
    #expect(
      cover.report
        == .response(ticket: 3, .cover(CoverInfo(size: cover.bytes.count, format: .png, width: 8, height: 8))))
  }

  @Test func fileWithoutCover_hasNone() throws {
    #expect(try cover(Fixture.path("a.flac")).report == .response(ticket: 3, .cover(nil)))
    #expect(try cover(Fixture.path("long.vorbis.mka")).report == .response(ticket: 3, .cover(nil)))
  }

  @Test func coverBeyondTheMemoryFile_isRejected() throws {
    guard case .response(3, .failed(let failure)) = try cover(Fixture.tagged("v24.mp3"), room: 10).report else {
      Issue.record("not refused")
      return
    }
    #expect(failure.kind == .tooLarge)
    guard case .response(3, .failed(let failure)) = try cover(Fixture.path("text.mp3")).report else {
      Issue.record("not refused")
      return
    }
    #expect(failure.kind == .unplayable)
  }

  private func lyrics(_ name: String) throws -> String? {
    let worker = try WorkerProcess(ring: false)
    let path = Fixture.tagged(name)
    try worker.send(.request(ticket: 4, .lyrics(name: path.description)), files: [path])
    guard case .response(4, .lyrics(let text)) = try worker.nextEvent() else {
      Issue.record("\(worker.events)")
      return nil
    }
    return text
  }

  @Test(arguments: [
    "v24.mp3", "v23.mp3", "id3.wav", "id3.aiff", "id3.tta", "id3.dsf", "vorbis.flac", "vorbis.ogg", "vorbis.opus",
    "ape.wv", "ape.mpc", "asf.wma", "mp4.m4a",
  ])
  func lyrics_haveTheirLines(_ name: String) throws {
    #expect(try lyrics(name) == "Строка раз\nСтрока два")
  }

  @Test func synchronizedLyrics_haveTheirTimes() throws {
    #expect(try lyrics("chapters.mp3") == "[00:00.50]Строка раз\n[01:01.23]Строка два")
  }

  @Test func lyrics_areLimited() throws {
    #expect(try lyrics("much.flac")?.utf8.count == WorkerResponse.maximumLyricsSize)
    #expect(try lyrics("cp1251.mp3") == nil)
  }
}
