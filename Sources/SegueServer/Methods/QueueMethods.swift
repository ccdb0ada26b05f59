internal import SeguePlayer
internal import SegueWire

let queueMethods = [
  Method(QueueListRequest.self) { call in
    let page = call.page
    let result = Result { () throws(Failure) in
      guard let id = call.request.id else { return call.player.page(offset: page.offset, limit: page.limit) }
      return try call.player.page(from: id, limit: page.limit)
    }
    // A short page is encoded faster than another thread wakes up.
    if case .success(let page) = result, page.tracks.count <= 64 { return call.responder.send(page) }
    call.responder.sendOffLoop(result)
  },
  Method(QueueAddRequest.self) { call in
    let placement: Placement =
      switch call.request.at {
      case .end?: .end
      case .next?: .next
      case .index(let index)?: .index(index)
      case nil: .endIfMissing
      }
    call.player.add(
      call.request.uris, at: placement, play: call.request.play, ofCommand: call.request.command,
      then: call.responder.sendOffLoop)
  },
  Method(QueueReplaceRequest.self) { call in
    call.player.replace(
      with: call.request.uris, playing: call.request.play, ofCommand: call.request.command,
      then: call.responder.sendOffLoop)
  },
  Method(QueueRemoveRequest.self) { call in
    call.player.remove(call.request.ids, ofCommand: call.request.command, then: call.responder.send)
  },
  Method(QueueMoveRequest.self) { call in
    call.player.move(
      call.request.ids, to: call.request.to, ofCommand: call.request.command, then: call.responder.send)
  },
  Method(QueueClearRequest.self) { call in call.player.clear(then: call.responder.send) },
  Method(QueueShuffleNowRequest.self) { call in call.player.shuffleNow(then: call.responder.send) },
  Method(QueueSortRequest.self) { call in
    call.player.sort(by: call.request.by, call.request.order, then: call.responder.send)
  },
  Method(QueueDedupeRequest.self) { call in call.player.dedupe(then: call.responder.send) },
  Method(QueueCropRequest.self) { call in call.player.crop(to: call.request.ids, then: call.responder.send) },
  Method(QueueUndoRequest.self) { call in call.player.undo(then: call.responder.send) },
  Method(QueueRedoRequest.self) { call in call.player.redo(then: call.responder.send) },
]
