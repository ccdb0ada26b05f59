import Testing

@testable import SegueWire

/// Tests that the validator accepts exactly the texts that the parser accepts.
@Suite struct JSONValidatorTests {
  private func count(_ bytes: [UInt8]) -> Int? { bytes.withUnsafeBytes { try? JSONValidator.countValues($0) } }

  @Test(arguments: [
    "1", " -0.5e+10 ", "\"\"", #""a\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00""#, "true", "[false,null]", "[]", "{}", "[[],{}]",
    #"{"a":{"b":[1,2,{"c":"d"}]},"e":[]}"#, "\t[\r\n1 ,2\n]\t", "\"é\u{1F3B5}\"",
    "", " ", "[", "]", "{", "}", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "[1}", "{1:2}", #"{"a"}"#, #"{"a":}"#,
    #"{"a":1,}"#,
    #"{"a":1 "b":2}"#, #"{"a":1]"#, "01", "-", "1.", ".5", "1e", "1e+", "+1", "0x1", "tru", "truee", "nul", "'a'",
    "1 2", "[] []",
    "\"", "\"a", "\"\n\"", "\"\u{1}\"", #""\x""#, #""\u12g4""#, #""\u12""#, #""\ud800""#, #""\udc00""#,
    #""\ud800\u0041""#,
    #""\ud800x""#, "NaN", "Infinity", "/**/1", "\u{FEFF}1",
  ])
  func validator_acceptsWhatParserAccepts(text: String) {
    #expect((count(Array(text.utf8)) != nil) == ((try? JSON(parsing: text)) != nil))
  }

  @Test(arguments: [
    [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0x22, 0xC3, 0x22], [0x31, 0x00],
    [0x31, 0x00, 0x78],
  ])
  func invalidUTF8OrNUL_isRejected(bytes: [UInt8]) {
    #expect(count(bytes) == nil)
    #expect((try? JSON(parsing: bytes)) == nil)
  }

  @Test(arguments: [2_046, 2_047, 2_048, 2_049]) func validator_hasNestingLimitOfParser(depth: Int) {
    for inner in ["", "1"] {
      let text = String(repeating: "[", count: depth) + inner + String(repeating: "]", count: depth)
      #expect((count(Array(text.utf8)) != nil) == ((try? JSON(parsing: text)) != nil))
    }
  }

  @Test func countValues_countsNestedValues() {
    #expect(count(Array(#"{"a":[1,"two",true],"b":{}}"#.utf8)) == 6)
  }
}
