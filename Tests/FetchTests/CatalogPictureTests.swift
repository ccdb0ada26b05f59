import Glibc
import SegueCatalogProviders
import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Synchronization
import Testing

/// Tests of downloads of pictures by a fetch process, over a channel whose other end is the test.
@Suite struct CatalogPictureTests {
  private let fetcher: WorkerProcess
  private let link: LinkSocket

  init() throws {
    fetcher = try WorkerProcess(.fetch, ring: false)
    let ends = try LinkSocket.descriptorPair()
    defer { close(ends.nonblocking) }
    link = LinkSocket(Descriptor(owning: ends.blocking))
    try fetcher.send(.serveCatalogs, and: [ends.nonblocking])
  }

  /// Requests a picture and returns the memory file for it.
  private func request(_ id: UInt32, _ url: String, maximumSize: Int) throws -> SharedDescriptor {
    let file = SharedDescriptor(try MemoryFile.create("test", size: maximumSize))
    try link.send(
      CatalogFetchRequest.picture(id: id, url: url, namedBy: .loopback), descriptors: [file.raw])
    return file
  }

  private func response() throws -> CatalogFetchResponse? {
    guard let packet = try link.receive() else { return nil }
    return CatalogFetchResponse(packet)
  }

  /// The memory of a program with a sanitizer says nothing.
  @Test(.disabled(if: Sanitizer.isOn)) func eightLargePictures_needLittleMemory() throws {
    let picture = numberedBytes(10_000_000)
    let all = 8
    let arrived = Atomic(0)
    let areSent = TestEvent()
    // Every picture is complete but for its last byte before the first one ends.
    let server = try WebServer { _, client in
      guard client.send("HTTP/1.1 200 OK\r\nContent-Length: \(picture.count)\r\n\r\n"),
        client.send(Array(picture.dropLast()))
      else { return false }
      if arrived.add(1, ordering: .relaxed).newValue == all { areSent.happen() }
      areSent.wait()
      return client.send([picture[picture.count - 1]])
    }
    let files = try (0..<all).map {
      try request(UInt32($0), server.url("\($0).png"), maximumSize: CatalogFetchRequest.maximumPictureSize)
    }
    for _ in 0..<all {
      guard case .picture(let id, let size) = try response() else {
        Issue.record("a picture failed")
        continue
      }
      #expect(size == picture.count)
      #expect(try MemoryFile.read(size, from: files[Int(id)].descriptor) == picture)
    }
    #expect(try fetcher.peakMemory < 32 << 20)
  }

  @Test func pictureBeyondTheSizeOfTheFile_isRefused() throws {
    let server = try WebServer { _, client in
      client.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n") && client.send(numberedBytes(100_000))
    }
    let file = try request(1, server.url("a.png"), maximumSize: 99_999)
    guard case .failed(1, let failure) = try response() else {
      Issue.record("the picture is not refused")
      return
    }
    #expect(failure.kind == .badResponse)
    #expect(failure.message == "the picture has more than 99999 bytes")
    withExtendedLifetime(file) {}
  }
}
