import Glibc
import SegueFiles
import SegueLibrary
import SegueSQLite
import SegueScan
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of copies: a track takes over nothing while the original exists.
@Suite(.timeLimit(.minutes(3))) struct ScanCopyTests: ScanMoveSuite {
  let fixture = ScanFixture()

  @Test func aCopyOfAFileTakesNothing() async throws {
    write("a/1.wav", audio: 1)
    try fixture.start()
    try await fixture.walk()
    try await mark(uri("a/1.wav"))
    copy("a/1.wav", "b/2.wav")
    try await fixture.expect(["a/1.wav", "b/2.wav"])
    try await walkAll()
    try await expectNoMarks("b/2.wav")
    try await expectMarks("a/1.wav")
  }

  /// The same audio on two albums: both are moved at once.
  @Test func filesWithTheSameAudioAreToldApartByTheirNames() async throws {
    let names = ["album/1 song.wav", "album/2 song.wav", "best of/1 song.wav", "best of/9 song.wav"]
    for name in names { write("old/\(name)", audio: 1) }
    try fixture.start()
    try await fixture.walk()
    try await mark(uri("old/best of/1 song.wav"))
    fixture.stop()
    for name in names {
      copy("old/\(name)", "new/\(name)")
      remove("old/\(name)")
    }
    try await restart()
    try await fixture.expect(Set(names.map { "new/\($0)" }))
    try await expectMarks("new/best of/1 song.wav")
    for name in names where name != "best of/1 song.wav" { try await expectNoMarks("new/\(name)") }
  }

  /// A copy that was always there is another track, which keeps nothing of a removed one.
  @Test func aRemovedFileGivesNothingToOneThatWasThereBefore() async throws {
    write("a/1.wav", audio: 1)
    write("b/2.wav", audio: 1)
    try fixture.start()
    try await fixture.walk()
    try await mark(uri("a/1.wav"))
    let content = music.read(music["a/1.wav"])
    remove("a/1.wav")
    try await fixture.expect(["b/2.wav"])
    try await expectNoMarks("b/2.wav")
    music.write(music["a/1.wav"], content)
    try await fixture.expect(["a/1.wav", "b/2.wav"])
    try await expectMarks("a/1.wav")
  }

  @Test func everyTrackOfACueSheetKeepsItsOwnData() async throws {
    let sheet = """
      FILE "disc.wav" WAVE
        TRACK 01 AUDIO
          TITLE "One"
          INDEX 01 00:00:00
        TRACK 02 AUDIO
          TITLE "Two"
          INDEX 01 00:00:03
      """
    write("old/disc.wav", audio: 1)
    music.write("old/disc.cue", sheet)
    try fixture.start()
    try await fixture.walk()
    let second = try await uris().first { $0.contains("#t=0.04") }
    let track = try #require(second)
    try await mark(track)
    fixture.stop()
    copy("old/disc.wav", "new/disc.wav")
    music.write("new/disc.cue", sheet)
    remove("old/disc.wav")
    remove("old/disc.cue")
    try await restart()
    let moved = track.replacing("/old/", with: "/new/")
    #expect(try await uris().contains(moved))
    #expect(try await !marks(moved).contains(false))
    #expect(try await uris().filter { $0 != moved }.count == 1)
    for other in try await uris() where other != moved { #expect(try await !marks(other).contains(true)) }
  }

  private func uris() async throws -> [String] {
    try await fixture.store.read { reader throws(StoreError) in try reader.tracks(by: .title).items.map(\.uri) }
  }

  @Test(.enabled(if: TmpfsVolume.isAllowed, "only root may mount a small disk"))
  func aCopyOfAFileOnAnUnmountedDiskTakesNothing() async throws {
    music.makeFolder(music["disk"])
    var disk: TmpfsVolume? = try TmpfsVolume(over: music["disk"])
    write("disk/1.wav", audio: 1)
    try fixture.start()
    try await fixture.walk()
    try await mark(uri("disk/1.wav"))
    let content = music.read(music["disk/1.wav"])
    withExtendedLifetime(disk) {}
    disk = nil
    try await eventually("the disk is offline") { try await fixture.track("disk/1.wav")?.isOffline == true }
    music.write(music["copy/1.wav"], content)
    try await fixture.expect(["disk/1.wav", "copy/1.wav"])
    try await walkAll()
    try await expectNoMarks("copy/1.wav")
    try await expectMarks("disk/1.wav")
  }
}

extension String {
  fileprivate func replacing(_ old: String, with new: String) -> String {
    var parts: [Substring] = []
    var rest = self[...]
    while let range = rest.firstRange(of: old) {
      parts.append(rest[..<range.lowerBound])
      rest = rest[range.upperBound...]
    }
    return (parts + [rest]).joined(separator: new)
  }
}
