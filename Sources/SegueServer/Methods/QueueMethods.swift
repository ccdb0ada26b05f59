internal import SeguePlayer
internal import SegueWire

private let addResult = (name: "added", schema: Schema.named("AddResult"))
private let summaryResult = (name: "queue", schema: Schema.named("Queue"))
private let stepResult = (name: "step", schema: Schema.named("QueueStepResult"))
private let uris = Method.Parameter(
  name: "uris", schema: .array(of: .string),
  summary:
    "Files, folders, playlists, URLs; segue:album/ID, segue:artist/ID, segue:genre/NAME, segue:playlist/NAME, "
    + "segue:search/QUERY, percent-encoded.",
  isRequired: true)
private let ids = Method.Parameter(
  name: "ids", schema: .array(of: .count), summary: "Ids of queue entries.", isRequired: true)
private let command = Method.Parameter(
  name: "command", schema: .count,
  summary:
    "A number that the client chooses for a command that it divides among several requests. Changes with the same number that "
    + "follow one another are one step of `queue.undo`.")

let queueMethods = [
  Method(
    name: "list", summary: "Lists a page of the queue.",
    parameters: [
      .offset, .limit,
      .init(name: "id", schema: .count, summary: "The id of the first entry of the page, instead of `offset`."),
    ],
    result: (name: "page", schema: .named("QueuePage")), errors: [.noSuchTrack]
  ) { call in
    let limit = min(call.integer("limit") ?? 1_000, 1_000)
    let page = Result { () throws(Failure) in
      guard let id = call["id"]?.integer else {
        return call.player.page(offset: call.integer("offset") ?? 0, limit: limit)
      }
      return try call.player.page(from: UInt64(clamping: id), limit: limit)
    }
    // A short page is encoded faster than another thread wakes up.
    if case .success(let page) = page, page.tracks.count <= 64 { return call.responder.send(page) }
    call.responder.sendOffLoop(page)
  },
  Method(
    name: "queue.add",
    summary:
      "Adds files, folders (with their contents, ordered by disc and track), playlists (m3u, m3u8, pls, xspf, cue), "
      + "URLs and items of the library. URIs that cannot be added are listed with the reason; all others are added. "
      + "The queue holds at most \(PlayQueue.capacity) entries; entries beyond that are listed as `too_large`.",
    parameters: [
      uris,
      .init(
        name: "at", schema: .either(.choice(["end", "next"]), .count),
        summary:
          "The position; a number is an index. By default, tracks are added at the end, except those with which the daemon "
          + "has populated the queue by itself: the first time that they are added, they stay where they are."),
      .init(
        name: "play", schema: .boolean, summary: "Starts the first added entry, as `play` does with `uri`.",
        defaultValue: "false"),
      command,
    ],
    result: addResult, savesState: true, errors: [.outOfRange, .cancelled, .tooLarge]
  ) { call in
    let placement: Placement =
      if let index = call.integer("at") {
        .index(index)
      } else {
        switch call.string("at") {
        case "next": .next
        case "end": .end
        default: .endIfMissing
        }
      }
    call.player.add(
      call.strings("uris"), at: placement, play: call.bool("play") ?? false, ofCommand: call.integer("command"),
      then: call.responder.sendOffLoop)
  },
  Method(
    name: "queue.replace",
    summary:
      "Replaces the queue. The current track continues if the new queue contains it. Additions in progress fail as "
      + "`cancelled`. Entries that do not fit are listed as `too_large`, as for `queue.add`.",
    parameters: [uris, command], result: addResult, savesState: true, errors: [.cancelled, .tooLarge]
  ) { call in
    call.player.replace(
      with: call.strings("uris"), ofCommand: call.integer("command"), then: call.responder.sendOffLoop)
  },
  Method(
    name: "queue.remove", summary: "Removes entries from the queue.", parameters: [ids, command],
    result: summaryResult, savesState: true, errors: [.noSuchTrack]
  ) { call in
    call.player.remove(call.ids("ids"), ofCommand: call.integer("command"), then: call.responder.send)
  },
  Method(
    name: "queue.move", summary: "Moves entries, in the given order; `to` becomes the index of the first one.",
    parameters: [
      ids, .init(name: "to", schema: .count, summary: "The new index of the first entry.", isRequired: true), command,
    ], result: summaryResult, savesState: true,
    errors: [.noSuchTrack, .outOfRange]
  ) { call in
    call.player.move(
      call.ids("ids"), to: call.integer("to") ?? 0, ofCommand: call.integer("command"), then: call.responder.send)
  },
  Method(
    name: "queue.clear", summary: "Clears the queue. Additions in progress fail as `cancelled`.", result: summaryResult,
    savesState: true
  ) { call in
    call.player.clear(then: call.responder.send)
  },
  Method(
    name: "queue.undo",
    summary:
      "Undoes the last change of the queue by `queue.add`, `queue.replace`, `queue.remove`, `queue.move`, `queue.clear` "
      + "or `play`. The last \(QueueHistory.maximumSteps) changes are kept, also across a restart. If a request still "
      + "adds to the queue as part of that change, it fails as `cancelled`.",
    result: stepResult, savesState: true, errors: [.nothingToUndo]
  ) { call in
    call.player.undo(then: call.responder.send)
  },
  Method(
    name: "queue.redo",
    summary:
      "Redoes the change that was undone last. A change of the queue after `queue.undo` discards what was undone.",
    result: stepResult, savesState: true, errors: [.nothingToRedo]
  ) { call in
    call.player.redo(then: call.responder.send)
  },
]

let outputMethods = [
  Method(
    name: "output.list", summary: "Lists the sinks of the sound server.",
    result: (name: "outputs", schema: .named("OutputList")), errors: [.unavailable]
  ) { call in
    call.player.outputs(then: call.responder.send)
  },
  Method(
    name: "output.set", summary: "Selects the sink for the output.",
    parameters: [
      .init(
        name: "device", schema: .nullable(.string),
        summary: "The name of the sink; null selects the default sink of the sound server.", isRequired: true
      )
    ],
    result: (name: "outputs", schema: .named("OutputList")), savesState: true, errors: [.notFound, .unavailable]
  ) { call in
    call.player.setOutput(call.string("device"), then: call.responder.send)
  },
]
