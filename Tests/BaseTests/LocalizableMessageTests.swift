import Glibc
import SegueSystem
import SegueWire
import Testing

/// Tests of the messages of failures: text, template and arguments.
@Suite struct LocalizableMessageTests {
  private let path = FilePath("/music/100%/%1$s.flac")
  private let reason = "no %s"

  private func json(_ failure: Failure) throws -> JSON {
    var json = JSONWriter()
    failure.encode(into: &json)
    return try JSON(parsing: json.bytes)
  }

  private func decoded(_ json: String) throws -> LocalizableMessage {
    LocalizableMessage(try JSON(parsing: json), text: "text")
  }

  @Test func literal_hasATemplateAndArguments() {
    let failure = Failure(.denied, "100% of \(path): \(reason) (\(7))")
    #expect(failure.message == "100% of /music/100%/%1$s.flac: no %s (7)")
    #expect(failure.localizableMessage.template == "100%% of %1$s: %2$s (%3$s)")
    #expect(failure.localizableMessage.arguments == [.text(path.description), .text(reason), .text("7")])
    let constant = Failure(.emptyQueue, "the queue is empty").localizableMessage
    #expect(constant.template == "the queue is empty" && constant.arguments.isEmpty)
  }

  @Test func continuedLiteral_numbersItsArgumentsOn() {
    let message: LocalizableMessage = "50% \(1), " + "60% \(2) %1$s \(3)" + " end"
    #expect(message.text == "50% 1, 60% 2 %1$s 3 end")
    #expect(message.template == "50%% %1$s, 60%% %2$s %%1$s %3$s end")
    #expect(message.arguments == [.text("1"), .text("2"), .text("3")])
  }

  @Test func plainText_hasNoTemplate() throws {
    for message in [LocalizableMessage.plain("50% lost"), .plain(""), ""] {
      #expect(message.template == nil && message.arguments.isEmpty)
      let data = try #require(try json(Failure(.damaged, message))["data"])
      #expect(data.names == ["kind"])
    }
  }

  @Test func savedMessage_isReadWithItsTemplate() {
    let message: LocalizableMessage = "a \(1): \(LocalizableMessage("b \("%"), 50%"))"
    #expect(LocalizableMessage.saved(message.text, message.savedTemplate) == message)
    let plain = LocalizableMessage.plain("a")
    #expect(plain.savedTemplate == nil)
    for invalid in [nil, "", "{", "[]", #"{"template":"a"}"#, #"{"template":"a","arguments":[1]}"#] {
      #expect(LocalizableMessage.saved("a", invalid) == plain)
    }
  }

  @Test func errorsOfSystemCalls_haveTheMessagesOfTheCLibrary() {
    for code in Int32(1)..<134 {
      let error = SystemError("open", "/a", code: code)
      #expect(error.localizableReason.text == String(cString: strerror(code)))
      #expect(error.localizableMessage.text == error.description)
    }
    let failure = Failure(.unavailable, "no file: \(SystemError("open", "/a", code: ENOSPC))").localizableMessage
    #expect(failure.text == "no file: /a: No space left on device")
    #expect(failure.arguments == [.message("\("/a"): \(LocalizableMessage("No space left on device"))")])
  }

  @Test(arguments: [SegueSystem.ExitStatus.exited(3), .killed(signal: SIGKILL), .killed(signal: SIGSEGV)])
  func endsOfProcesses_areDescribedAsInTheLog(_ status: SegueSystem.ExitStatus) {
    let message = status.localizableMessage(of: LocalizableMessage("the decoder"))
    #expect(message.text == "the decoder \(status)")
    #expect(message.template != nil)
  }

  @Test func messageInsideAMessage_isTranslatedByItself() throws {
    let inner: LocalizableMessage = "no \(1)"
    let failure = Failure(.damaged, "a: \(inner) \(LocalizableMessage.plain("b"))")
    #expect(failure.message == "a: no 1 b")
    #expect(failure.localizableMessage.arguments == [.message(inner), .text("b")])
    let json = try json(failure)
    #expect(json["message"]?.string == "a: no 1 b")
    #expect(json["data"]?["template"]?.string == "a: %1$s %2$s")
    #expect(json["data"]?["arguments"]?.elements?[0]["template"]?.string == "no %1$s")
    let data = try #require(json["data"])
    #expect(LocalizableMessage(data, text: failure.message) == failure.localizableMessage)
  }

  /// A request may repeat a megabyte in its error.
  @Test func longArguments_loseTheirMiddle() throws {
    let long = String(repeating: "я", count: 1 << 19)
    let inner: LocalizableMessage = "inner \(long)"
    for message: LocalizableMessage in ["\(path): \(long)", "\(long)\(long)", "a: \(inner)"] {
      let failure = Failure(.notFound, message)
      #expect(failure.message.utf8.count <= 10 * 1024)
      let texts = failure.localizableMessage.arguments.map { if case .text(let text) = $0 { text } else { "" } }
      #expect(texts.reduce(0) { $0 + $1.utf8.count } <= 10 * 1024)
      #expect(texts.contains { $0.utf8.count > 1_000 && $0.contains(" … ") })
      #expect(failure.localizableMessage.template == message.template)
    }
    #expect(Failure(.notFound, "\(path) \(long)").localizableMessage.arguments.first == .text(path.description))
    let template = LocalizableMessage(stringLiteral: long)
    #expect(Failure(.notFound, template).localizableMessage.template == nil)
  }

  @Test(arguments: [
    #"{}"#, #"{"template":"a %1$s"}"#, #"{"template":null,"arguments":[]}"#, #"{"template":"a","arguments":"x"}"#,
    #"{"template":"a","arguments":[1]}"#, #"{"template":"a","arguments":[{}]}"#, #"{"template":"","arguments":[]}"#,
    #"{"template":"a","arguments":["","","","","","","","","","","","","","","","",""]}"#,
  ]) func invalidTemplate_isIgnored(_ json: String) throws {
    #expect(try decoded(json) == .plain("text"))
  }

  @Test func messagesInsideMessages_areLimitedInDepth() throws {
    var json = #""x""#
    for _ in 0..<100 { json = #"{"message":"m","template":"%1$s","arguments":[\#(json)]}"# }
    let message = try decoded(json)
    #expect(message.text == "text")
    var depth = 0
    var next: LocalizableMessage? = message
    while case .message(let inner)? = next?.arguments.first {
      next = inner
      depth += 1
    }
    #expect(depth <= 4)
  }
}
