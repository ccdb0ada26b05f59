import Glibc
import SegueRing
import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Testing

/// Tests of the sandbox of the real worker, by its state in the kernel.
@Suite struct SandboxedWorkerTests {
  @Test(arguments: WorkerRole.allCases)
  func worker_isSandboxedBeforeItAcceptsCommands(_ role: WorkerRole) throws {
    let worker = try WorkerProcess(role)
    try worker.wait(for: "the worker to start") { $0.lacking != nil }
    #expect(worker.lacking == [])
    let status = text("/proc/\(worker.pid)/status").split(separator: "\n")
    #expect(status.contains("NoNewPrivs:\t1"))
    #expect(status.contains("Seccomp:\t2"))
    #expect(status.contains("Threads:\t1"))
    let limits = text("/proc/\(worker.pid)/limits").split(separator: "\n").map { $0.split(separator: " ") }
    #expect(limits.contains { $0.starts(with: ["Max", "core", "file", "size", "0", "0"]) })
    let descriptors = role == .fetch ? "512" : "64"
    #expect(limits.contains { $0.starts(with: ["Max", "open", "files", descriptors[...], descriptors[...]]) })
  }

  /// The worker closes inherited descriptors, and no library keeps one open.
  @Test func worker_hasNoDescriptorsExceptItsSocket() throws {
    let worker = try WorkerProcess(ring: false)
    try worker.wait(for: "the worker to start", draining: false) { $0.lacking != nil }
    let folder = try #require(opendir("/proc/\(worker.pid)/fd"))
    defer { closedir(folder) }
    var numbers: [Int32] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if let number = Int32(name) { numbers.append(number) }
    }
    #expect(numbers.filter { $0 > 2 } == [LinkSocket.workerDescriptor])
  }

  /// The test is the other end of the channel to the fetch process, so nothing connects to the server.
  @Test func workerForStreams_requestsURLsThroughItsChannel() throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    try checked("listen") { listen(listener, 1) }
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = withUnsafeMutableBytes(of: &address) {
      getsockname(listener, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), &size)
    }
    let url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/x.mp3"
    let worker = try WorkerProcess(.stream)
    let (fetcher, channel) = try LinkSocket.pair()
    try worker.send(
      .open(Generation(1), MediaSource(name: url, url: url), start: .zero), files: [], and: [channel.raw])
    var request = pollfd(fd: fetcher.raw, events: Int16(POLLIN), revents: 0)
    poll(&request, 1, 10_000)
    guard let packet = try fetcher.receive() else { throw Unexpected("the channel is closed") }
    #expect(FetchRequest(packet) == .open(id: 1, url: url, offset: 0))
    var connection = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
    #expect(poll(&connection, 1, 0) == 0)
    try fetcher.send(FetchResponse.failed(id: 1, Failure(.notFound, "there is no such file")))
    try worker.wait(for: "the failure") { $0.failure(of: 1) != nil }
    #expect(worker.failure(of: 1)?.kind == .notFound)
  }

  /// The log of the daemon names the signal, so a crash must not look like a forbidden call.
  @Test(arguments: [SIGILL, SIGSEGV, SIGBUS]) func crash_doesNotLookLikeForbiddenCall(_ signal: Int32) throws {
    let worker = try WorkerProcess(ring: false)
    try worker.wait(for: "the worker to start", draining: false) { $0.lacking != nil }
    kill(worker.pid, signal)
    var status: Int32 = 0
    #expect(waitpid(worker.release(), &status, 0) > 0)
    #expect(status & 0x7F == signal)
  }

  private func text(_ path: String) -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 8_192)
    return String(decoding: bytes[..<fread(&bytes, 1, bytes.count, file)], as: UTF8.self)
  }
}
