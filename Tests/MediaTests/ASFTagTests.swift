import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Testing

/// Tests of the objects of an ASF header that may contain texts. Their identifiers are those of the specification.
@Suite struct ASFTagTests {
  private enum Object {
    static let headerExtension: [UInt8] = [
      0xB5, 0x03, 0xBF, 0x5F, 0x2E, 0xA9, 0xCF, 0x11, 0x8E, 0xE3, 0x00, 0xC0, 0x0C, 0x20, 0x53, 0x65,
    ]
    /// The beginning of a header extension.
    static let reserved: [UInt8] = [
      0x11, 0xD2, 0xD3, 0xAB, 0xBA, 0xA9, 0xCF, 0x11, 0x8E, 0xE6, 0x00, 0xC0, 0x0C, 0x20, 0x53, 0x65, 6, 0,
    ]
    static let description: [UInt8] = [
      0x33, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0x00, 0xAA, 0x00, 0x62, 0xCE, 0x6C,
    ]
    static let extendedDescription: [UInt8] = [
      0x40, 0xA4, 0xD0, 0xD2, 0x07, 0xE3, 0xD2, 0x11, 0x97, 0xF0, 0x00, 0xA0, 0xC9, 0x5E, 0xA8, 0x50,
    ]
    static let metadataLibrary: [UInt8] = [
      0x94, 0x1C, 0x23, 0x44, 0x98, 0x94, 0xD1, 0x49, 0xA1, 0x41, 0x1D, 0x13, 0x4E, 0x45, 0x70, 0x54,
    ]
  }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func object(_ id: [UInt8], _ body: [UInt8]) -> [UInt8] {
    id + TagBytes.littleEndian(24 + body.count, bytes: 8) + body
  }

  private func text(_ text: String) -> [UInt8] {
    (text + "\0").utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
  }

  private func description(title: String, author: String) -> [UInt8] {
    let (title, author) = (text(title), text(author))
    var body = TagBytes.littleEndian(title.count, bytes: 2) + TagBytes.littleEndian(author.count, bytes: 2)
    // Copyright, description and rating are empty.
    body += [0, 0, 0, 0, 0, 0]
    return object(Object.description, body + title + author)
  }

  private func extendedDescription(_ attributes: [(String, String)]) -> [UInt8] {
    var body = TagBytes.littleEndian(attributes.count, bytes: 2)
    for (name, value) in attributes {
      let (name, value) = (text(name), text(value))
      body += TagBytes.littleEndian(name.count, bytes: 2) + name
      body += joined([0, 0], TagBytes.littleEndian(value.count, bytes: 2), value)
    }
    return object(Object.extendedDescription, body)
  }

  /// Returns a metadata library in a header extension. Its attributes have no language and no stream.
  private func library(_ attributes: [(String, String)]) -> [UInt8] {
    var body = TagBytes.littleEndian(attributes.count, bytes: 2)
    for (name, value) in attributes {
      let (name, value) = (text(name), text(value))
      body += joined([0, 0, 0, 0], TagBytes.littleEndian(name.count, bytes: 2), [0, 0])
      body += TagBytes.littleEndian(value.count) + name + value
    }
    let library = object(Object.metadataLibrary, body)
    return object(Object.headerExtension, Object.reserved + TagBytes.littleEndian(library.count) + library)
  }

  /// Returns `long.wma` with `objects` in place of its tags.
  private func wma(_ objects: [[UInt8]]) throws -> [UInt8] {
    let file = try Fixture.bytes("long.wma")
    func size(at position: Int) -> Int { file[position..<position + 8].reversed().reduce(0) { $0 << 8 | Int($1) } }
    let replaced = [Object.headerExtension, Object.description, Object.extendedDescription]
    var objects = objects
    var position = 30
    while position < size(at: 16) {
      let object = Array(file[position..<position + size(at: position + 16)])
      if !replaced.contains(Array(object[..<16])) { objects.append(object) }
      position += object.count
    }
    let body = Array(objects.joined())
    var header = Array(file[..<16]) + TagBytes.littleEndian(30 + body.count, bytes: 8)
    header += TagBytes.littleEndian(objects.count) + [1, 2]
    return joined(header, body, file[position...])
  }

  private func metadata(_ objects: [[UInt8]]) throws -> Metadata {
    try Fixture.facts(of: folder.write("a.wma", wma(objects))).info.metadata
  }

  /// FFmpeg writes the metadata library first. mutagen returns the values in the same order.
  @Test(arguments: [false, true]) func valuesAreInAFixedOrder_regardlessOfTheObjectsInTheFile(_ isReversed: Bool) throws
  {
    let objects = [
      library([("Author", "Third"), ("WM/AlbumTitle", "Other"), ("Title", "Other")]),
      extendedDescription([
        ("Author", "Second"), ("WM/AlbumTitle", "Album"), ("WM/TrackNumber", "1/10"), ("WM/Year", "1960"),
      ]),
      description(title: "Title", author: "First"),
    ]
    let metadata = try metadata(isReversed ? objects.reversed() : objects)
    #expect(metadata.title == "Title")
    #expect(metadata.artists == ["First", "Second", "Third"])
    #expect(metadata.album == "Album")
    #expect(metadata.track == 1)
    #expect(metadata.trackTotal == 10)
    #expect(metadata.year == 1960)
  }

  @Test(arguments: [23, 24, 27, 29, 30, 31]) func fileThatEndsWithinItsHeader_isDamaged(_ size: Int) throws {
    let path = try folder.write("short.wma", Array(Fixture.bytes("long.wma").prefix(size)))
    let worker = try WorkerProcess(ring: false)
    guard case .failed(let failure) = try worker.scan([path])[0] else { throw Unexpected("the file was read") }
    #expect(failure.kind == .damaged)
  }

  /// A size that exceeds the header ends the reading. The values before it are kept.
  @Test func attributeBeyondItsObject_endsReading() throws {
    var damaged = extendedDescription([("WM/AlbumTitle", "Album"), ("WM/Genre", "Genre")])
    // The size precedes the last value.
    damaged[damaged.count - text("Genre").count - 1] = 0xFF
    let metadata = try metadata([description(title: "Title", author: "Artist"), damaged])
    #expect(metadata.title == "Title")
    #expect(metadata.album == "Album")
    #expect(metadata.genre == [])
  }
}
