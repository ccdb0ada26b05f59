/// The call that a screen makes at its end: the screen is left when the call has succeeded.
struct SubmittedCall {
  /// The call, until it is answered.
  private var pending: DaemonCall?

  /// Returns the action that makes a call; none while the same call is awaited.
  mutating func submit(_ call: DaemonCall, _ state: SharedState) -> [Action] {
    guard pending != call else { return [] }
    if state.isConnected { pending = call }
    return [.call(call)]
  }

  /// Takes over the response to the call. Returns nil for that to any other call.
  mutating func receive(_ call: DaemonCall, _ result: CallResult) -> [Action]? {
    guard call == pending else { return nil }
    pending = nil
    return if case .success = result { [.back] } else { [] }
  }

  mutating func disconnect() { pending = nil }
}
