// Pulse thread only.
internal import CPulse
internal import SegueSystem

/// Who is told what becomes of a connection.
protocol ConnectionDelegate: AnyObject {
  func connectionIsReady()
  func connectionFailed(_ reason: String)
  /// Something about a sink input changed, perhaps its volume.
  func sinkInputChanged(_ index: UInt32)
  /// The server has one more sink.
  func sinkAppeared()
}

/// A client's connection to a sound server: a `pa_context`. It lives once; after a failure another one is made.
final class Connection {
  let context: OpaquePointer
  private unowned let loop: PulseLoop
  private weak var owner: (any ConnectionDelegate)?
  private let server: String?
  private(set) var isReady = false

  init?(_ loop: PulseLoop, applicationName: String, server: String?, owner: any ConnectionDelegate) {
    let properties = pa_proplist_new()
    defer { pa_proplist_free(properties) }
    pa_proplist_sets(properties, PA_PROP_APPLICATION_NAME, applicationName)
    pa_proplist_sets(properties, PA_PROP_APPLICATION_ID, "segue")
    pa_proplist_sets(properties, PA_PROP_APPLICATION_ICON_NAME, "multimedia-player")
    // Libpulse 16.1 never comes back from a server that dies while the two agree on a ring of shared memory for their
    // messages (`pa_pstream_unlink` drops the ring in use until none is to come, and the one to come stays). Where no
    // memory is shared there is no such ring; that the sound is copied through the socket costs both sides some 0.02 %
    // of a core at 44.1 kHz.
    pa_proplist_sets(properties, PA_PROP_CONTEXT_FORCE_DISABLE_SHM, "true")
    guard let context = pa_context_new_with_proplist(loop.api, applicationName, properties) else { return nil }
    self.context = context
    self.loop = loop
    self.owner = owner
    self.server = server
  }

  deinit {
    // No callback may reach this object from here on; operations in flight are called off by the disconnect.
    pa_context_set_state_callback(context, nil, nil)
    pa_context_set_subscribe_callback(context, nil, nil)
    pa_context_disconnect(context)
    pa_context_unref(context)
  }

  /// What becomes of it, the owner is told; not before this returns.
  func connect() {
    // Unretained: `deinit` takes the callbacks back.
    let this = Unmanaged.passUnretained(self).toOpaque()
    pa_context_set_state_callback(context, connectionStateChanged, this)
    pa_context_set_subscribe_callback(context, connectionSaw, this)
    // Whether a server runs is the session's business: none is spawned.
    if pa_context_connect(context, server, PA_CONTEXT_NOAUTOSPAWN, nil) < 0 { fail() }
  }

  /// Calls back once, after `delay`.
  func timer(after delay: MediaTime, _ fired: @escaping () -> Void) -> Timer {
    Timer(loop, context: context, after: delay, fired: fired)
  }

  /// What went wrong last, in libpulse's words.
  var reason: String { String(cString: pa_strerror(pa_context_errno(context))) }

  /// What the owner is told of. A server wakes us for nothing else.
  enum Watch { case nothing, sinkInputs, sinks }

  func watch(_ what: Watch) {
    let mask =
      switch what {
      case .nothing: PA_SUBSCRIPTION_MASK_NULL
      case .sinkInputs: PA_SUBSCRIPTION_MASK_SINK_INPUT
      case .sinks: PA_SUBSCRIPTION_MASK_SINK
      }
    drop(pa_context_subscribe(context, mask, nil, nil))
  }

  fileprivate func stateChanged() {
    switch pa_context_get_state(context) {
    case PA_CONTEXT_READY:
      isReady = true
      owner?.connectionIsReady()
    case PA_CONTEXT_FAILED, PA_CONTEXT_TERMINATED: fail()
    default: break
    }
  }

  private var hasFailed = false

  private func fail() {
    guard !hasFailed else { return }
    hasFailed = true
    isReady = false
    owner?.connectionFailed(reason)
  }

  fileprivate func saw(_ event: pa_subscription_event_type_t, _ index: UInt32) {
    let kind = event.rawValue & PA_SUBSCRIPTION_EVENT_TYPE_MASK.rawValue
    switch (event.rawValue & PA_SUBSCRIPTION_EVENT_FACILITY_MASK.rawValue, kind) {
    case (PA_SUBSCRIPTION_EVENT_SINK_INPUT.rawValue, PA_SUBSCRIPTION_EVENT_CHANGE.rawValue):
      owner?.sinkInputChanged(index)
    case (PA_SUBSCRIPTION_EVENT_SINK.rawValue, PA_SUBSCRIPTION_EVENT_NEW.rawValue):
      owner?.sinkAppeared()
    default: break
    }
  }
}

/// Lets an operation go whose answer nobody waits for.
func drop(_ operation: OpaquePointer?) { if let operation { pa_operation_unref(operation) } }

private func connectionStateChanged(_: OpaquePointer?, context: UnsafeMutableRawPointer?) {
  guard let context else { return }
  Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue().stateChanged()
}

private func connectionSaw(
  _: OpaquePointer?, event: pa_subscription_event_type_t, index: UInt32, context: UnsafeMutableRawPointer?
) {
  guard let context else { return }
  Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue().saw(event, index)
}
