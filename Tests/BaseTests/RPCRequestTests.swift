import SegueWire
import Testing

/// Tests that requests mean the same whether the scanner for simple requests or the JSON parser reads them.
@Suite struct RPCRequestTests {
  private func read(_ line: String) -> String {
    Array(line.utf8).withUnsafeBytes { bytes in
      do throws(InvalidRequest) {
        switch try IncomingMessage(line: bytes) {
        case .plain(let request): return "\(request.method) \(request.id)"
        case .single(let json):
          let request = try Request(json)
          return "\(request.method) \(request.id)"
        case .batch(var requests):
          var count = 0
          while requests.next() != nil { count += 1 }
          return "batch of \(count)"
        }
      } catch {
        return "\(error.failure.kind) \(error.id)"
      }
    }
  }

  /// Each line is read twice: the second time with a trailing tab, which only the JSON parser accepts.
  @Test(arguments: [
    #"{"jsonrpc":"2.0","id":1,"method":"status"}"#, #"{ "method" : "status" , "id" : "x" }  "#, #"{"method":"a"}"#,
    #"{"id":999999999999999999,"method":"a"}"#, #"{"id":9223372036854775807,"method":"a"}"#,
    #"{"id":01,"method":"a"}"#, #"{"id":1.5,"method":"a"}"#, #"{"id":1e2,"method":"a"}"#, #"{"id":-3,"method":"a"}"#,
    #"{"id":1}"#, #"{}"#, #"{"method":"a","method":"b"}"#, #"{"id":1,"id":2,"method":"a"}"#,
    #"{"jsonrpc":"2.1","method":"a"}"#, #"{"method":"a\n"}"#, #"{"method":"é"}"#, #"{"method":"a","x":1}"#,
    #"{"method":"a",}"#, #"{"method":"a"} {"#, #"{"method":"a" "id":1}"#, #"{"method":"a","id":null}"#,
    #"{"method":"a","params":[]}"#, #"{"method":"a"#, "[1,2]", #"{"id":123456789012345678901,"method":"a"}"#,
  ])
  func scannerAndParser_agree(line: String) { #expect(read(line) == read(line + "\t")) }

  @Test func simpleRequest_isReadWithoutParser() throws {
    let line = Array(#"{"jsonrpc":"2.0","id":1,"method":"status"}"#.utf8)
    let incoming = try line.withUnsafeBytes { try IncomingMessage(line: $0) }
    guard case .plain(let request) = incoming, case .integer(1) = request.id else {
      Issue.record("read as \(incoming)")
      return
    }
    #expect(request.method == "status")
  }

  @Test func batch_isReadElementByElement() throws {
    let elements = [
      #"{"method":"a","params":[1,{"b":"]},["}]}"#, #""quoted \" , ] and \\""#, " 7 ", "[[],[{}],{}]", #""\\""#, "null",
    ]
    let line = Array(" [\(elements.joined(separator: ","))]\t".utf8)
    guard case .batch(var batch) = try line.withUnsafeBytes({ try IncomingMessage(line: $0) }) else {
      Issue.record("not read as a batch")
      return
    }
    var read: [JSON] = []
    while let element = batch.next() { read.append(try element.get()) }
    try #require(read.count == elements.count)
    #expect(read[0]["params"]?.elements?.last?["b"]?.string == "]},[")
    #expect(read[1].string == #"quoted " , ] and \"#)
    #expect(read[2].int == 7)
    #expect(read[3].elements?.count == 3)
    #expect(read[4].string == #"\"#)
    #expect(read[5].isNull)
  }

  /// An element that only the parser refuses is an error by itself; the rest of the batch is read.
  @Test func batchElement_failsByItself() throws {
    let line = Array(#"[1e999,{"method":"a"},{"\u0000":1},123456789012345678901]"#.utf8)
    guard case .batch(var batch) = try line.withUnsafeBytes({ try IncomingMessage(line: $0) }) else {
      Issue.record("not read as a batch")
      return
    }
    var isValid: [Bool] = []
    while let element = batch.next() { isValid.append((try? element.get()) != nil) }
    #expect(isValid == [false, true, true, false])
  }

  /// RFC 8259 allows such names, although Jansson does not.
  @Test func memberName_mayContainEscapedNUL() throws {
    let text = #"{"a\u0000b":1,"\\u0000":2,"\\\u0000" : [{"\u0000\u0000":3}],"value":"\u0000:\"\u0000\"","":"\u0000"}"#
    let json = try JSON(parsing: text)
    #expect(json.names == ["a␀b", #"\u0000"#, #"\␀"#, "value", ""])
    #expect(json[#"\␀"#]?.elements?.first?["␀␀"]?.int == 3)
    #expect(json["value"]?.string == "\0:\"\0\"")
    #expect(json[""]?.string == "\0")
    #expect(throws: JSONSyntaxError.self) { try JSON(parsing: #"{"\u0000":1"#) }
    #expect(throws: JSONSyntaxError.self) { try JSON(parsing: #"{"\u0000":"\ud800"}"#) }
    // An unescaped NUL is not valid JSON.
    #expect(throws: JSONSyntaxError.self) { try JSON(parsing: "{\"a\0\":1}") }
  }

  @Test func request_isLimitedToMaximumValueCount() {
    func list(_ count: Int) -> String {
      #"{"method":"a","params":["# + Array(repeating: "1", count: count).joined(separator: ",") + "]}"
    }
    // The object, its method and the array are three more values.
    #expect(read(list(65_533)) == "a notification")
    #expect(read(list(65_534)) == "tooLarge null")
    #expect(read("[" + list(65_534) + "]") == "batch of 1")
  }
}
