import Testing

@testable import SegueClientKit

/// Tests of files of pixels, which are damaged or complete.
@Suite struct PixmapTests {
  private func file(_ header: String, _ count: Int) -> [UInt8] {
    Array(header.utf8) + [UInt8](repeating: 7, count: count)
  }

  @Test func damagedFilesAreRejected() {
    for (header, count) in [
      ("P6\n2 2\n255\n", 11), ("P6\n2 2\n255\n", 13), ("P6\n2 2\n65535\n", 12), ("P5\n2 2\n255\n", 12),
      ("P6\n0 2\n255\n", 0),
      ("P6\n99999999999999999999 2\n255\n", 12), ("P6\n99999 99999\n255\n", 12), ("P6\n-2 -2\n255\n", 12), ("P6", 0),
      ("", 0),
      ("P6\n2 2\n255", 0),
    ] {
      #expect(Pixmap(file: file(header, count)) == nil, "\(header.debugDescription)")
    }
    #expect(Pixmap(file: file("P6\n2 2\n255\n", 12)) != nil)
  }

  @Test func aPixelIsTheMeanOfThoseThatItCovers() throws {
    let picture = try #require(
      Pixmap(file: Array("P6 4 1 255 ".utf8) + [0, 0, 0, 10, 20, 30, 100, 100, 100, 200, 0, 50]))
    #expect(
      picture.scaled(width: 2, height: 1) == [
        Pixmap.Color(red: 5, green: 10, blue: 15), Pixmap.Color(red: 150, green: 50, blue: 75),
      ])
    // A picture that is scaled up repeats its pixels.
    #expect(picture.scaled(width: 8, height: 2).count == 16)
    #expect(picture.scaled(width: 8, height: 2)[7] == Pixmap.Color(red: 200, green: 0, blue: 50))
  }

  @Test func coloursAreReplacedByTheMostSimilarOfThePalette() {
    func index(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Int {
      Pixmap.Color(red: red, green: green, blue: blue).paletteIndex
    }
    #expect(index(0, 0, 0) == 16 && index(255, 255, 255) == 231 && index(255, 0, 0) == 196 && index(0, 0, 255) == 21)
    #expect(index(128, 128, 128) == 244 && index(100, 135, 175) == 67)
  }
}
