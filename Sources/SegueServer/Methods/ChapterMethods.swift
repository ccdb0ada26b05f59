internal import SeguePlayer
internal import SegueWire

let chapterMethods = [
  Method(
    name: "chapters", summary: "The chapters of a file, and which of them is heard.",
    parameters: [.init(name: "uri", schema: .string, summary: "The file's. Left out: the current track's.")],
    result: (name: "chapters", schema: .named("ChapterList")), errors: [.emptyQueue, .noSuchTrack] + .ofFiles
  ) { call in
    call.player.chapters(of: call.string("uri"), then: call.reply.answer)
  }
]
