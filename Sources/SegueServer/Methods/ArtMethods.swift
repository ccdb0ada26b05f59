internal import SeguePlayer
internal import SegueWire

let artMethods = [
  Method(
    name: "art",
    summary:
      "The cover of a track: the one inside it, else `cover.*`, `folder.*` or `front.*` beside it. Of an album: the one "
      + "beside its tracks, else one inside them. A file in the cache, which lives until others take its place.",
    parameters: [
      .init(name: "uri", schema: .string, summary: "A track's, or segue:album/ID. Left out: the current track."),
      .init(
        name: "size", schema: .choice(Art.Size.allCases.map(\.rawValue)),
        summary: "No side longer than 128 or 500 pixels, or as it was found.", defaultValue: "\"medium\""),
      .init(
        name: "format", schema: .choice(["png"]),
        summary: "PNG, whatever it was. Left out: JPEG, or PNG where it is transparent; `full` as it was found."),
    ],
    result: (name: "art", schema: .named("Art")), errors: [.emptyQueue, .noSuchTrack] + .ofFiles
  ) { call in
    call.player.art(
      of: call.string("uri"), call.word("size") ?? .medium, asPNG: call.string("format") != nil, then: call.reply.answer
    )
  }
]
