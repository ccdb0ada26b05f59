import Glibc
import SegueRPC
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

@testable import SegueClientKit

/// Tests of messages with placeholders. They change the language of the process.
@Suite(.serialized) struct MessageTests {
  init() throws {
    try BuiltTranslations.compile("ru")
    Language.select(nil)
  }

  @Test func placeholders_areReplacedByArgumentsInAnyOrder() {
    #expect(tr("%2$s by %1$s", "Кино", "Группа крови") == "Группа крови by Кино")
    #expect(tr("Volume %1$d%%", 80) == "Volume 80%")
    #expect(trn("%1$d track of %2$s", "%1$d tracks of %2$s", 1, "Кино") == "1 track of Кино")
    #expect(trn("%1$d track of %2$s", "%1$d tracks of %2$s", 0, "Кино") == "0 tracks of Кино")
  }

  @Test func placeholders_withoutAnArgumentStayAsTheyAre() {
    #expect(tr("%1$s %2$s %0$s", "a") == "a %2$s %0$s")
    #expect(tr("100% %s %x %1$ %1s %1$q %111$s %", "a") == "100% %s %x %1$ %1s %1$q %111$s %")
    #expect(tr("no placeholder", "a") == "no placeholder")
    #expect(tr("100%% %1$s") == "100%% %1$s")
  }

  @Test func arguments_areNotInterpretedAndBounded() {
    #expect(tr("%1$s", "%1$s %%") == "%1$s %%")
    #expect(tr("title: %1$s", "a\u{1B}[2J\u{202E}b\nc") == "title: a^[[2J<U+202E>b^Jc")
    #expect(tr("%1$s", String(repeating: "я", count: 1 << 20)).utf8.count < 10_000)
  }

  @Test func messagesOfFailures_areTranslatedWithTheirArguments() throws {
    let path = "/music/100%/%1$s.flac"
    let message: LocalizableMessage = "\(path): no such file or folder"
    let nested: LocalizableMessage = "the file is damaged: \(LocalizableMessage("its MP4 index is missing"))"
    let unknown: LocalizableMessage = "\(path): 100% unknown"
    #expect(message.translated == message.text)
    Language.select("ru")
    #expect(message.translated == "\(path): нет такого файла или папки")
    #expect(nested.translated == "файл повреждён: в нём нет индекса MP4")
    #expect((("the file is damaged: " + "\("x")") as LocalizableMessage).translated == "файл повреждён: x")
    #expect(unknown.translated == unknown.text)
    #expect(LocalizableMessage.plain("the queue is empty").translated == "the queue is empty")
    // The template of a percent sign is doubled, also without arguments.
    #expect((("100% known") as LocalizableMessage).translated == "100% known")
    let control: LocalizableMessage = "\("a\u{1B}[2J\u{202E}b\nc"): no such file or folder"
    #expect(control.translated == "a^[[2J<U+202E>b^Jc: нет такого файла или папки")
    let long: LocalizableMessage = "\(String(repeating: "я", count: 1 << 19)): no such file or folder"
    #expect(long.translated.utf8.count < 10_000 && long.translated.hasSuffix("…: нет такого файла или папки"))
  }

  @Test func urisOfFilesInMessages_becomePaths() {
    let message: LocalizableMessage = "\("file:///music/A%20%25B.flac"): no such file or folder"
    #expect(message.text.hasPrefix("file:///music/A%20%25B.flac:"))
    #expect(message.translated == "/music/A %B.flac: no such file or folder")
    let nested: LocalizableMessage = "the file is damaged: \(message)"
    #expect(nested.translated == "the file is damaged: /music/A %B.flac: no such file or folder")
    let stream: LocalizableMessage = "\("http://host/A%20B"): no such file or folder"
    #expect(stream.translated == stream.text)
    Language.select("ru")
    #expect(message.translated == "/music/A %B.flac: нет такого файла или папки")
  }

  /// The template comes from a daemon, possibly of another version.
  @Test(arguments: [
    #"{"template":"%1$s: no such file or folder","arguments":[]}"#,
    #"{"template":"%1$s: no such file or folder","arguments":["a","b"]}"#,
    #"{"template":"%1$s: no such file or folder","arguments":[1]}"#,
    #"{"template":"%1$s: no such file or folder"}"#, #"{"template":"","arguments":[]}"#, #"{"template":7}"#,
    #"{"template":"Queue","arguments":["a"]}"#, #"{"template":"%1$s","arguments":["a"]}"#,
  ]) func argumentsThatDoNotFit_leaveTheEnglishMessage(_ data: String) throws {
    Language.select("ru")
    #expect(LocalizableMessage(try JSON(parsing: data), text: "m").translated == "m")
    let error = try JSON(parsing: #"{"code":3,"message":"m","data":\#(data)}"#)
    #expect(ClientError(.response(ErrorResponse(error))).message == "m")
  }

  @Test func errorsOfTheDaemon_areInTheLanguageOfTheUser() throws {
    let error = try JSON(
      parsing: #"{"code":2,"message":"the queue is empty","data":{"template":"the queue is empty","arguments":[]}}"#)
    #expect(ClientError(.response(ErrorResponse(error))).message == "the queue is empty")
    Language.select("ru")
    #expect(ClientError(.response(ErrorResponse(error))).message == "очередь пуста")
    let withoutTemplate = try JSON(parsing: #"{"code":2,"message":"the queue is empty","data":{"kind":"empty_queue"}}"#)
    #expect(ClientError(.response(ErrorResponse(withoutTemplate))).message == "the queue is empty")
  }

  @Test func aDaemonWithAFullBacklog_isSaidNotToAcceptConnections() {
    let error = ConnectionError.unreachable(FilePath("/s"), SystemError("connect", code: EAGAIN))
    #expect(ClientError(error).message == "the daemon does not accept connections")
    #expect(ClientError(error).exit == .failed)
  }

  @Test func languageWithoutTranslations_isEnglish() {
    Language.select("ru")
    Language.select("tlh")
    #expect(tr("Queue") == "Queue")
    Language.select("../ru")
    #expect(tr("Queue") == "Queue")
  }
}
