internal import Glibc
internal import SegueSystem
internal import Synchronization

/// A radio station that a test controls. It sends numbered frames as a WAVE stream, in real time after a burst with
/// each connection.
public final class Station {
  /// The way in which the station treats its listeners.
  public enum Behaviour: Sendable {
    /// It accepts requests, and does not answer.
    case silent
    case sending
    /// It keeps connections, and sends nothing more.
    case stalled
    /// It ends connections, and closes new ones.
    case down
    /// It ends connections, and answers requests with a web page.
    case page
  }

  private let shared = Shared()
  private let server: WebServer

  /// - Parameters:
  ///   - burst: The number of frames that a new listener receives at once.
  ///   - repeatsHeader: Whether every listener gets the header of WAVE, which a new decoder needs. Otherwise only the
  ///     first one gets it.
  public init(
    _ name: String = "Test", _ behaviour: Behaviour = .sending, burst: Int = 44_100, repeatsHeader: Bool = false
  ) throws {
    shared.set(behaviour)
    server = try WebServer { [shared] request, client in
      shared.serve(request, client, name: name, burst: burst, repeatsHeader: repeatsHeader)
    }
  }

  /// Lets the threads of connections end.
  deinit { shared.set(.down) }

  public var url: String { server.url("radio") }

  /// The number of requests so far.
  public var requestCount: Int { shared.state.withLock { $0.requests } }

  public func set(_ behaviour: Behaviour) { shared.set(behaviour) }

  /// Sends a title with the next audio.
  public func send(title: String) { shared.state.withLock { $0.titles.append(title) } }

  private final class Shared: Sendable {
    struct State {
      var behaviour = Behaviour.sending
      var frame = 0
      var requests = 0
      var titles: [String] = []
    }

    let state = Mutex(State())
    /// The changes of the behaviour.
    private let changes = EventLog<Behaviour>()

    /// The bytes of audio between metadata: a tenth of a second.
    private static let interval = 17_640

    func set(_ behaviour: Behaviour) {
      state.withLock { $0.behaviour = behaviour }
      changes.append(behaviour)
    }

    private var behaviour: Behaviour { state.withLock { $0.behaviour } }

    /// Returns false to close the connection.
    func serve(
      _ request: String, _ client: WebServer.Connection, name: String, burst: Int, repeatsHeader: Bool
    ) -> Bool {
      let isFirst = state.withLock { state in
        state.requests += 1
        return state.frame == 0
      }
      waitForChange(of: .silent)
      if behaviour == .page {
        return client.send("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\n<html>")
      }
      guard behaviour == .sending else { return false }
      var head = "HTTP/1.1 200 OK\r\nContent-Type: audio/wav\r\nicy-name: \(name)\r\nicy-metaint: \(Self.interval)\r\n"
      head += "Connection: close\r\n\r\n"
      // This length means unknown. A listener who comes back continues with the samples.
      var header = AudioFile.wave([])
      for index in [4, 5, 6, 7, 40, 41, 42, 43] { header[index] = 0xFF }
      var waiting = isFirst || repeatsHeader ? header : []
      guard client.send(head) else { return false }
      var start = MonotonicTime.now
      var sent = 0
      while true {
        // The audio that was not sent meanwhile is not sent later.
        let interruption = MonotonicTime.now
        waitForChange(of: .stalled)
        start = start + (MonotonicTime.now - interruption)
        guard behaviour == .sending else { return false }
        waiting += state.withLock { state in
          defer { state.frame += 4_410 }
          return Signal.pcm(state.frame..<(state.frame + 4_410))
        }
        sent += 4_410
        while waiting.count >= Self.interval {
          guard client.send(Array(waiting[..<Self.interval]) + metadata()) else { return false }
          waiting.removeFirst(Self.interval)
        }
        let ahead = start + SampleRate.cd.time(of: Frames(max(0, sent - burst))) - MonotonicTime.now
        // A station sends in real time.
        if client.waitForEnd(within: ahead) { return false }
      }
    }

    private func metadata() -> [UInt8] {
      let title = state.withLock { $0.titles.isEmpty ? nil : $0.titles.removeFirst() }
      guard let title else { return [0] }
      let text = Array("StreamTitle='\(title)';".utf8)
      let blocks = (text.count + 15) / 16
      return joined([UInt8(blocks)], text, [UInt8](repeating: 0, count: blocks * 16 - text.count))
    }

    /// Waits while the behaviour is `waiting`.
    private func waitForChange(of waiting: Behaviour) {
      while case let count = changes.count, behaviour == waiting { _ = changes.wait(from: count) { _ in true } }
    }
  }
}
