internal import SeguePlayer
internal import SegueSystem
internal import SegueWire

/// The answer of everything that moves the player.
let statusResult = (name: "status", schema: Schema.named("Status"))

private let stepUnit = Method.Parameter(
  name: "by", schema: .choice(StepUnit.allCases.map(\.rawValue)),
  summary: "`chapter`: by chapter where the file has any. `track`: past the whole of it.", defaultValue: "\"chapter\"")

let transportMethods = [
  Method(name: "status", summary: "What plays, how, and through what.", result: statusResult) { call in
    call.reply.answer(call.server.encodedStatus())
  },
  Method(
    name: "play",
    summary:
      "Goes on, or starts at the current or first track; with a parameter, starts that track. A long one goes on where "
      + "it was left.",
    parameters: [
      .init(name: "index", schema: .count, summary: "Its place in the queue, from 0."),
      .init(name: "id", schema: .count, summary: "Its id."),
      .init(name: "uri", schema: .string, summary: "A file or URL, placed after the current track and started."),
    ],
    choice: .atMostOne, result: statusResult, errors: [.emptyQueue, .noSuchTrack, .cancelled] + .ofFiles
  ) { call in
    let target: PlayTarget =
      if let index = call.integer("index") {
        .index(index)
      } else if let id = call["id"]?.integer {
        .id(UInt64(clamping: id))
      } else if let uri = call.string("uri") {
        .uri(uri)
      } else {
        .resume
      }
    call.player.play(target, then: call.reply.answer)
  },
  Method(name: "pause", summary: "Halts and keeps the position.", result: statusResult) { call in
    call.player.pause(then: call.reply.answer)
  },
  Method(
    name: "toggle", summary: "Pauses what plays, and plays what does not.", result: statusResult,
    errors: [.emptyQueue, .noSuchTrack]
  ) { call in
    call.player.toggle(then: call.reply.answer)
  },
  Method(
    name: "stop",
    summary: "Halts and returns to the track's start; of a long track, the status shows where it goes on.",
    result: statusResult
  ) { call in
    call.player.stop(then: call.reply.answer)
  },
  Method(
    name: "next", summary: "Goes to the next chapter or track; paused stays paused.", parameters: [stepUnit],
    result: statusResult, errors: [.emptyQueue]
  ) { call in
    call.player.next(by: call.word("by") ?? .chapter, then: call.reply.answer)
  },
  Method(
    name: "prev",
    summary:
      "Goes to the chapter or track before; in the midst of a chapter, or of a long track, to its start. Paused stays "
      + "paused.",
    parameters: [stepUnit], result: statusResult, errors: [.emptyQueue]
  ) { call in
    call.player.previous(by: call.word("by") ?? .chapter, then: call.reply.answer)
  },
  Method(
    name: "seek",
    summary:
      "Moves within the track, to the sample; paused stays paused. An `offset` that leads before the start is the "
      + "start, one that leads past the end is `next`.",
    parameters: [
      .init(
        name: "position", schema: .seconds, summary: "Seconds from the start; outside the track is `out_of_range`."),
      .init(name: "offset", schema: .seconds, summary: "Seconds from where it is."),
      .init(name: "fraction", schema: .number(0...1), summary: "Part of the duration."),
    ],
    choice: .exactlyOne, result: statusResult,
    errors: [.outOfRange, .notSeekable, .unavailable, .emptyQueue, .noSuchTrack]
  ) { call in
    let target: SeekTarget =
      if let position = call.time("position") {
        .position(position)
      } else if let offset = call.time("offset") {
        .offset(offset)
      } else {
        .fraction(call["fraction"]?.double ?? 0)
      }
    call.player.seek(target, then: call.reply.answer)
  },
]
