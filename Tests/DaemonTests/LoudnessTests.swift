import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of measuring the loudness of untagged files.
@Suite struct LoudnessTests {
  /// Returns a file of a tone.
  private func tone(_ decibels: Double, album: String?) -> [UInt8] { file(pcm(decibels), album: album) }

  /// Three seconds of 997 Hz on both channels. The loudness in LUFS equals the peak in dB (EBU Tech 3341, 2.9).
  private func pcm(_ decibels: Double) -> [UInt8] {
    let amplitude = 32_767 * pow(10, decibels / 20)
    var pcm: [UInt8] = []
    for frame in 0..<(3 * Signal.rate) {
      let sample = Int16((amplitude * sin(2 * .pi * 997 * Double(frame) / Double(Signal.rate))).rounded())
      withUnsafeBytes(of: sample.littleEndian) { pcm += Array($0) + Array($0) }
    }
    return pcm
  }

  private func file(_ pcm: [UInt8], album: String?) -> [UInt8] {
    var file = AudioFile.wave(pcm)
    guard let album else { return file }
    func little(_ value: Int) -> [UInt8] { withUnsafeBytes(of: UInt32(value).littleEndian) { Array($0) } }
    let text = Array(album.utf8) + [UInt8](repeating: 0, count: 2 - album.utf8.count % 2)
    file += joined("LIST".utf8, little(12 + text.count), "INFOIPRD".utf8, little(text.count), text)
    file.replaceSubrange(4..<8, with: little(file.count - 8))
    return file
  }

  /// Measures all tracks.
  private func measure(_ fixture: DaemonFixture) throws {
    var status = LibraryStatus(try fixture.client.call("library.scan", #"{"loudness":true}"#))
    #expect(status.measuring != nil)
    while status.scanning || status.measuring != nil {
      _ = try fixture.watcher.event(of: "library")
      status = LibraryStatus(try fixture.client.call("library.status"))
    }
  }

  private func applied(_ fixture: DaemonFixture, _ index: Int, _ mode: String) throws -> Double {
    try fixture.client.call("gain", #"{"mode":"\#(mode)"}"#)
    try fixture.call("stop")
    try fixture.call("play", #"{"index":\#(index)}"#)
    try fixture.wait { $0.audio != nil }
    return Gain(try fixture.client.call("gain")).applied ?? 0
  }

  @Test func measuredLoudnessChangesTheGain() throws {
    let fixture = try DaemonFixture(configuration: "[Library]\nMusicFolder=~/Klang\n[Player]\nPreventClipping=no\n")
    let folder = fixture.daemon.directory.appending("home/Klang")
    for path in [folder, folder.appending("Album")] { _ = path.withCString { mkdir($0, 0o700) } }
    let files = [
      (folder.appending("Album/1.wav"), tone(-12, album: "Album")),
      (folder.appending("Album/2.wav"), tone(-24, album: "Album")),
      (folder.appending("single.wav"), tone(-30, album: nil)),
    ]
    for (path, bytes) in files { try AudioFile.write(bytes, to: path) }
    try measure(fixture)
    try fixture.add(files.map(\.0))
    // The target is −18 LUFS. The loudness of the album is the mean of both powers: −14.74 LUFS.
    for (index, gain) in [-6, 6, 12].enumerated() {
      let found = try applied(fixture, index, "track")
      #expect(abs(found - Double(gain)) < 0.1, "\(found)")
    }
    for index in 0..<2 {
      let found = try applied(fixture, index, "album")
      #expect(abs(found + 3.26) < 0.1, "\(found)")
    }
    // A changed file is measured again.
    try AudioFile.write(tone(-20, album: nil), to: files[2].0)
    try measure(fixture)
    #expect(abs(try applied(fixture, 2, "track") - 2) < 0.1)
  }

  @Test func thePeakOfATaggedTrackIsMeasured() throws {
    let fixture = try DaemonFixture(configuration: "[Library]\nMusicFolder=~/Klang\n")
    let folder = fixture.daemon.directory.appending("home/Klang")
    _ = folder.withCString { mkdir($0, 0o700) }
    let path = folder.appending("tagged.flac")
    let tags = [("REPLAYGAIN_TRACK_GAIN", "+24 dB")]
    try AudioFile.write(FLACTags.replace(try AudioFile.read(Repository.fixture("a.flac")), tags), to: path)
    try fixture.add([path])
    #expect(try applied(fixture, 0, "track") == 24)
    try measure(fixture)
    let found = try applied(fixture, 0, "track")
    #expect(found < 24, "the tags state the gain, and the measurement the peak")
    let gain = Gain(try fixture.client.call("gain"))
    #expect(gain.requested == 24 && gain.limit == .peak)
  }

  /// Starts a daemon with a music folder of tracks, each of which is an album of its own.
  private func fixture(tracks: Int) throws -> DaemonFixture {
    let fixture = try DaemonFixture(configuration: "[Library]\nMusicFolder=~/Klang\n")
    let folder = fixture.daemon.directory.appending("home/Klang")
    _ = folder.withCString { mkdir($0, 0o700) }
    let pcm = pcm(-12)
    for number in 0..<tracks {
      try AudioFile.write(file(pcm, album: "Album \(number)"), to: folder.appending("\(number).wav"))
    }
    return fixture
  }

  @Test func aCancelledMeasurementKeepsWhatWasMeasured() throws {
    let fixture = try fixture(tracks: 200)
    var left = 201
    for _ in 0..<3 {
      // Each measurement goes on with the tracks that the previous one has left.
      try fixture.client.call("library.scan", #"{"loudness":true}"#)
      let begun = try fixture.watcher.event(of: "library") { ($0["measuring"]?["total"]?.int ?? 0) > 0 }
      let total = begun["measuring"]?["total"]?.int ?? 0
      #expect((1..<left).contains(total), "\(total) of \(left) tracks are left")
      left = total
      if begun["measuring"]?["done"]?.int == 0 {
        _ = try fixture.watcher.event(of: "library") { ($0["measuring"]?["done"]?.int ?? 0) > 0 }
      }
      try fixture.client.call("library.scan", #"{"cancel":true}"#)
      _ = try fixture.watcher.event(of: "library") { $0["measuring"]?.isNull == true }
    }
  }

  @Test func aMeasurementIsCancelledBeforeItsScanEnds() throws {
    let fixture = try fixture(tracks: 3)
    let started = LibraryStatus(try fixture.client.call("library.scan", #"{"loudness":true}"#))
    #expect(started.measuring != nil)
    #expect(LibraryStatus(try fixture.client.call("library.scan", #"{"cancel":true}"#)).measuring == nil)
    var status = LibraryStatus(try fixture.client.call("library.status"))
    while status.scanning || status.tracks < 3 {
      _ = try fixture.watcher.event(of: "library")
      status = LibraryStatus(try fixture.client.call("library.status"))
    }
    #expect(status.measuring == nil)
    let error = thrown(SocketClient.ErrorResponse.self) {
      try fixture.client.call("library.scan", #"{"cancel":true,"loudness":true}"#)
    }
    #expect(error?.kind == "invalid_params")
  }

  @Test func theDaemonExitsDuringALoudnessScan() throws {
    let fixture = try fixture(tracks: 12)
    try fixture.client.call("library.scan", #"{"loudness":true}"#)
    _ = try fixture.watcher.event(of: "library") { ($0["measuring"]?["total"]?.int ?? 0) == 12 }
    #expect(fixture.daemon.stop() == 0)
  }
}
