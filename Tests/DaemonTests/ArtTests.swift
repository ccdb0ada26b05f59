import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of the size of the cache of covers.
@Suite struct ArtTests {
  let daemon: DaemonProcess
  let client: SocketClient
  let music: FilePath

  private static let front = PictureFile.png(600, 300, [200, 30, 30])

  init() throws {
    daemon = try DaemonProcess()
    client = try daemon.connect()
    music = daemon.directory.appending("home/files")
    try Folder.create(music)
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

  private func bytes(_ art: Art) throws -> [UInt8] { try AudioFile.read(FilePath(art.path)) }

  private var cache: FilePath { daemon.directory.appending("home/.cache/segue/art") }

  @Test(.enabled(if: TmpfsVolume.isAllowed, "only root may mount a small disk")) func aFullDiskIsReportedForACover()
    throws
  {
    let track = try write("a.flac", PictureFile.flac([(3, Self.front)]))
    for folder in [".cache", ".cache/segue", ".cache/segue/art"] {
      daemon.directory.appending("home/" + folder).withCString { _ = mkdir($0, 0o700) }
    }
    let disk = try TmpfsVolume(over: cache)
    try disk.fill()
    let uri = quoted(FileURI.encode(track))
    let error = try client.errorResponse(to: "art", #"{"uri":\#(uri)}"#)
    #expect(error.kind == "unavailable")
    #expect(error.message.contains("No space left"))
    disk.free()
    #expect(try art(track).width == 500)
  }

  /// The least recently used files are deleted first.
  @Test func theCoverCacheIsBounded() throws {
    let track = try write("a.flac", PictureFile.flac([(3, Self.front)]))
    let kept = try art(track)
    let old = cache.appending("00/0123456789abcd00-1x1.png")
    old.parent.withCString { _ = mkdir($0, 0o700) }
    let file = old.withCString { creat($0, 0o600) }
    #expect(file >= 0 && posix_fallocate(file, 0, 210 << 20) == 0)
    close(file)
    var long = [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 1, tv_nsec: 0)]
    #expect(old.withCString { utimensat(AT_FDCWD, $0, &long, 0) } == 0)
    // The daemon measures the cache once, when it stores the first cover.
    #expect(daemon.stop() == 0)
    try daemon.start()
    let client = try daemon.connect()
    let small = Art(
      try client.call("art", #"{"uri":\#(quoted(FileURI.encode(track))),"size":"small"}"#))
    #expect(old.withCString { access($0, F_OK) } != 0)
    for art in [small, kept] {
      let picture = try bytes(art)
      #expect(!picture.isEmpty)
    }
  }
}
