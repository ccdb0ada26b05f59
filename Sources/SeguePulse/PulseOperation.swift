// Pulse thread only.
internal import CPulse

/// A question to the server on its way: holds whom to answer until libpulse says that the operation is over.
final class Request {
  enum Answer {
    case done(Bool)
    case server(pa_server_info)
    case sink(pa_sink_info)
    case sinkInput(pa_sink_input_info)
    /// After the last of a list; false if the list could not be had.
    case end(Bool)
  }

  fileprivate let answered: (Answer) -> Void

  private init(_ answered: @escaping (Answer) -> Void) { self.answered = answered }

  /// Starts the operation that `start` makes of the context pointer it is given. `answered` is called on the pulse thread,
  /// never before `send` has returned, and never once the connection or stream is gone. False if it could not be sent.
  @discardableResult
  static func send(
    _ start: (UnsafeMutableRawPointer) -> OpaquePointer?, answered: @escaping (Answer) -> Void
  ) -> Bool {
    // Retained here, released in `requestStateChanged`, which libpulse calls once: done or cancelled.
    let box = Unmanaged.passRetained(Request(answered))
    guard let operation = start(box.toOpaque()) else {
      box.release()
      return false
    }
    pa_operation_set_state_callback(operation, requestStateChanged, box.toOpaque())
    drop(operation)
    return true
  }
}

private func requestStateChanged(operation: OpaquePointer?, context: UnsafeMutableRawPointer?) {
  guard let operation, let context, pa_operation_get_state(operation) != PA_OPERATION_RUNNING else { return }
  Unmanaged<Request>.fromOpaque(context).release()
}

private func answer(_ context: UnsafeMutableRawPointer?, _ answer: Request.Answer) {
  guard let context else { return }
  Unmanaged<Request>.fromOpaque(context).takeUnretainedValue().answered(answer)
}

func contextRequestDone(_: OpaquePointer?, success: Int32, context: UnsafeMutableRawPointer?) {
  answer(context, .done(success != 0))
}

func streamRequestDone(_: OpaquePointer?, success: Int32, context: UnsafeMutableRawPointer?) {
  answer(context, .done(success != 0))
}

func serverInfoCame(_: OpaquePointer?, info: UnsafePointer<pa_server_info>?, context: UnsafeMutableRawPointer?) {
  if let info { answer(context, .server(info.pointee)) } else { answer(context, .end(false)) }
}

func sinkInfoCame(_: OpaquePointer?, info: UnsafePointer<pa_sink_info>?, end: Int32, context: UnsafeMutableRawPointer?)
{
  if end == 0, let info { answer(context, .sink(info.pointee)) } else { answer(context, .end(end > 0)) }
}

func sinkInputInfoCame(
  _: OpaquePointer?, info: UnsafePointer<pa_sink_input_info>?, end: Int32, context: UnsafeMutableRawPointer?
) {
  if end == 0, let info { answer(context, .sinkInput(info.pointee)) } else { answer(context, .end(end > 0)) }
}
