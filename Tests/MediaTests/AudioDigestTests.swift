import Glibc
import SegueSystem
import SegueTestKit
import SegueWorkerProtocol
import Testing

/// Tests of the digest by which the library recognizes a file that was moved and tagged anew.
@Suite struct AudioDigestTests {
  private func digests(_ paths: [FilePath]) throws -> [UInt64?] {
    try WorkerProcess(ring: false).scan(paths).map { result in
      guard case .facts(let facts) = result else { throw Unexpected("\(result)") }
      return facts.audioDigest
    }
  }

  /// The files of Fixtures/retagged.py have the audio of those of make.py behind large tags.
  @Test func digest_isTheSameAfterTagging() throws {
    let folder = Fixture.path("Retagged")
    let names = try Folder.names(in: folder).map { String(decoding: $0, as: UTF8.self) }.sorted()
    #expect(names.count == 16)
    let before = try digests(names.map(Fixture.path))
    let after = try digests(names.map { folder.appending($0) })
    for (name, (old, new)) in zip(names, zip(before, after)) {
      #expect(old != nil && old == new, "\(name)")
    }
    #expect(Set(before).count == names.count)
  }

  /// The tags of these files have several versions and places; the audio is the same.
  @Test func digest_dependsOnNoVersionOfTheTags() throws {
    let names = ["v22.mp3", "v23.mp3", "v24.mp3", "both.mp3", "unsynchronised.mp3", "cp1251.v1.mp3", "numbered.mp3"]
    #expect(Set(try digests(names.map(Fixture.tagged))).count == 1)
  }

  @Test func digest_differsForOtherAudio() throws {
    for suffix in ["mp3", "flac", "ogg", "opus", "m4a", "alac.m4a", "wv", "wav"] {
      let found = try digests([Fixture.path("a.\(suffix)"), Fixture.path("b.\(suffix)")])
      #expect(found[0] != nil && found[1] != nil && found[0] != found[1], "\(suffix)")
    }
  }

  /// Some encoders do not write the checksum of the samples.
  @Test func digest_needsNoChecksumInFLAC() throws {
    let folder = try TemporaryFolder()
    var paths: [FilePath] = []
    for name in ["a.flac", "Retagged/a.flac"] {
      var bytes = try Fixture.bytes(name)
      for index in 26..<42 { bytes[index] = 0 }
      paths.append(folder.path.appending("\(paths.count).flac"))
      try SmallFile.replace(paths[paths.count - 1], with: bytes)
    }
    let found = try digests(paths)
    #expect(found[0] != nil && found[0] == found[1])
  }

  /// FFmpeg writes the frame with the Xing tag anew when it copies a file.
  @Test func digest_dependsOnNoXingTag() throws {
    let folder = try TemporaryFolder()
    let untagged = try Fixture.bytes("long.untagged.mp3")
    var paths: [FilePath] = []
    // Version 1, layer III, 44,100 Hz, stereo: at 64 and at 128 kb/s, a frame has 208 and 417 bytes.
    for (index, (bitRate, size)) in [(UInt8(0x50), 208), (0x90, 417)].enumerated() {
      var tag = joined([0xFF, 0xFB, bitRate, 0], [UInt8](repeating: 0, count: 32), "Info".utf8)
      tag += [0, 0, 0, 1] + TagBytes.bigEndian(100, bytes: 4)
      tag += [UInt8](repeating: 0, count: size - tag.count)
      paths.append(folder.path.appending("\(index).mp3"))
      try SmallFile.replace(paths[index], with: tag + untagged)
    }
    let found = try digests(paths)
    #expect(found[0] != nil && found[0] == found[1])
  }

  /// Recordings of equal length may begin and end with silence.
  @Test func digest_readsTheMiddleOfSamples() throws {
    let folder = try TemporaryFolder()
    var silence = try Fixture.bytes("a.wav")
    for index in 44..<silence.count { silence[index] = 0 }
    var sound = silence
    sound[sound.count / 2] = 1
    let paths = ["silence.wav", "sound.wav"].map { folder.path.appending($0) }
    for (path, bytes) in zip(paths, [silence, sound]) { try SmallFile.replace(path, with: bytes) }
    #expect(Set(try digests(paths)).count == 2)
  }

  // MARK: Matroska

  private static func element(_ id: [UInt8], _ body: [UInt8]) -> [UInt8] {
    joined(id, [0x08], TagBytes.bigEndian(body.count, bytes: 4), body)
  }

  /// Returns a Matroska file of PCM with one channel. Each cluster has a second, of which all samples are the number. A
  /// `title` is before the clusters.
  private static func matroska(_ clusters: [UInt8], title: String = "", duration: Double? = nil) -> [UInt8] {
    let (rate, milliseconds) = (8000, duration ?? Double(clusters.count) * 1000)
    func number(_ value: Double) -> [UInt8] { withUnsafeBytes(of: value.bitPattern.bigEndian, Array.init) }
    let info = element(
      [0x15, 0x49, 0xA9, 0x66],
      element([0x2A, 0xD7, 0xB1], TagBytes.bigEndian(1_000_000)) + element([0x44, 0x89], number(milliseconds)))
    let audio = element(
      [0xE1], element([0xB5], number(Double(rate))) + element([0x9F], [1]) + element([0x62, 0x64], [16]))
    let track = element(
      [0xAE],
      joined(
        element([0xD7], [1]), element([0x73, 0xC5], [1]), element([0x83], [2]),
        element([0x86], Array("A_PCM/INT/LIT".utf8)), audio))
    let tracks = element([0x16, 0x54, 0xAE, 0x6B], track)
    let tag = element(
      [0x67, 0xC8], element([0x45, 0xA3], Array("TITLE".utf8)) + element([0x44, 0x87], Array(title.utf8)))
    let tags = title.isEmpty ? [] : element([0x12, 0x54, 0xC3, 0x67], element([0x73, 0x73], tag))
    // The head, which states the position of the index, has 38 bytes.
    var body = joined([UInt8](repeating: 0, count: 38), info, tags, tracks)
    var cues: [UInt8] = []
    for (index, sample) in clusters.enumerated() {
      let position = element([0xB7], element([0xF7], [1]) + element([0xF1], TagBytes.bigEndian(body.count)))
      cues += element([0xBB], element([0xB3], TagBytes.bigEndian(index * 1000)) + position)
      // Blocks of a tenth of a second.
      let block = [0x81] + TagBytes.bigEndian(0, bytes: 3) + [UInt8](repeating: sample, count: rate / 5)
      let blocks = (0..<10).flatMap { tenth in
        element([0xA3], joined([block[0]], TagBytes.bigEndian(tenth * 100, bytes: 2), block.dropFirst(3)))
      }
      body += element([0x1F, 0x43, 0xB6, 0x75], joined(element([0xE7], TagBytes.bigEndian(index * 1000)), blocks))
    }
    let seek =
      element([0x53, 0xAB], [0x1C, 0x53, 0xBB, 0x6B]) + element([0x53, 0xAC], TagBytes.bigEndian(body.count))
    let head = element([0x11, 0x4D, 0x9B, 0x74], element([0x4D, 0xBB], seek))
    body.replaceSubrange(0..<head.count, with: head)
    return element([0x1A, 0x45, 0xDF, 0xA3], element([0x42, 0x82], Array("matroska".utf8)))
      + element([0x18, 0x53, 0x80, 0x67], body + element([0x1C, 0x53, 0xBB, 0x6B], cues))
  }

  private func digests(_ files: [[UInt8]], _ suffix: String) throws -> [UInt64?] {
    let folder = try TemporaryFolder()
    return try digests(files.enumerated().map { try folder.write("\($0).\(suffix)", $1) })
  }

  /// Episodes of a podcast begin with the same music, and may end with it.
  @Test func digest_differsForFilesThatBeginAlike() throws {
    let clusters: [[UInt8]] = [[1, 1, 2, 1, 1], [1, 1, 3, 1, 1], [1, 1, 2, 1], [1, 1, 2, 1, 1, 1]]
    let found = try digests(clusters.map { Self.matroska($0) }, "mka")
    #expect(found.allSatisfy { $0 != nil })
    #expect(Set(found).count == clusters.count)
  }

  @Test func digest_isTheSameWhenTheTagsOfAMatroskaFileGrow() throws {
    let files = ["", "Title", String(repeating: "Title", count: 20_000)].map { Self.matroska([1, 2, 3, 4], title: $0) }
    let found = try digests(files, "mka")
    #expect(found[0] != nil && Set(found).count == 1)
  }

  // MARK: Fragments

  /// Returns "fragments.m4a" with boxes of `size` bytes before the fragments, and without the last `missing` of them.
  private static func fragments(padding size: Int = 0, missing: Int = 0) throws -> [UInt8] {
    let bytes = try Fixture.bytes("fragments.m4a")
    var boxes: [(type: String, range: Range<Int>)] = []
    var position = 0
    while position + 8 <= bytes.count {
      let count = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
      boxes.append((String(decoding: bytes[position + 4..<position + 8], as: UTF8.self), position..<position + count))
      position += count
    }
    let fragments = boxes.filter { $0.type == "moof" }.map(\.range.lowerBound)
    try #require(fragments.count > missing + 1)
    let padding =
      size == 0 ? [] : joined(TagBytes.bigEndian(size), "free".utf8, [UInt8](repeating: 0, count: size - 8))
    let end =
      missing == 0
      ? boxes.last(where: { $0.type == "mdat" })?.range.upperBound ?? 0 : fragments[fragments.count - missing]
    var result = joined(bytes[..<fragments[0]], padding, bytes[fragments[0]..<end])
    // The headers of fragments may state their positions.
    for at in result.indices.dropLast(24)
    where result[at..<at + 4].elementsEqual("tfhd".utf8) && result[at + 7] & 1 == 1 {
      let stated = result[at + 12..<at + 20].reduce(0) { $0 << 8 | Int($1) }
      result.replaceSubrange(at + 12..<at + 20, with: TagBytes.bigEndian(stated + size, bytes: 8))
    }
    return result
  }

  @Test func digest_includesAllFragments() throws {
    let found = try digests([Self.fragments(), Self.fragments(missing: 1), Self.fragments(missing: 2)], "m4a")
    #expect(found.allSatisfy { $0 != nil })
    #expect(Set(found).count == 3)
  }

  @Test func digest_isTheSameWhenFragmentsMove() throws {
    let found = try digests([Self.fragments(), Self.fragments(padding: 1000), Self.fragments(padding: 100_000)], "m4a")
    #expect(found[0] != nil && Set(found).count == 1)
  }

  /// Before a DSF file has a tag, its header states none.
  @Test func digest_isTheSameBeforeADSFFileHasATag() throws {
    let folder = try TemporaryFolder()
    var bytes = try Fixture.bytes("one-bit.dsf")
    let tag = bytes[20..<28].reversed().reduce(0) { $0 << 8 | Int($1) }
    if tag > 0 { bytes.removeLast(bytes.count - tag) }
    for index in 20..<28 { bytes[index] = 0 }
    let path = folder.path.appending("untagged.dsf")
    try SmallFile.replace(path, with: bytes)
    let found = try digests([path, Fixture.path("one-bit.dsf")])
    #expect(found[0] != nil && found[0] == found[1])
  }
}
