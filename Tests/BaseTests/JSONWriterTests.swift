import SegueSystem
import SegueWire
import Testing

@Suite struct JSONWriterTests {
  private func written(_ body: (inout JSONWriter) -> Void) -> String {
    var json = JSONWriter()
    body(&json)
    return String(decoding: json.bytes, as: UTF8.self)
  }

  @Test func writer_insertsCommas() {
    let text = written { json in
      json.beginObject()
      json.member("a", 1)
      json.member("b", ["x", "y"])
      json.key("c")
      json.beginArray()
      json.beginObject()
      json.endObject()
      json.null()
      json.beginArray()
      json.endArray()
      json.endArray()
      json.member("d", true)
      json.endObject()
      json.endLine()
      json.beginArray()
      json.endArray()
    }
    #expect(text == "{\"a\":1,\"b\":[\"x\",\"y\"],\"c\":[{},null,[]],\"d\":true}\n[]")
  }

  @Test func everyString_survivesWritingAndParsing() throws {
    let control = String(String.UnicodeScalarView((0..<0x20).map { Unicode.Scalar(UInt8($0)) }))
    for text in ["", "plain", "\"\\/", control, "é 漢 🎵 \u{7F}\u{2028}", String(repeating: "\u{1}x", count: 5_000)] {
      let json = try JSON(parsing: written { $0.string(text) })
      #expect(json.string == text)
    }
  }

  @Test(arguments: [
    (0, "0"), (2_500_000_000, "2.5"), (180_000_000_000, "180"), (-1, "-0.000000001"), (1_000_000_001, "1.000000001"),
    (100_000_000, "0.1"), (-2_500_000_000, "-2.5"),
  ])
  func seconds_areWrittenExactly(nanoseconds: Int64, text: String) {
    #expect(written { $0.seconds(MediaTime(nanoseconds: nanoseconds)) } == text)
  }

  @Test func extremeNumbers_areWritten() {
    #expect(written { $0.integer(Int64.min) } == "-9223372036854775808")
    #expect(written { $0.integer(Int64.max) } == "9223372036854775807")
    #expect(written { $0.double(.infinity) } == "null")
    #expect(written { $0.double(0.1) } == "0.1")
  }

  @Test func parsedValue_isWrittenUnchanged() throws {
    let text = #"{"a":[1,-2.5,true,null,"x"],"b":{"c":{}},"d\"":[]}"#
    let json = try JSON(parsing: text)
    #expect(written { $0.value(json) } == text)
  }

  @Test func writing_continuesAfterRemoveAll() {
    var json = JSONWriter()
    json.beginArray()
    json.integer(1)
    #expect(json.withBytes { Array($0) } == Array("[1".utf8))
    json.removeAll()
    json.comma()
    json.beginObject()
    json.endObject()
    json.endArray()
    #expect(String(decoding: json.bytes, as: UTF8.self) == ",{}]")
  }
}
