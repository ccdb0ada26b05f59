import SegueRing
import SegueSystem
import SegueWire
import Testing

@testable import SeguePlayer

/// Tests of every event in every state that four events can lead to: the invariants must hold afterwards.
@Suite struct TransportExplorationTests {
  static let one = EntryID(1)
  static let two = EntryID(2)
  static let three = EntryID(3)
  static let failure = Failure(.unplayable, "broken")

  /// Returns all events of users, worker, sink and timer, for the generations of the plan and for a stale one.
  private static func events(for transport: Transport) -> [Transport.Event] {
    let position = MediaTime.seconds(7)
    var events: [Transport.Event] = [
      .play(one, from: .zero), .play(two, from: position), .jump(one, to: position), .jump(two, to: .zero),
      .pause(.user), .resume(.user), .pause(.sleep), .resume(.sleep), .stop,
      .restored(Transport.Track(one), at: position),
      .restart(Transport.Track(one), at: position), .followed(by: []), .followed(by: [two]),
      .followed(by: [two, three]), .followed(by: [one, two]),
      .workerDied(failure), .workerLost(failure), .workerNotStarted, .noDecoder, .lost(), .connected, .refused,
      .pause(.server), .resume(.server), .starved,
      .graceElapsed(at: position), .graceElapsed(at: nil),
    ]
    let generations = transport.plan.map(\.generation) + [Generation(999_999)]
    for (index, generation) in generations.enumerated() {
      let next = generations.dropFirst(index + 1).first ?? generation
      events += [
        .faded(generation, from: position, into: next), .faded(generation, from: position, into: generations[0]),
        .opened(generation), .ended(generation), .failed(generation, failure), .audible(generation),
        .corrupted(generation, failure, isLate: false), .corrupted(generation, failure, isLate: true),
        .finished(generation), .lost(generation, at: position), .opened(generation, .live),
        .opened(generation, .seekable), .connectionChanged(generation, isLost: true),
        .cutOff(generation, failure, at: position),
        .cutOff(generation, failure, at: .zero), .workerDied(failure, audible: generation, at: position),
        .workerLost(failure, audible: generation, at: position),
      ]
    }
    return events
  }

  @Test func everyEventInEveryReachableStateKeepsTheInvariants() {
    var known: Set<String> = []
    var frontier = [Transport()]
    var checked = 0
    for _ in 0..<5 {
      var next: [Transport] = []
      for before in frontier {
        for event in Self.events(for: before) {
          var after = before
          let actions = after.handle(event)
          check(before, event, after, actions)
          checked += 1
          if known.insert(shape(after)).inserted { next.append(after) }
        }
      }
      frontier = next
    }
    #expect(known.count > 100, "the exploration must reach many states")
    #expect(checked > 2_000)
  }

  /// Returns a description that is equal for states that differ only in the numbers of their generations.
  private func shape(_ transport: Transport) -> String {
    switch transport.state {
    case .active(let plan, let pause):
      "active \(String(describing: pause)) "
        + plan.map {
          "\($0.entry.number)\($0.phase)\($0.start.nanoseconds)\($0.fade != nil)\($0.isContinuation)\($0.continuation)"
        }.joined(separator: ",")
    default: "\(transport.state)"
    }
  }

  private func check(_ before: Transport, _ event: Transport.Event, _ after: Transport, _ actions: [Transport.Action]) {
    let context: Comment = "\(before.state) + \(event) → \(after.state), \(actions)"
    let plan = after.plan

    if case .active(let plan, _) = after.state { #expect(!plan.isEmpty, context) }
    #expect(zip(plan, plan.dropFirst()).allSatisfy { $0.generation.number < $1.generation.number }, context)
    #expect(plan.dropLast().allSatisfy { $0.phase != .opening }, "one file is opened at a time: \(context)")

    let oldest = before.plan.map(\.generation.number).max() ?? 0
    for action in actions {
      switch action {
      case .engine(.open(let item)):
        #expect(plan == [item], context)
        #expect(item.generation.number > oldest, "a generation is used twice: \(context)")
        #expect(after.playState == .playing, context)
      case .engine(.follow(let item, let previous)):
        #expect(plan.last == item && plan.dropLast().last?.generation == previous, context)
        #expect(item.generation.number > oldest, context)
      case .engine(.finish(let previous)):
        #expect(plan.last?.generation == previous, context)
      case .engine(.pauseSink):
        #expect(before.playState == .playing && after.playState == .paused, context)
      case .engine(.resumeSink):
        #expect(before.playState == .paused && after.playState == .playing, context)
      case .engine(.release):
        #expect(after.playState != .playing && plan.isEmpty, context)
      default: break
      }
    }

    // The grace period starts when playback ends, and is cancelled when playback begins.
    let wasSilent = before.playState != .playing
    if !wasSilent, after.playState != .playing, !actions.contains(.engine(.release)) {
      let isLoss = if case .lost = event { true } else { false }
      #expect(isLoss || actions.contains(.engine(.startGrace)), context)
    }
    // Without the pause of the server, or for the sleep of the machine, nobody needs the stream, which was kept for it.
    if case .dormant = before.state, before.pause != .user, after.pause == .user || after.state == .stopped {
      #expect(actions.contains(.engine(.startGrace)), context)
    }
    if wasSilent, case .active(_, pause: nil) = after.state {
      #expect(actions.contains(.engine(.cancelGrace)), context)
    }

    if let last = plan.last, plan.count < before.plan.count,
      zip(plan, before.plan).allSatisfy({ $0.generation == $1.generation })
    {
      let isCut = actions.contains(.engine(.finish(after: last.generation)))
      #expect(isCut, "the sink waits for an item that was removed: \(context)")
    }

    if case .successors = event {
      let isWhole = plan.indices.allSatisfy { index in
        plan[index].fade.map { $0.into == plan.dropFirst(index + 1).first?.generation } ?? true
      }
      #expect(isWhole, "the end of a track is in no item of the plan: \(context)")
    }

    switch event {
    case .jump, .restart, .graceElapsed, .successors:
      #expect(after.playState == before.playState, "only play, pause and stop change the requested state: \(context)")
    case .opened(let generation, _), .ended(let generation), .failed(let generation, _),
      .cutOff(let generation, _, _), .audible(let generation),
      .finished(let generation), .faded(let generation, _, _), .connectionChanged(let generation, _):
      if !before.plan.contains(where: { $0.generation == generation }) {
        #expect(after == before && actions.isEmpty, "a stale event changed the state: \(context)")
      }
    case .stop:
      #expect(after.state == .stopped, context)
    case .pause(let reason) where before.playState == .playing && reason != .user:
      if case .active = before.state { #expect(after.pause == reason, context) }
    case .pause(let reason), .resume(let reason):
      let isOther = before.pause.map { $0 != reason } ?? true
      if reason != .user, isOther { #expect(after == before && actions.isEmpty, context) }
    case .play(let entry, let position):
      switch after.state {
      case .active(let plan, pause: nil):
        #expect(plan.first?.track == entry && plan.first?.start == position, context)
      case .lost(entry, at: position): break
      default: Issue.record("play does not start playback: \(context)")
      }
    default: break
    }
  }
}
