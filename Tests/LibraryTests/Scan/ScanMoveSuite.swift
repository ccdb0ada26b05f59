import Glibc
import SegueFiles
import SegueLibrary
import SegueSQLite
import SegueScan
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// What the suites about files that move share: they write and move files, and compare what the user has added to them.
protocol ScanMoveSuite {
  var fixture: ScanFixture { get }
}

extension ScanMoveSuite {
  var music: Scratch { fixture.music }

  // MARK: Files

  /// Writes a file whose audio depends on `number`, with a title if one is given.
  func write(_ name: String, audio number: Int, title: String? = nil) {
    music.write(music[name], Self.song(number, title: title))
  }

  private static func song(_ number: Int, title: String?) -> [UInt8] {
    var wave = ScanFixture.wave()
    var state = UInt32(truncatingIfNeeded: number &* 7919 &+ 1)
    for index in 44..<wave.count {
      state = state &* 1_664_525 &+ 1_013_904_223
      wave[index] = UInt8(state >> 24)
    }
    guard let title else { return wave }
    var text = Array(title.utf8) + [0]
    if text.count % 2 == 1 { text.append(0) }
    func size(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(number >> (8 * $0) & 0xFF) } }
    wave += joined("LIST".utf8, size(12 + text.count), "INFOINAM".utf8, size(text.count), text)
    wave.replaceSubrange(4..<8, with: size(wave.count - 8))
    return wave
  }

  func copy(_ old: String, _ new: String) { music.write(music[new], music.read(music[old])) }

  func remove(_ name: String) { _ = music[name].withCString { Glibc.remove($0) } }

  func rename(_ old: String, _ new: String) {
    music.makeFolder(music[new].parent)
    let result = music[old].withCString { old in music[new].withCString { Glibc.rename(old, $0) } }
    #expect(result == 0)
  }

  // MARK: User data

  func uri(_ name: String) -> String { FileURI.encode(music[name]) }

  /// Gives a track everything that a user can add to it.
  func mark(_ uri: String) async throws {
    try await fixture.store.write { writer throws(StoreError) in
      try writer.setFavorite([uri], true)
      try writer.setRating(uri, 8)
      try writer.addPlay(uri)
      try writer.setBookmark(uri, ResumePoint(position: .seconds(30)))
    }
  }

  func marks(_ uri: String) async throws -> [Bool] {
    try await fixture.store.read { reader throws(StoreError) in
      let plays = try reader.plays().items
      let track = try reader.track(uri)
      return [
        try reader.isFavorite(uri), try reader.rating(uri) == 8, plays.contains { $0.uri == uri },
        try reader.bookmark(uri) != nil, track?.isFavorite == true, track?.rating == 8,
      ]
    }
  }

  func expectMarks(_ name: String, _ location: SourceLocation = #_sourceLocation) async throws {
    #expect(try await !marks(uri(name)).contains(false), "\(name)", sourceLocation: location)
  }

  func expectNoMarks(_ name: String, _ location: SourceLocation = #_sourceLocation) async throws {
    #expect(try await !marks(uri(name)).contains(true), "\(name)", sourceLocation: location)
  }

  func walkAll() async throws { try await fixture.walk { $0.scan() } }

  func restart(_ folders: [FilePath]? = nil) async throws {
    fixture.removeReports()
    try fixture.start(folders)
    try await fixture.walk()
  }
  func rate(_ name: String, _ rating: Int) async throws {
    let uri = uri(name)
    try await fixture.store.write { writer throws(StoreError) in try writer.setRating(uri, rating) }
  }

  func rating(_ name: String) async throws -> [Int?] {
    let uri = uri(name)
    let stored = try await fixture.store.read { reader throws(StoreError) in try reader.rating(uri) }
    return [stored, try await fixture.track(name)?.rating]
  }

  func expectRating(
    _ rating: Int?, _ name: String, _ location: SourceLocation = #_sourceLocation
  ) async throws {
    #expect(try await self.rating(name) == [rating, rating], "\(name)", sourceLocation: location)
  }

  /// Checks where queue and playlists look for files now.
  func expectMoves(
    _ expected: [String: String?], _ location: SourceLocation = #_sourceLocation
  ) async throws {
    let moves = try await fixture.store.read { reader throws(StoreError) in try reader.moves(limit: 1000).moves }
    for (old, new) in expected {
      #expect(moves.path(of: music[old]) == new.map { music[$0] }, "\(old)", sourceLocation: location)
    }
  }
}
