internal import SeguePlayer
internal import SegueSystem
internal import SegueWire

/// The result of the methods that control playback.
let statusResult = (name: "status", schema: Schema.named("Status"))

private let stepUnit = Method.Parameter(
  name: "by", schema: .choice(of: StepUnit.self),
  summary: "`chapter`: by chapter if the file has chapters. `track`: by whole track.", defaultValue: "\"chapter\"")

let transportMethods = [
  Method(name: "status", summary: "Returns the state of the player.", result: statusResult) { call in
    call.responder.send(call.server.encodedStatus())
  },
  Method(
    name: "play",
    summary:
      "Resumes playback, or starts the current or first track. With a parameter, starts that track. A long track "
      + "resumes at its last position.",
    parameters: [
      .init(name: "index", schema: .count, summary: "The index in the queue, from 0."),
      .init(name: "id", schema: .count, summary: "The id of the entry."),
      .init(
        name: "uri", schema: .string,
        summary:
          "A file, URL or item of a catalogue, which is added after the current track and started. It is not started if "
          + "a later request starts a track, skips to one, or stops before it is found."),
    ],
    parameterRule: .atMostOne, result: statusResult,
    errors: [.emptyQueue, .noSuchTrack, .cancelled] + .ofFiles + .ofNetwork
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
    call.player.play(target, then: call.responder.send)
  },
  Method(name: "pause", summary: "Pauses playback and keeps the position.", result: statusResult) { call in
    call.player.pause(then: call.responder.send)
  },
  Method(
    name: "toggle", summary: "Pauses playback if it is playing, otherwise starts it.", result: statusResult,
    errors: [.emptyQueue, .noSuchTrack]
  ) { call in
    call.player.toggle(then: call.responder.send)
  },
  Method(
    name: "stop",
    summary:
      "Stops playback and returns to the start of the track; for a long track, the status shows where it will resume.",
    result: statusResult
  ) { call in
    call.player.stop(then: call.responder.send)
  },
  Method(
    name: "next", summary: "Skips to the next chapter or track. Paused playback stays paused.", parameters: [stepUnit],
    result: statusResult, errors: [.emptyQueue]
  ) { call in
    call.player.next(by: call.word("by") ?? .chapter, then: call.responder.send)
  },
  Method(
    name: "prev",
    summary:
      "Returns to the previous chapter or track; within a chapter or a long track, returns to its start. Paused "
      + "playback stays paused.",
    parameters: [stepUnit], result: statusResult, errors: [.emptyQueue]
  ) { call in
    call.player.previous(by: call.word("by") ?? .chapter, then: call.responder.send)
  },
  Method(
    name: "seek",
    summary:
      "Seeks within the track, accurate to the sample. Paused playback stays paused. An `offset` before the start "
      + "seeks to the start; an `offset` past the end skips to the next track.",
    parameters: [
      .init(
        name: "position", schema: .seconds,
        summary: "Seconds from the start; a position outside the track is `out_of_range`."),
      .init(name: "offset", schema: .seconds, summary: "Seconds relative to the current position."),
      .init(name: "fraction", schema: .number(0...1), summary: "A fraction of the duration."),
    ],
    parameterRule: .exactlyOne, result: statusResult,
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
    call.player.seek(target, then: call.responder.send)
  },
]
