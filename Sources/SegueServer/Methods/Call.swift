internal import SeguePlayer
internal import SegueWire

/// A request as a method receives it.
@MainActor
struct Call<Request: ProtocolRequest> {
  let request: Request
  let responder: Responder<Request.Result>

  var session: Session { responder.session }
  var server: Server { session.server }
  var player: Player { session.server.player }
}
