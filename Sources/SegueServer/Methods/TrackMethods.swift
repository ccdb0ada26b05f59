internal import SeguePlayer
internal import SegueWire

// The methods that return the contents of single files: chapters, covers and lyrics.

let chapterMethods = [
  Method(
    name: "chapters", summary: "Returns the chapters of a file and which of them is playing.",
    parameters: [.init(name: "uri", schema: .string, summary: "The URI of the file. Default: the current track.")],
    result: (name: "chapters", schema: .named("ChapterList")), errors: [.emptyQueue, .noSuchTrack] + .ofFiles
  ) { call in
    call.player.chapters(of: call.string("uri"), then: call.responder.send)
  }
]

let artMethods = [
  Method(
    name: "art",
    summary:
      "Returns the cover of a track or an album as a file in the cache. A track's cover is the embedded one, or "
      + "else `cover.*`, `folder.*` or `front.*` beside the track. An album's cover is the one beside its tracks, or "
      + "else an embedded one. The file exists until newer covers replace it in the cache.",
    parameters: [
      .init(
        name: "uri", schema: .string,
        summary: "The URI of a track or of an item of a catalogue, or segue:album/ID. Default: the current track."),
      .init(
        name: "size", schema: .choice(of: Art.Size.self),
        summary: "The longer side has at most 128 or 500 pixels; `full`: the original size.", defaultValue: "\"medium\""
      ),
      .init(
        name: "format", schema: .choice(of: Art.Format.self),
        summary:
          "Always PNG, or always a binary PPM with 8 bits a colour, for programs that decode no pictures. Default: JPEG, "
          + "or PNG if the picture is transparent; `full`: the original format."),
    ],
    result: (name: "art", schema: .named("Art")),
    errors: [.emptyQueue, .noSuchTrack] + .ofFiles + .ofNetwork,
    isDetached: true
  ) { call in
    call.player.art(
      of: call.string("uri"), call.word("size") ?? .medium, as: call.word("format"),
      in: call.session.catalogRequests, then: call.responder.send
    )
  }
]

let lyricsMethods = [
  Method(
    name: "lyrics", summary: "Returns the lyrics of a track, from the `.lrc` file beside it or from its tags.",
    parameters: [.uri("The URI of the track.")], result: (name: "lyrics", schema: .named("Lyrics")), errors: .ofFiles
  ) { call in
    call.player.lyrics(of: call.string("uri") ?? "", then: call.responder.sendOffLoop)
  }
]
