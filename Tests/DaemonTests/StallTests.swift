import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// A slow disk or a slow reader of the log does not delay clients that do not need them.
@Suite struct StallTests {
  /// Without a runtime folder in memory, the position file is on a disk, which may block for seconds.
  @Test(.enabled(if: FreezableVolume.isAllowed)) func aFrozenRuntimeFolderDelaysNobody()
    throws
  {
    let daemon = try DaemonProcess(running: false, runtimeOnDisk: true)
    let disk = try FreezableVolume(
      over: daemon.directory.appending("run"), image: daemon.directory.appending("home/image"))
    try daemon.start()
    let (writer, reader) = (try daemon.connect(), try daemon.connect())
    try writer.call("queue.add", #"{"uris":["http://127.0.0.1:9/x"]}"#)
    try disk.freeze()
    // Each request saves the position.
    for _ in 0..<10 { for method in ["stop", "next", "prev"] { try writer.call(method) } }
    try writer.call("queue.clear")
    for _ in 0..<50 { try reader.call("status") }
    try reader.call("volume", "[7]")
    disk.thaw()
    #expect(daemon.stop() == 0)
    withExtendedLifetime(disk) {}
  }

  /// Logs ten thousand lines to a pipe that is not read.
  @Test func aFullLogPipeDelaysNobody() throws {
    let daemon = try DaemonProcess(running: false)
    for part in ["home/.config", "home/.config/segue"] {
      daemon.directory.appending(part).withCString { _ = mkdir($0, 0o700) }
    }
    // This pipe is the standard error of the daemon.
    let pipe = daemon.directory.appending("stderr")
    #expect(pipe.withCString { mkfifo($0, 0o600) } == 0)
    let log = Descriptor(owning: pipe.withCString { open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC) })
    try daemon.start()
    let client = try daemon.connect()
    let configuration = "[Player]\n" + (0..<10_000).map { "Nonsense\($0)=1\n" }.joined()
    try AudioFile.write(Array(configuration.utf8), to: daemon.directory.appending("home/.config/segue/segue.conf"))
    daemon.signal(SIGHUP)
    _ = try daemon.notification { $0.contains("RELOADING=1") }
    // This response comes after all lines were logged.
    _ = try daemon.notification { $0.contains("READY=1") }
    for _ in 0..<50 { try client.call("status") }

    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    try waitUntil("the log states how many lines were dropped") {
      while case let count = read(log.raw, &buffer, buffer.count), count > 0 { text += buffer[..<count] }
      return String(decoding: text, as: UTF8.self).contains("were lost")
    }
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n").filter { $0.contains("Nonsense") }
    let numbers = lines.compactMap { $0.firstMatch(of: /Nonsense([0-9]+)=/).flatMap { Int($0.1) } }
    #expect(numbers == Array(0..<numbers.count), "the first lines are complete and in order")
    #expect((1_000..<10_000).contains(numbers.count))
    let lost = String(decoding: text, as: UTF8.self).firstMatch(of: /([0-9]+) lines of the log were lost/)
    let missing = 10_000 - numbers.count
    // The daemon may have logged other lines.
    #expect((missing...(missing + 5)).contains(lost.flatMap { Int($0.1) } ?? 0))
    // Later lines are written at once again.
    daemon.signal(SIGHUP)
    #expect(daemon.stop() == 0)
  }
}
