// Thread: the pulse thread.
internal import CPulse

/// An operation of libpulse in progress. It keeps the response handler alive until libpulse reports that the operation
/// is over.
final class PulseOperation {
  enum Response {
    case done(Bool)
    case server(pa_server_info)
    case sink(pa_sink_info)
    case sinkInput(pa_sink_input_info)
    /// Follows the last element of a list; false if the list is not available.
    case endOfList(Bool)
  }

  fileprivate let onResponse: (Response) -> Void

  private init(_ onResponse: @escaping (Response) -> Void) { self.onResponse = onResponse }

  /// Starts the operation that `start` creates with the given context pointer. `onResponse` is called on the pulse
  /// thread, never before `start` has returned, and never after the connection or the stream is gone. Returns false if
  /// the request could not be sent.
  @discardableResult
  static func start(
    _ start: (UnsafeMutableRawPointer) -> OpaquePointer?, onResponse: @escaping (Response) -> Void
  ) -> Bool {
    // Proof: retained here, and released in `operationStateChanged`, which libpulse calls once: when the operation is
    // done or cancelled.
    let box = Unmanaged.passRetained(PulseOperation(onResponse))
    guard let operation = start(box.toOpaque()) else {
      box.release()
      return false
    }
    pa_operation_set_state_callback(operation, operationStateChanged, box.toOpaque())
    release(operation)
    return true
  }
}

/// Releases an operation whose response is not needed.
func release(_ operation: OpaquePointer?) { if let operation { pa_operation_unref(operation) } }

private func operationStateChanged(operation: OpaquePointer?, context: UnsafeMutableRawPointer?) {
  guard let operation, let context, pa_operation_get_state(operation) != PA_OPERATION_RUNNING else { return }
  Unmanaged<PulseOperation>.fromOpaque(context).release()
}

private func respond(_ context: UnsafeMutableRawPointer?, _ response: PulseOperation.Response) {
  guard let context else { return }
  Unmanaged<PulseOperation>.fromOpaque(context).takeUnretainedValue().onResponse(response)
}

func contextOperationDone(_: OpaquePointer?, success: Int32, context: UnsafeMutableRawPointer?) {
  respond(context, .done(success != 0))
}

func streamOperationDone(_: OpaquePointer?, success: Int32, context: UnsafeMutableRawPointer?) {
  respond(context, .done(success != 0))
}

func serverInfoArrived(_: OpaquePointer?, info: UnsafePointer<pa_server_info>?, context: UnsafeMutableRawPointer?) {
  if let info { respond(context, .server(info.pointee)) } else { respond(context, .endOfList(false)) }
}

func sinkInfoArrived(
  _: OpaquePointer?, info: UnsafePointer<pa_sink_info>?, end: Int32, context: UnsafeMutableRawPointer?
) {
  if end == 0, let info { respond(context, .sink(info.pointee)) } else { respond(context, .endOfList(end > 0)) }
}

func sinkInputInfoArrived(
  _: OpaquePointer?, info: UnsafePointer<pa_sink_input_info>?, end: Int32, context: UnsafeMutableRawPointer?
) {
  if end == 0, let info { respond(context, .sinkInput(info.pointee)) } else { respond(context, .endOfList(end > 0)) }
}
