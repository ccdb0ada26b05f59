import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of covers, from the files to the cache.
@Suite struct ArtTests {
  let daemon: TestDaemon
  let client: SocketClient
  let music: FilePath

  private static let front = PictureFile.png(600, 300, [200, 30, 30])
  private static let back = PictureFile.png(90, 90, [30, 30, 200])
  private static let folderPicture = PictureFile.png(200, 400, [30, 200, 30])

  init() throws {
    daemon = try TestDaemon()
    client = try daemon.connect()
    music = daemon.directory.appending("home/files")
    for folder in [music, music.appending("disc"), music.appending("disc/CD2")] {
      folder.withCString { _ = mkdir($0, 0o700) }
    }
  }

  @discardableResult
  private func write(_ name: String, _ bytes: [UInt8]) throws -> FilePath {
    let path = music.appending(name)
    try AudioFile.write(bytes, to: path)
    return path
  }

  private func art(_ path: FilePath, _ more: String = "") throws -> Art {
    Art(try client.call("art", #"{"uri":\#(quoted(FileURI.encode(path)))\#(more)}"#))
  }

  private func error(_ path: FilePath) throws -> String {
    try client.errorResponse(to: "art", #"{"uri":\#(quoted(FileURI.encode(path)))}"#).kind
  }

  private func bytes(_ art: Art) throws -> [UInt8] { try AudioFile.read(FilePath(art.path)) }

  private var cache: FilePath { daemon.directory.appending("home/.cache/segue/art") }

  @Test func anEmbeddedFrontCoverTakesPrecedence() throws {
    let track = try write("a.flac", PictureFile.flac([(4, Self.back), (3, Self.front)]))
    try write("cover.png", Self.folderPicture)
    let full = try art(track, #","size":"full""#)
    let whole = try bytes(full)
    #expect(whole == Self.front)
    #expect((full.width, full.height) == (600, 300))
    #expect(full.path.hasPrefix(cache.description + "/"))
    #expect(FileURI.decode(full.uri) == FilePath(full.path))
    let medium = try art(track)
    #expect((medium.width, medium.height) == (500, 250))
    let jpeg = try bytes(medium)
    #expect(jpeg.starts(with: [0xFF, 0xD8, 0xFF]))
    let small = try art(track, #","size":"small","format":"png""#)
    #expect((small.width, small.height) == (128, 64))
    let picture = try bytes(small)
    #expect(picture.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    #expect(Array(picture[16..<24]) == [0, 0, 0, 128, 0, 0, 0, 64])
    #expect(picture.count < whole.count)
    let pixels = try art(track, #","size":"small","format":"ppm""#)
    #expect((pixels.width, pixels.height) == (128, 64))
    let header = Array("P6\n128 64\n255\n".utf8)
    let pixmap = try bytes(pixels)
    #expect(pixmap.starts(with: header) && pixmap.count == header.count + 128 * 64 * 3)
  }

  /// Files that are not pictures are skipped, whatever their names.
  @Test func aPictureInTheFolderIsFound() throws {
    let track = try write("a.flac", PictureFile.flac([]))
    #expect(try error(track) == "not_found")
    try write("cover.txt", Self.front)
    try write("cover.jpg", Array("a list of covers\n".utf8))
    try write("folder.jpeg", [0xFF, 0xD8, 0xFF, 0xE0, 0, 16] + [UInt8](repeating: 7, count: 300))
    try write("Cover.png", PictureFile.png(header: (10_000, 10_000), pixels: [UInt8](repeating: 0, count: 999)))
    #expect(try error(track) == "not_found")
    let target = try write("disc/elsewhere", Self.folderPicture)
    let link = music.appending("FRONT.PnG")
    #expect(target.withCString { path in link.withCString { symlink(path, $0) } } == 0)
    let full = try art(track, #","size":"full""#)
    let whole = try bytes(full)
    #expect(whole == Self.folderPicture)
    #expect((full.width, full.height) == (200, 400))
    // A small picture is not enlarged.
    #expect(try art(track).height == 400)
  }

  @Test func aDamagedEmbeddedPictureFallsBackToTheFolder() throws {
    let track = try write(
      "disc/CD2/a.flac", PictureFile.flac([(3, [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 1, count: 99))]))
    try write("disc/folder.png", Self.folderPicture)
    let whole = try bytes(try art(track, #","size":"full""#))
    #expect(whole == Self.folderPicture)
  }

  @Test func aChangedPictureGetsANewCover() throws {
    let track = try write("a.flac", PictureFile.flac([]))
    let folderPicture = try write("cover.png", Self.folderPicture)
    let first = try art(track)
    #expect(try art(track) == first)
    try write("new", Self.front)
    #expect(music.appending("new").withCString { new in folderPicture.withCString { rename(new, $0) } } == 0)
    let second = try art(track)
    #expect(second.path != first.path)
    #expect(second.width == 500)
  }

  /// The cache can be deleted at any time.
  @Test func aDeletedCoverCacheIsRecreated() throws {
    let track = try write("a.flac", PictureFile.flac([(3, Self.front)]))
    let first = try art(track)
    let gone = daemon.directory.appending("gone")
    #expect(cache.withCString { old in gone.withCString { rename(old, $0) } } == 0)
    let second = try art(track)
    #expect(second == first)
    let picture = try bytes(second)
    #expect(!picture.isEmpty)
  }

  @Test func statusContainsTheCoverOfTheCurrentTrack() throws {
    let track = try write("a.flac", PictureFile.flac([(3, Self.front)]))
    let plain = try write("disc/b.flac", PictureFile.flac([]))
    #expect(try client.errorResponse(to: "art").kind == "empty_queue")
    let watcher = try daemon.connect()
    try watcher.call("subscribe", #"{"topics":["player"]}"#)
    let uris = [track, plain].map { quoted(FileURI.encode($0)) }.joined(separator: ",")
    try client.call("queue.add", #"{"uris":[\#(uris)],"play":true}"#)
    let event = try watcher.event(of: "player") { $0["track"]?["metadata"]?["art"]?.string != nil }
    let medium = Art(try client.call("art"))
    #expect(event["track"]?["metadata"]?["art"]?.string == medium.uri)
    #expect((medium.width, medium.height) == (500, 250))
    // Without a sound server the daemon stays at the first track.
    try client.call("play", #"{"index":1}"#)
    let next = try watcher.event(of: "player") { $0["index"]?.int == 1 }
    #expect(next["track"]?["metadata"]?["art"]?.isNull == true)
  }

  @Test func aMissingCoverIsReported() throws {
    #expect(try client.errorResponse(to: "art", #"{"uri":"http://127.0.0.1:9/x"}"#).kind == "not_found")
    #expect(try client.errorResponse(to: "art", #"{"uri":"segue:album/99"}"#).kind == "not_found")
    #expect(try client.errorResponse(to: "art", #"{"uri":"segue:genre/Rock"}"#).kind == "invalid_params")
    #expect(try client.errorResponse(to: "art", #"{"size":"huge"}"#).kind == "invalid_params")
  }

  /// For an album, a picture in its folder takes precedence over an embedded picture.
  @Test func anAlbumUsesTheCoverInItsFolder() throws {
    let music = daemon.directory.appending("music")
    let tagged = try PictureFile.flac([(3, Self.front)], [("TITLE", "T"), ("ALBUM", "A")])
    try AudioFile.write(tagged, to: music.appending("a.flac"))
    let watcher = try daemon.connect()
    var library = LibraryStatus(try watcher.call("subscribe")["library"])
    _ = try client.call("library.scan")
    while library.albums != 1 { library = LibraryStatus(try watcher.event(of: "library")) }
    func album() throws -> Album {
      Album(try client.call("library.albums")["albums"]?.elements?.first)
    }
    let uri = quoted(try album().uri)
    #expect(try album().art == nil)
    let inside = Art(try client.call("art", #"{"uri":\#(uri)}"#))
    #expect((inside.width, inside.height) == (500, 250))
    #expect(try album().art == inside.uri)
    try AudioFile.write(Self.folderPicture, to: music.appending("cover.png"))
    let folderPicture = Art(try client.call("art", #"{"uri":\#(uri)}"#))
    #expect((folderPicture.width, folderPicture.height) == (200, 400))
    #expect(try album().art == folderPicture.uri)
  }
}
