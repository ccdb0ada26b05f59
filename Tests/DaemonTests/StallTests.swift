import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// What may take its time, as a disk or whoever reads the log, keeps no client waiting that does not need it.
@Suite struct StallTests {
  /// The runtime folder lies on a disk where a system has none in memory, and a disk may stand still for seconds.
  @Test(.enabled(if: FreezableVolume.isAllowed)) func aDiskThatStandsStillUnderTheRuntimeFolderKeepsNobodyWaiting()
    throws
  {
    let daemon = try DaemonProcess(running: false, runtimeOnDisk: true)
    let disk = try FreezableVolume(
      over: daemon.directory.appending("run"), image: daemon.directory.appending("home/image"))
    try daemon.start()
    let (writer, reader) = (try daemon.connect(), try daemon.connect())
    try writer.call("queue.add", #"{"uris":["http://127.0.0.1:9/x"]}"#)
    try disk.freeze()
    // Each notes the position.
    for _ in 0..<10 { for method in ["stop", "next", "prev"] { try writer.call(method) } }
    try writer.call("queue.clear")
    for _ in 0..<50 { try reader.call("status") }
    try reader.call("volume", "[7]")
    disk.thaw()
    #expect(daemon.stop() == 0)
    withExtendedLifetime(disk) {}
  }

  /// Ten thousand lines for a log that nobody reads.
  @Test func aLogThatNobodyReadsKeepsNobodyWaiting() throws {
    let daemon = try DaemonProcess(running: false)
    for part in ["home/.config", "home/.config/segue"] {
      daemon.directory.appending(part).withCString { _ = mkdir($0, 0o700) }
    }
    // The daemon's standard error is this pipe then.
    let pipe = daemon.directory.appending("stderr")
    #expect(pipe.withCString { mkfifo($0, 0o600) } == 0)
    let log = Descriptor(owning: pipe.withCString { open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC) })
    try daemon.start()
    let client = try daemon.connect()
    let configuration = "[Player]\n" + (0..<10_000).map { "Nonsense\($0)=1\n" }.joined()
    try AudioFile.write(Array(configuration.utf8), to: daemon.directory.appending("home/.config/segue/segue.conf"))
    daemon.signal(SIGHUP)
    _ = try daemon.notification { $0.contains("RELOADING=1") }
    // It comes when all the lines were logged.
    _ = try daemon.notification { $0.contains("READY=1") }
    for _ in 0..<50 { try client.call("status") }

    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    try waitUntil("the log says what it left out") {
      while case let count = read(log.raw, &buffer, buffer.count), count > 0 { text += buffer[..<count] }
      return String(decoding: text, as: UTF8.self).contains("were lost")
    }
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n").filter { $0.contains("Nonsense") }
    let numbers = lines.compactMap { $0.firstMatch(of: /Nonsense([0-9]+)=/).flatMap { Int($0.1) } }
    #expect(numbers == Array(0..<numbers.count), "the first ones, in order")
    #expect((1_000..<10_000).contains(numbers.count))
    let lost = String(decoding: text, as: UTF8.self).firstMatch(of: /([0-9]+) lines of the log were lost/)
    let missing = 10_000 - numbers.count
    // The daemon may have had something else to say meanwhile.
    #expect((missing...(missing + 5)).contains(lost.flatMap { Int($0.1) } ?? 0))
    // What is logged from now on is written at once again.
    daemon.signal(SIGHUP)
    #expect(daemon.stop() == 0)
  }
}
