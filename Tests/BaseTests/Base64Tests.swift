import SegueSystem
import Testing

/// Tests of the encoding of bytes as text.
@Suite struct Base64Tests {
  /// The test vectors of RFC 4648, section 10.
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
    ("foobar", "Zm9vYmFy"),
  ])
  func theExamplesOfTheStandardAreEncodedAndDecoded(plain: String, encoded: String) {
    #expect(Base64.standard.encoded(Array(plain.utf8)) == Array(encoded.utf8))
    #expect(Base64.standard.decoded(encoded.utf8) == Array(plain.utf8))
    #expect(Base64.url.encoded(Array(plain.utf8)) == encoded.utf8.filter { $0 != UInt8(ascii: "=") })
  }

  @Test func theLastTwoCharactersDifferInURLs() {
    #expect(Base64.standard.encoded([0xFB, 0xEF, 0xFF]) == Array("++//".utf8))
    #expect(Base64.url.encoded([0xFB, 0xEF, 0xFF]) == Array("--__".utf8))
    #expect(Base64.url.decoded("--__".utf8) == [0xFB, 0xEF, 0xFF])
    #expect(!Base64.url.contains(UInt8(ascii: "+")) && Base64.standard.contains(UInt8(ascii: "+")))
  }

  @Test func linesAreDecodedAsOneText() {
    #expect(Base64.standard.decoded("Zm9v\nYg==\n".utf8) == Array("foob".utf8))
  }

  @Test func everyByteIsReadBack() {
    for count in 0...256 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) }
      #expect(Base64.url.decoded(Base64.url.encoded(bytes)) == bytes)
    }
  }
}
