import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Synchronization
import Testing

/// Tests of the rule that a server on the internet cannot make this machine connect to itself or to its network. They
/// run in a network of their own, whose only interface has addresses of the internet as well.
@Suite(.enabled(if: NetworkNamespace.isAllowed, "requires root and the right to create network namespaces"))
struct AddressRuleTests {
  /// How a server names the next address.
  enum Naming: CaseIterable, Sendable {
    case redirect, redirectsWithCookies, m3u, pls, asx, xspf, variant, part

    /// Returns the response to a request for `path` that names `url`, or that leads to another response which does.
    func response(naming url: String, to path: String = "/") -> String {
      let body =
        switch self {
        case .redirect, .redirectsWithCookies: ""
        case .m3u: "#EXTM3U\n\(url)\n"
        case .pls: "[playlist]\nNumberOfEntries=1\nFile1=\(url)\n"
        case .asx: "<asx version=\"3.0\"><entry><ref href=\"\(url)\"/></entry></asx>"
        case .xspf:
          "<?xml version=\"1.0\"?><playlist version=\"1\" xmlns=\"http://xspf.org/ns/0/\"><trackList><track>"
            + "<location>\(url)</location></track></trackList></playlist>"
        case .variant: "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=64000\n\(url)\n"
        case .part: "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n\(url)\n#EXT-X-ENDLIST\n"
        }
      let number = Int(path.dropFirst()) ?? 0
      let head =
        switch self {
        case .redirect: "302 Found\r\nLocation: \(url)"
        case .redirectsWithCookies: "302 Found\r\nSet-Cookie: a=1\r\nLocation: \(number < 7 ? "/\(number + 1)" : url)"
        case .m3u, .pls, .asx, .xspf, .variant, .part: "200 OK\r\nContent-Type: audio/x-mpegurl"
        }
      return "HTTP/1.1 \(head)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }
  }

  /// The result of a request for what a server at `address` names.
  private struct Result: Sendable {
    var failure: Failure?
    var bytes: [UInt8]
    /// The number of connections to the named server.
    var connections: Int
  }

  private static let hosts = """
    127.0.0.1 localhost inside.test
    ::1 localhost
    192.168.7.7 lan.test
    198.51.100.7 outside.test
    """

  /// Requests the URL that a server at `address` names by `naming`. The URL has the host `host` and the port of a
  /// server that listens at all addresses.
  private static func request(
    _ host: String, namedAt address: String, _ naming: Naming, variables: [String: String] = [:]
  ) throws -> Result {
    try NetworkNamespace.run(hosts: hosts) {
      let target = try WebServer(at: "::") { _, client in
        client.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecret")
      }
      let named = "http://\(host):\(target.port)/file"
      let server = try WebServer(
        at: address, { request, client in client.send(naming.response(naming: named, to: path(of: request))) })
      let fetcher = try WorkerProcess(.fetch, ring: false, variables: variables)
      let connection = try FetchConnection(to: fetcher, for: server.url("start"))
      var response = try connection.response(to: server.url("start"))
      if naming == .part { response = try connection.response(to: named) }
      return Result(failure: response.failure, bytes: response.bytes, connections: target.connectionCount)
    }
  }

  private func expectRefusal(_ result: Result, _ what: String) {
    #expect(result.failure?.kind == .denied, "\(what): \(result)")
    #expect(result.failure?.message.contains("a server on the internet named an address") == true, "\(what): \(result)")
    #expect(result.connections == 0, "\(what)")
  }

  @Test(arguments: Naming.allCases)
  func addressesOfTheInternet_areConnected(_ naming: Naming) throws {
    for host in [NetworkNamespace.otherPublicAddress, "outside.test", "[2606:2800:220:1::1]"] {
      let result = try Self.request(host, namedAt: NetworkNamespace.publicAddress, naming)
      #expect(result.bytes == Array("secret".utf8), "\(host): \(result)")
    }
  }

  @Test(arguments: Naming.allCases)
  func thisMachineAndItsNetwork_areRefusedHoweverTheyAreNamed(_ naming: Naming) throws {
    for host in ["127.0.0.1", "lan.test"] {
      expectRefusal(try Self.request(host, namedAt: NetworkNamespace.publicAddress, naming), "\(naming) \(host)")
    }
  }

  @Test(
    arguments: [
      "127.1", "0x7f.1", "0x7f000001", "2130706433", "0177.0.0.1", "0", "0.0.0.0", "[::1]", "[::]",
      "[::ffff:127.0.0.1]",
      "[::ffff:7f00:1]", "[::ffff:c0a8:707]", "localhost", "inside.test", "LOCALHOST", "127.0.0.1.",
      "10.1.2.3", "172.16.0.9", "192.168.7.7", "100.64.1.1", "169.254.7.7", "[fd00::7]", "①②⑦.0.0.1", "user@127.0.0.1",
    ])
  func everySpellingOfANearAddress_isRefused(_ host: String) throws {
    let result = try Self.request(host, namedAt: NetworkNamespace.publicAddress, .redirect)
    #expect(result.connections == 0, "\(result)")
    #expect(result.bytes.isEmpty)
    #expect(result.failure != nil)
    // Not every text is an address for libcurl.
    if let failure = result.failure, ![.offline, .invalidParams, .badResponse].contains(failure.kind) {
      expectRefusal(result, host)
    }
  }

  @Test func aServerOfTheNetwork_mayNameAnotherOneButNotThisMachine() throws {
    let lan = try Self.request("10.1.2.3", namedAt: NetworkNamespace.privateAddress, .redirect)
    #expect(lan.bytes == Array("secret".utf8), "\(lan)")
    let near = try Self.request("127.0.0.1", namedAt: NetworkNamespace.privateAddress, .redirect)
    #expect(near.failure?.kind == .denied && near.connections == 0, "\(near)")
    #expect(near.failure?.message.hasSuffix("a server of the local network named an address of this machine") == true)
  }

  @Test func aServerOfThisMachine_mayNameEveryAddress() throws {
    for host in ["127.0.0.1", "lan.test", "outside.test"] {
      #expect(try Self.request(host, namedAt: "127.0.0.1", .m3u).bytes == Array("secret".utf8), "\(host)")
    }
  }

  /// The name has an address at which nobody listens, and one of this machine, which libcurl tries as well.
  @Test func aNameWithAddressesOfBothKinds_isRefused() throws {
    let result = try NetworkNamespace.run(usesNameServer: true) {
      let names = try NameServer { $0 == "both.test" ? ["203.0.113.9", "127.0.0.1", "::1"] : [] }
      let target = try WebServer(at: "::") { _, client in client.send("HTTP/1.1 200 OK\r\n\r\nsecret") }
      let named = "http://both.test:\(target.port)/"
      let server = try WebServer(at: NetworkNamespace.publicAddress) { _, client in
        client.send(Naming.redirect.response(naming: named))
      }
      let response = try FetchConnection.response(to: server.url("start"))
      withExtendedLifetime(names) {}
      return Result(failure: response.failure, bytes: response.bytes, connections: target.connectionCount)
    }
    expectRefusal(result, "both.test")
  }

  /// One address of the name is refused, and the other one is connected. Losses of that connection are ordinary ones.
  @Test func aNameWithARefusedAddress_isConnectedAgainAtTheOther() throws {
    let response = try NetworkNamespace.run(usesNameServer: true) {
      let names = try NameServer { $0 == "both.test" ? [NetworkNamespace.publicAddress, "fd00::7"] : [] }
      let file = numberedBytes(100_000)
      let target = try WebServer(at: NetworkNamespace.publicAddress) { request, client in
        let first = start(of: request) ?? 0
        let head =
          "HTTP/1.1 206 Part\r\nContent-Range: bytes \(first)-\(file.count - 1)/\(file.count)\r\n"
          + "Content-Length: \(file.count - first)\r\n\r\n"
        _ = client.send(Array(head.utf8) + file[first..<min(first + 60_000, file.count)])
        return false
      }
      let server = try WebServer(at: NetworkNamespace.publicAddress) { _, client in
        client.send(Naming.m3u.response(naming: "http://both.test:\(target.port)/file"))
      }
      defer { withExtendedLifetime(names) {} }
      return try FetchConnection.response(to: server.url("start"))
    }
    #expect(response.failure == nil)
    #expect(response.bytes == numberedBytes(100_000))
  }

  /// libcurl reads ranges of addresses in `no_proxy`, too.
  @Test func anAddressWithoutProxy_isConnectedDirectly() throws {
    let result = try Self.request(
      "127.0.0.1", namedAt: "127.0.0.1", .redirect,
      variables: ["http_proxy": "http://127.0.0.1:1", "no_proxy": "127.0.0.0/8"])
    #expect(result.bytes == Array("secret".utf8), "\(result)")
  }

  @Test func aNearAddressWithoutProxy_isRefused() throws {
    let result = try NetworkNamespace.run {
      let target = try WebServer(at: "127.0.0.1") { _, client in client.send("HTTP/1.1 200 OK\r\n\r\nsecret") }
      // This is the proxy as well as the server that names the address.
      let server = try WebServer(at: NetworkNamespace.publicAddress) { _, client in
        client.send(Naming.redirect.response(naming: target.url("file")))
      }
      let fetcher = try WorkerProcess(
        .fetch, ring: false, variables: ["http_proxy": server.url(""), "no_proxy": "127.0.0.0/8"])
      let response = try FetchConnection.response(to: "http://radio.test/", by: fetcher)
      return Result(failure: response.failure, bytes: response.bytes, connections: target.connectionCount)
    }
    expectRefusal(result, "127.0.0.1")
  }

  /// libcurl looks a name up again for another port.
  @Test func aNameWhoseAddressChangesBetweenRequests_isRefused() throws {
    let (result, questions) = try NetworkNamespace.run(usesNameServer: true) {
      let questions = SharedCounter()
      let names = try NameServer { name in
        questions.increment()
        // The first lookup asks for both families.
        return name == "turning.test" ? (questions.value <= 2 ? [NetworkNamespace.publicAddress] : ["127.0.0.1"]) : []
      }
      let target = try WebServer(at: "127.0.0.1") { _, client in client.send("HTTP/1.1 200 OK\r\n\r\nsecret") }
      let server = try WebServer(at: NetworkNamespace.publicAddress) { _, client in
        client.send(Naming.redirect.response(naming: "http://turning.test:\(target.port)/"))
      }
      let response = try FetchConnection.response(to: "http://turning.test:\(server.port)/")
      withExtendedLifetime(names) {}
      return (
        Result(failure: response.failure, bytes: response.bytes, connections: target.connectionCount), questions.value
      )
    }
    #expect(questions > 2)
    expectRefusal(result, "turning.test")
  }

  /// The user's URL is named by the content of its server too, and is requested again after a loss.
  @Test(arguments: [true, false])
  func theURLOfTheUser_doesNotLeadNearerAfterItsFirstResponse(_ isRequestedByTheWorker: Bool) throws {
    let result = try NetworkNamespace.run(usesNameServer: true) {
      let names = try NameServer { $0 == "both.test" ? [NetworkNamespace.publicAddress, "127.0.0.1"] : [] }
      let body = isRequestedByTheWorker ? "#EXTM3U\n#EXTINF:1,\npart\n#EXT-X-ENDLIST\n" : "ICY audio"
      let head = isRequestedByTheWorker ? "" : "icy-name: Station\r\n"
      var server: WebServer? = try WebServer(at: NetworkNamespace.publicAddress) { _, client in
        guard client.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\(head)\r\n\(body)") else { return false }
        if !isRequestedByTheWorker { client.waitForEnd() }
        return false
      }
      let port = server?.port ?? 0
      let url = "http://both.test:\(port)/"
      let connection = try FetchConnection(to: WorkerProcess(.fetch, ring: false), for: url)
      let id = try connection.open(url)
      _ = try connection.wait(for: id, "the first bytes") { !$0.bytes.isEmpty }
      let near = try WebServer(at: "127.0.0.1", port: port) { _, client in
        client.send("HTTP/1.1 200 OK\r\nicy-name: Near\r\nConnection: close\r\n\r\nsecret")
      }
      // The thread that accepts connections holds the server's table until it has ended.
      server = nil
      let response =
        isRequestedByTheWorker
        ? try connection.response(to: url) : try connection.wait(for: id, "the end of the station")
      withExtendedLifetime(names) {}
      return Result(failure: response.failure, bytes: response.bytes, connections: near.connectionCount)
    }
    #expect(result.connections == 0, "\(result)")
    #expect(result.failure != nil)
    #expect(!String(decoding: result.bytes, as: UTF8.self).contains("secret"))
  }

  /// A connection to this machine, which the user requested, must not be used for the request of a server.
  @Test func openConnectionsOfOtherStreams_areNotUsed() throws {
    let (first, result) = try NetworkNamespace.run(hosts: Self.hosts) {
      let target = try WebServer(at: "127.0.0.1") { _, client in
        client.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecret")
      }
      let named = "http://inside.test:\(target.port)/"
      let server = try WebServer(at: NetworkNamespace.publicAddress) { _, client in
        client.send(Naming.redirect.response(naming: named))
      }
      let fetcher = try WorkerProcess(.fetch, ring: false)
      let first = try FetchConnection.response(to: named, by: fetcher)
      let second = try FetchConnection.response(to: server.url("x"), by: fetcher)
      return (first, Result(failure: second.failure, bytes: second.bytes, connections: target.requests.count))
    }
    #expect(first.bytes == Array("secret".utf8))
    #expect(result.failure?.kind == .denied, "\(result)")
    #expect(result.connections == 1)
  }

  /// A proxy does not make the hosts that are reached without it reachable for servers.
  @Test(
    arguments: [
      ["no_proxy": "inside.test"], ["no_proxy": "127.0.0.0/8,.test"], ["no_proxy": "*"], ["http_proxy": ""],
      ["http_proxy": "", "https_proxy": "http://127.0.0.1:1"], ["NO_PROXY": "lan.test inside.test"],
    ] as [[String: String]])
  func theRule_holdsForHostsWithoutProxy(_ variables: [String: String]) throws {
    let result = try NetworkNamespace.run(hosts: Self.hosts) {
      let target = try WebServer(at: "127.0.0.1") { _, client in client.send("HTTP/1.1 200 OK\r\n\r\nsecret") }
      let named = "http://inside.test:\(target.port)/"
      // This is the proxy as well as the server that names the address.
      let server = try WebServer(at: NetworkNamespace.otherPublicAddress) { _, client in
        client.send(Naming.redirect.response(naming: named))
      }
      var all = ["http_proxy": server.url("")]
      all.merge(variables) { $1 }
      let fetcher = try WorkerProcess(.fetch, ring: false, variables: all)
      let response = try FetchConnection.response(to: "http://outside.test:\(server.port)/", by: fetcher)
      return Result(failure: response.failure, bytes: response.bytes, connections: target.connectionCount)
    }
    #expect(result.connections == 0, "\(result)")
    #expect(result.failure != nil)
  }
}

/// A counter that several threads use.
final class SharedCounter: Sendable {
  private let count = Mutex(0)

  var value: Int { count.withLock { $0 } }

  /// Increments the counter and returns its new value.
  @discardableResult
  func increment() -> Int {
    count.withLock {
      $0 += 1
      return $0
    }
  }
}
