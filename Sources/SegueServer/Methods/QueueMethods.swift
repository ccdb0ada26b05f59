internal import SeguePlayer
internal import SegueWire

private let addResult = (name: "added", schema: Schema.named("AddResult"))
private let summaryResult = (name: "queue", schema: Schema.named("Queue"))
private let uris = Method.Parameter(
  name: "uris", schema: .array(of: .string),
  summary:
    "Files, folders, playlists, URLs; segue:album/ID, segue:artist/ID, segue:genre/NAME, segue:playlist/NAME, "
    + "segue:search/QUERY, percent-encoded.",
  isRequired: true)
private let ids = Method.Parameter(
  name: "ids", schema: .array(of: .count), summary: "Ids of queue entries.", isRequired: true)

let queueMethods = [
  Method(
    name: "list", summary: "A page of the play queue.",
    parameters: [
      .offset, .limit,
      .init(name: "id", schema: .count, summary: "The id of the entry that comes first, in the place of `offset`."),
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
    // A short page is written sooner than another thread wakes up.
    if case .success(let page) = page, page.tracks.count <= 64 { return call.reply.answer(page) }
    call.reply.answerOffLoop(page)
  },
  Method(
    name: "queue.add",
    summary:
      "Adds files, folders (with what is in them, in disc and track order), playlists (m3u, m3u8, pls, xspf, cue), "
      + "URLs, and what the library has. What cannot be added is listed with its reason, and the rest is added. The "
      + "queue holds \(PlayQueue.capacity) entries at most; the last ones, which have no room, are `too_large`.",
    parameters: [
      uris,
      .init(
        name: "at", schema: .either(.choice(["end", "next"]), .count), summary: "Where; a number is an index.",
        defaultValue: "\"end\""),
      .init(name: "play", schema: .boolean, summary: "Starts the first of them.", defaultValue: "false"),
    ],
    result: addResult, errors: [.outOfRange, .cancelled]
  ) { call in
    let placement: Placement =
      if let index = call.integer("at") {
        .index(index)
      } else {
        call.string("at") == "next" ? .next : .end
      }
    call.player.add(
      call.strings("uris"), at: placement, play: call.bool("play") ?? false,
      then: call.reply.answerOffLoop)
  },
  Method(
    name: "queue.replace",
    summary:
      "Puts these in the queue's place; the current track plays on if it is among them. What is still being added is "
      + "`cancelled`. What the queue has no room for is `too_large`, as for `queue.add`.",
    parameters: [uris], result: addResult, errors: [.cancelled]
  ) { call in
    call.player.replace(with: call.strings("uris"), then: call.reply.answerOffLoop)
  },
  Method(
    name: "queue.remove", summary: "Takes entries out.", parameters: [ids], result: summaryResult,
    errors: [.noSuchTrack]
  ) { call in
    call.player.remove(call.ids("ids"), then: call.reply.answer)
  },
  Method(
    name: "queue.move", summary: "Moves entries, in the order given, so that the first of them comes to lie at `to`.",
    parameters: [ids, .init(name: "to", schema: .count, summary: "An index.", isRequired: true)], result: summaryResult,
    errors: [.noSuchTrack, .outOfRange]
  ) { call in
    call.player.move(call.ids("ids"), to: call.integer("to") ?? 0, then: call.reply.answer)
  },
  Method(
    name: "queue.clear", summary: "Empties the queue. What is still being added is `cancelled`.", result: summaryResult
  ) { call in
    call.player.clear(then: call.reply.answer)
  },
]

let outputMethods = [
  Method(
    name: "output.list", summary: "The sinks of the sound server.",
    result: (name: "outputs", schema: .named("OutputList")), errors: [.unavailable]
  ) { call in
    call.player.outputs(then: call.reply.answer)
  },
  Method(
    name: "output.set", summary: "Moves the sound to a sink.",
    parameters: [
      .init(
        name: "device", schema: .nullable(.string), summary: "Its name; null is the server's default.", isRequired: true
      )
    ],
    result: (name: "outputs", schema: .named("OutputList")), errors: [.notFound, .unavailable]
  ) { call in
    call.player.setOutput(call.string("device"), then: call.reply.answer)
  },
]
