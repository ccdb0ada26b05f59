internal import SeguePlayer
internal import SegueWire

/// The methods that return the contents of single files: chapters, covers and lyrics.
let trackMethods = [
  Method(ChaptersRequest.self) { call in
    call.player.chapters(of: call.request.uri, then: call.responder.send)
  },
  Method(ArtRequest.self) { call in
    call.player.art(
      of: call.request.uri, call.request.size, as: call.request.format,
      in: call.session.catalogRequests, then: call.responder.send)
  },
  Method(LyricsRequest.self) { call in
    call.player.lyrics(of: call.request.uri, then: call.responder.sendOffLoop)
  },
]
