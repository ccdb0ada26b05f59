import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of the process that reads from the network, as the daemon starts and uses it.
@Suite struct NetworkProcessTests {
  private static let song = AudioFile.wave(Signal.pcm(0..<20_000))

  /// Returns the variables in the environment of a process.
  private func variables(of pid: Int32) throws -> [String: String] {
    let bytes = try AudioFile.read(FilePath("/proc/\(pid)/environ"))
    let pairs = bytes.split(separator: 0).map {
      String(decoding: $0, as: UTF8.self).split(separator: "=", maxSplits: 1)
    }
    return Dictionary(uniqueKeysWithValues: pairs.map { (String($0[0]), $0.count > 1 ? String($0[1]) : "") })
  }

  /// No process stays behind when nothing is read from the network, however often it was used.
  @Test func theProcess_endsWhenItIsNotNeeded() throws {
    let fixture = try DaemonFixture(configuration: "[Player]\nGracePeriod=1\n")
    let web = try WebServer(.file(Self.song))
    for round in 1...2 {
      // The second stream is read by the same process as the first.
      for _ in 1...2 {
        try fixture.add(uris: [web.url("song.wav")], play: true)
        try fixture.waitForStop()
      }
      #expect(fixture.recording.recordedFrames.sound.allSatisfy { $0.count == 20_000 })
      try waitUntil("the process has ended in round \(round)") { fixture.fetchProcess == nil }
    }
    #expect(try fixture.client.call("daemon.stats")["workersLost"]?.int == 0)
  }

  /// The process gets the variables of proxies, decoders do not, and neither gets any other.
  @Test func environments_containOnlyWhatIsNeeded() throws {
    let proxy = try WebServer(.radio(burst: 44_100))
    let server = try PulseServer([.null("test")])
    let daemon = try DaemonProcess(
      pulse: server, environment: ["http_proxy": proxy.url(""), "no_proxy": "localhost", "SECRET_TOKEN": "secret"])
    let client = try daemon.connect()
    try client.call("queue.add", #"{"uris":["http://radio.invalid/live"],"play":true}"#)
    try waitUntil("the station plays through the proxy") {
      Status(try client.call("status")).position ?? .zero > .zero
    }
    #expect(proxy.paths.first == "http://radio.invalid/live")
    let children = Processes.children(of: daemon.pid ?? 0)
    let fetcher = try #require(children.first { Processes.program(of: $0).hasSuffix("/segue-fetch") })
    let decoder = try #require(children.first(where: Processes.hasRing))
    let ofSanitizers: Set = ["ASAN_OPTIONS", "TSAN_OPTIONS", "LLVM_PROFILE_FILE", "LD_LIBRARY_PATH"]
    let ofStubs: Set = ["LD_LIBRARY_PATH", "LD_BIND_NOW"]
    #expect(
      Set(try variables(of: fetcher).keys).subtracting(ofSanitizers) == ["http_proxy", "no_proxy", "LC_ALL"])
    #expect(Set(try variables(of: decoder).keys).subtracting(ofSanitizers).subtracting(ofStubs) == ["LC_ALL"])
  }

  // MARK: Certificates

  @Test func aServerWhoseAuthorityIsInTheConfiguration_isPlayed() throws {
    let authority = try CertificateAuthority()
    let server = try TLSServer(authority.identity(), pages: ["song.wav": TLSServer.page(Self.song, type: "audio/wav")])
    let fixture = try DaemonFixture(configuration: "[Network]\nCertificateAuthority=\(authority.certificate)\n")
    try fixture.add(uris: [server.url("song.wav")], play: true)
    try fixture.recording.waitForSilence()
    #expect(fixture.recording.recordedFrames.joined == [0..<20_000])
  }

  @Test func anUnknownAuthority_isTheReasonOfTheFailure() throws {
    let authority = try CertificateAuthority()
    let server = try TLSServer(authority.identity(), pages: ["song.wav": TLSServer.page(Self.song, type: "audio/wav")])
    let fixture = try DaemonFixture(.null("test"))
    try fixture.add(uris: [server.url("song.wav")], play: true)
    try fixture.waitForStop()
    let error = try #require(try fixture.errors().first ?? nil)
    #expect(error.contains("the certificate of 127.0.0.1:\(server.port) cannot be trusted"), "\(error)")
    #expect(error.contains("unable to get local issuer certificate"), "\(error)")
  }

  /// The file may be repaired while the daemon runs. Other addresses are not affected.
  @Test func aFileWithoutCertificates_isTheReasonOfTheFailure() throws {
    let authority = try CertificateAuthority()
    let folder = try TemporaryFolder()
    let file = folder.path.appending("authority.pem")
    let server = try TLSServer(authority.identity(), pages: ["song.wav": TLSServer.page(Self.song, type: "audio/wav")])
    let web = try WebServer(.file(Self.song))
    let fixture = try DaemonFixture(configuration: "[Network]\nCertificateAuthority=\(file)\n")
    try fixture.add(uris: [server.url("song.wav")], play: true)
    try fixture.waitForStop()
    #expect(try fixture.errors() == ["CertificateAuthority=\(file) cannot be read: No such file or directory"])
    #expect(fixture.daemon.errors.contains("CertificateAuthority=\(file) cannot be read"))
    try folder.write("authority.pem", Array("text".utf8))
    try fixture.call("play")
    try fixture.waitForStop()
    #expect(try fixture.errors() == ["CertificateAuthority=\(file) contains no certificate in the format PEM"])
    try folder.write("authority.pem", AudioFile.read(authority.certificate))
    try fixture.call("play")
    try fixture.recording.waitForSilence()
    #expect(fixture.recording.recordedFrames.joined == [0..<20_000])
    withExtendedLifetime(web) {}
  }

  @Test func authorities_areReplacedWhenTheConfigurationIsReadAgain() throws {
    let (first, second) = (try CertificateAuthority(), try CertificateAuthority())
    let pages = ["song.wav": TLSServer.page(Self.song, type: "audio/wav")]
    let servers = try [first, second].map { try TLSServer($0.identity(), pages: pages) }
    let fixture = try DaemonFixture(
      .null("test"), configuration: "[Network]\nCertificateAuthority=\(first.certificate)\n")
    try fixture.add(uris: servers.map { $0.url("song.wav") }, play: true)
    try fixture.waitForStop()
    #expect(try fixture.errors().map { $0 == nil } == [true, false])
    try AudioFile.write(
      Array("[Network]\nCertificateAuthority=\(second.certificate)\n".utf8),
      to: fixture.daemon.directory.appending("home/.config/segue/segue.conf"))
    fixture.daemon.signal(SIGHUP)
    try waitUntil("the configuration is in use") {
      let setting = try fixture.client.call("settings.get", #"{"name":"network.certificateAuthority"}"#)
      return setting["value"]?.elements?.first?.string == FileURI.encode(second.certificate)
    }
    try fixture.client.call("queue.clear")
    try fixture.add(uris: servers.map { $0.url("song.wav") }, play: true)
    try fixture.waitForStop()
    #expect(try fixture.errors().map { $0 == nil } == [false, true])
  }

  // MARK: Hostile servers

  /// Every track fails with a reason, and the daemon goes on.
  @Test func aQueueOfHostileServers_isSkipped() throws {
    let fixture = try DaemonFixture(.null("test"))
    let responses = [
      "", "garbage", "HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx",
      "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html>", "HTTP/1.1 503 Busy\r\n\r\n",
      "HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\n\r\n", "HTTP/1.1 302 Found\r\nLocation: /\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n\u{1F}", "HTTP/1.1 200 OK\r\n\r\n#EXTM3U\n/a\n",
      "HTTP/1.1 206 Part\r\nContent-Range: bytes 3-4/5\r\n\r\nxx",
      "HTTP/1.1 200 OK\r\nContent-Type: audio/mpeg\r\n\r\n\(String(repeating: "no audio ", count: 20_000))",
    ]
    let server = try WebServer { request, client in
      let number = Int(request.prefix { !$0.isNewline }.filter(\.isNumber).dropLast(2)) ?? 0
      _ = client.send(responses[number % responses.count])
      return false
    }
    let count = 4 * responses.count
    try fixture.add(uris: (0..<count).map { server.url("\($0)") }, play: true)
    try waitUntil("all tracks have failed") {
      // The daemon answers while it plays.
      _ = try fixture.status()
      return try fixture.errors().allSatisfy { $0 != nil }
    }
    #expect(try fixture.errors().count == count)
    let process = try #require(fixture.fetchProcess ?? fixture.daemon.pid)
    #expect(Processes.privateDirty(of: process) < 64 << 20)
    try fixture.client.call("queue.clear")
    let file = try WebServer(.file(Self.song))
    try fixture.add(uris: [file.url("song.wav")], play: true)
    try fixture.waitForStop()
    #expect(try fixture.errors() == [nil])
  }
}
