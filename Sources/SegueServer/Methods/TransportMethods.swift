internal import SeguePlayer
internal import SegueWire

let transportMethods = [
  Method(StatusRequest.self) { call in call.responder.send(call.server.encodedStatus()) },
  Method(PlayRequest.self) { call in call.player.play(call.request.target, then: call.responder.send) },
  Method(PauseRequest.self) { call in call.player.pause(then: call.responder.send) },
  Method(ToggleRequest.self) { call in call.player.toggle(then: call.responder.send) },
  Method(StopRequest.self) { call in call.player.stop(then: call.responder.send) },
  Method(NextRequest.self) { call in call.player.next(by: call.request.by, then: call.responder.send) },
  Method(PrevRequest.self) { call in call.player.previous(by: call.request.by, then: call.responder.send) },
  Method(SeekRequest.self) { call in call.player.seek(call.request.target, then: call.responder.send) },
]
