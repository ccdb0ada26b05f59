internal import SeguePlayer
internal import SegueWire

/// The methods for playback, the modes, the gain and the outputs.
let playerMethods = [
  Method(StatusRequest.self) { call in call.responder.send(call.server.encodedStatus()) },
  Method(PlayRequest.self) { call in call.player.play(call.request.target, then: call.responder.send) },
  Method(PauseRequest.self) { call in call.player.pause(then: call.responder.send) },
  Method(ToggleRequest.self) { call in call.player.toggle(then: call.responder.send) },
  Method(StopRequest.self) { call in call.player.stop(then: call.responder.send) },
  Method(NextRequest.self) { call in call.player.next(by: call.request.by, then: call.responder.send) },
  Method(PrevRequest.self) { call in call.player.previous(by: call.request.by, then: call.responder.send) },
  Method(SeekRequest.self) { call in call.player.seek(call.request.target, then: call.responder.send) },
  Method(VolumeRequest.self) { call in
    guard call.request != VolumeRequest() else { return call.responder.send(call.player.volume) }
    call.player.setVolume(call.request, then: call.responder.send)
  },
  Method(RepeatRequest.self) { call in call.player.setRepeat(call.request.mode, then: call.responder.send) },
  Method(ShuffleRequest.self) { call in call.player.setShuffle(call.request.mode, then: call.responder.send) },
  Method(ConsumeRequest.self) { call in call.player.setConsume(call.request.on, then: call.responder.send) },
  Method(SpeedRequest.self) { call in call.player.setSpeed(call.request.change, then: call.responder.send) },
  Method(SleepRequest.self) { call in
    let sleep: Sleep? =
      switch call.request.timer {
      case .seconds(let seconds): .seconds(seconds)
      case .after(let end): .after(end)
      case .off: nil
      }
    call.player.setSleep(sleep, then: call.responder.send)
  },
  Method(GainRequest.self) { call in
    guard call.request != GainRequest() else { return call.responder.send(call.player.gain) }
    call.player.setGain(mode: call.request.mode, preamp: call.request.preamp, then: call.responder.send)
  },
  Method(OutputListRequest.self) { call in call.player.outputs(then: call.responder.send) },
  Method(OutputSetRequest.self) { call in call.player.setOutput(call.request.device, then: call.responder.send) },
]
