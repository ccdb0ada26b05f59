import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// After `kill -9` at any time, confirmed changes are present and nothing else has changed.
@Suite struct KillTests {
  /// The state that responses have confirmed. All of it must survive a kill of the daemon.
  private struct ConfirmedState: Equatable {
    var ids: [Int]
    var repeatMode: RepeatMode
    var shuffle: ShuffleMode
    var consume: Bool
    var volume: Int
    var muted: Bool

    init(_ fixture: DaemonFixture) throws {
      let status = try fixture.status()
      ids = try fixture.ids()
      (repeatMode, shuffle, consume) = (status.repeatMode, status.shuffle, status.consume)
      (volume, muted) = (status.volume, status.muted)
    }
  }

  /// A request and its effect on the state.
  private struct Command {
    var method: String
    var params: String?
    /// The change to the confirmed state; nil if the command changes only the playback state.
    var change: ((inout ConfirmedState) -> Void)?
    /// The number of entries that it appends. Their ids are unknown before the response.
    var added = 0
    /// The entry that it removes.
    var removed: Int?
  }

  private func random(_ confirmed: ConfirmedState, _ files: [FilePath], _ random: inout some RandomNumberGenerator)
    -> Command
  {
    let ids = confirmed.ids
    guard let one = ids.randomElement(using: &random) else { return add(files, &random) }
    switch Int.random(in: 0..<14, using: &random) {
    case 0, 1: return add(files, &random)
    case 2:
      return Command(
        method: "queue.remove", params: #"{"ids":[\#(one)]}"#, change: { $0.ids.removeAll { $0 == one } }, removed: one)
    case 3, 4:
      let to = Int.random(in: 0..<ids.count, using: &random)
      return Command(method: "queue.move", params: #"{"ids":[\#(one)],"to":\#(to)}"#) {
        $0.ids.removeAll { $0 == one }
        $0.ids.insert(one, at: to)
      }
    case 5:
      let level = Int.random(in: 0...100, using: &random)
      return Command(method: "volume", params: #"{"level":\#(level)}"#) { $0.volume = level }
    case 6:
      let on = Bool.random(using: &random)
      return Command(method: "volume", params: #"{"muted":\#(on)}"#) { $0.muted = on }
    case 7:
      let mode = RepeatMode.allCases.randomElement(using: &random) ?? .all
      return Command(method: "repeat", params: #"{"mode":"\#(mode.rawValue)"}"#) { $0.repeatMode = mode }
    case 8:
      let mode = ShuffleMode.allCases.randomElement(using: &random) ?? .off
      return Command(method: "shuffle", params: #"{"mode":"\#(mode.rawValue)"}"#) { $0.shuffle = mode }
    case 9:
      let position = Int.random(in: 0..<50, using: &random)
      return Command(method: "seek", params: #"{"position":\#(position)}"#)
    case 10: return Command(method: "pause")
    case 11: return Command(method: "play", params: #"{"id":\#(one)}"#)
    case 12: return Command(method: "next")
    default: return Command(method: "play")
    }
  }

  private func add(_ files: [FilePath], _ random: inout some RandomNumberGenerator) -> Command {
    let some = files.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random))
    let uris = some.map { quoted(FileURI.encode($0)) }.joined(separator: ",")
    let play = Bool.random(using: &random)
    return Command(method: "queue.add", params: #"{"uris":[\#(uris)],"play":\#(play)}"#, added: some.count)
  }

  /// Returns whether `found` is a valid state after the command, which was executed or not.
  private func isValid(_ command: Command, on confirmed: ConfirmedState, found: ConfirmedState, newestID: Int) -> Bool {
    if found == confirmed { return true }
    var expected = confirmed
    command.change?(&expected)
    if command.added > 0 {
      // Entries are added in batches, each of which is present or absent, always with new ids.
      let new = found.ids.dropFirst(confirmed.ids.count)
      guard new.count <= command.added, new.allSatisfy({ $0 > newestID }) else { return false }
      expected.ids += new
    }
    return found == expected
  }

  @Test func confirmedChangesSurviveAKill() throws {
    let fixture = try DaemonFixture(.null("test"))
    let files = try (0..<4).map { try fixture.track("\($0)", 0..<(60 * Signal.rate)) }
    try fixture.add(files)
    var random = SystemRandomNumberGenerator()
    var newestID = 0
    var history: [String] = []
    for round in 1...24 {
      var confirmed = try ConfirmedState(fixture)
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        let command = self.random(confirmed, files, &random)
        history.append("\(command.method) \(command.params ?? "")")
        // If nothing is seekable, the request fails and changes nothing.
        _ = try? fixture.client.call(command.method, command.params)
        var expected = confirmed
        command.change?(&expected)
        confirmed = try ConfirmedState(fixture)
        if command.added == 0 { #expect(confirmed == expected, "\(history.suffix(3))") }
        newestID = max(newestID, confirmed.ids.max() ?? 0)
      }
      let before = try fixture.status()
      let requestTime = MonotonicTime.now
      let last = self.random(confirmed, files, &random)
      _ = try fixture.client.sendRequest(last.method, last.params)
      // The daemon is killed at a random time of the execution.
      waitRandomly(within: .milliseconds(4))
      fixture.daemon.kill()
      let passed = MonotonicTime.now - requestTime
      try fixture.daemon.start()
      try fixture.reconnect()
      let found = try ConfirmedState(fixture)
      #expect(
        isValid(last, on: confirmed, found: found, newestID: newestID),
        "round \(round), \(last.method) \(last.params ?? ""): confirmed \(confirmed), found \(found)")
      let after = try fixture.status()
      let current = Int(before.track?.id ?? 0)
      // The unanswered request may have moved the position. One that removes the current entry moves it before the
      // removal is on disk.
      if last.change != nil, last.removed != current, found.ids.contains(current) {
        #expect(after.track?.id == before.track?.id, "round \(round)")
        #expect(after.state == (before.state == .stopped ? .stopped : .paused))
        let ahead = (after.position ?? .zero) - (before.position ?? .zero)
        let most = before.rate == 1 || before.state == .playing ? passed : .zero
        #expect(ahead >= MediaTime(seconds: before.state == .playing ? -5 : -0.1), "round \(round): \(ahead)")
        #expect(ahead <= most + MediaTime.milliseconds(100), "round \(round): \(ahead) in \(passed)")
      }
      newestID = max(newestID, found.ids.max() ?? 0)
    }
    // An id is never used again.
    let fresh = try fixture.add([files[0]])
    #expect(fresh[0] > newestID)
  }
}
