// Thread: the pulse thread.
internal import CPulse
internal import SegueSystem
internal import SegueWire

/// A delegate that receives the state changes and events of a context.
protocol PulseContextDelegate: AnyObject {
  func contextIsReady()
  func contextFailed(_ reason: LocalizableMessage)
  /// A stream changed at the server, perhaps in volume. `index` is the server's number of the stream.
  func sinkInputChanged(_ index: UInt32)
  /// The server has a new sink.
  func sinkAppeared()
}

/// A client's connection to a sound server: a `pa_context`. A context connects once; after a failure another one is
/// needed.
final class PulseContext {
  let context: OpaquePointer
  private unowned let loop: PulseLoop
  private weak var delegate: (any PulseContextDelegate)?
  private let server: String?
  private(set) var isReady = false
  private var hasFailed = false

  init?(_ loop: PulseLoop, applicationName: String, server: String?, delegate: any PulseContextDelegate) {
    let properties = pa_proplist_new()
    defer { pa_proplist_free(properties) }
    pa_proplist_sets(properties, PA_PROP_APPLICATION_NAME, applicationName)
    pa_proplist_sets(properties, PA_PROP_APPLICATION_ID, "segue")
    pa_proplist_sets(properties, PA_PROP_APPLICATION_ICON_NAME, "multimedia-player")
    // Libpulse 16.1 hangs if a server dies while both sides agree on a ring of shared memory for their messages:
    // `pa_pstream_unlink` frees the ring in use again and again until none is pending, but never frees the pending one.
    // Without shared memory there is no such ring. Copying the sound through the socket costs both sides about 0.02 %
    // of a core at 44.1 kHz.
    pa_proplist_sets(properties, PA_PROP_CONTEXT_FORCE_DISABLE_SHM, "true")
    guard let context = pa_context_new_with_proplist(loop.api, applicationName, properties) else { return nil }
    self.context = context
    self.loop = loop
    self.delegate = delegate
    self.server = server
  }

  deinit {
    // From here on no callback may reach this object. The disconnect cancels the operations in flight.
    pa_context_set_state_callback(context, nil, nil)
    pa_context_set_subscribe_callback(context, nil, nil)
    pa_context_disconnect(context)
    pa_context_unref(context)
  }

  /// Starts connecting. The delegate is notified of the result.
  func connect() {
    // Proof: unretained; `deinit` removes the callbacks.
    let this = Unmanaged.passUnretained(self).toOpaque()
    pa_context_set_state_callback(context, contextStateChanged, this)
    pa_context_set_subscribe_callback(context, contextEventArrived, this)
    // The user's login session starts the server, or runs without one: libpulse must not start one.
    if pa_context_connect(context, server, PA_CONTEXT_NOAUTOSPAWN, nil) < 0 { fail() }
  }

  /// Returns a timer that fires once, after `delay`.
  func timer(after delay: MediaTime, _ fired: @escaping () -> Void) -> PulseTimer {
    PulseTimer(loop, context: context, after: delay, fired: fired)
  }

  /// The message of libpulse for the last error.
  var lastError: LocalizableMessage { LocalizableMessage(pulseError: pa_context_errno(context)) }

  /// The events that the delegate can be notified of.
  enum Subscription { case none, sinkInputs, sinks, sinkInputsAndSinks }

  /// Subscribes to these events and no others, so that the server does not wake this process for anything else.
  func subscribe(to subscription: Subscription) {
    let mask =
      switch subscription {
      case .none: PA_SUBSCRIPTION_MASK_NULL.rawValue
      case .sinkInputs: PA_SUBSCRIPTION_MASK_SINK_INPUT.rawValue
      case .sinks: PA_SUBSCRIPTION_MASK_SINK.rawValue
      case .sinkInputsAndSinks: PA_SUBSCRIPTION_MASK_SINK_INPUT.rawValue | PA_SUBSCRIPTION_MASK_SINK.rawValue
      }
    release(pa_context_subscribe(context, pa_subscription_mask_t(mask), nil, nil))
  }

  fileprivate func stateChanged() {
    switch pa_context_get_state(context) {
    case PA_CONTEXT_READY:
      isReady = true
      delegate?.contextIsReady()
    case PA_CONTEXT_FAILED, PA_CONTEXT_TERMINATED: fail()
    default: break
    }
  }

  private func fail() {
    guard !hasFailed else { return }
    hasFailed = true
    isReady = false
    delegate?.contextFailed(lastError)
  }

  fileprivate func handle(_ event: pa_subscription_event_type_t, _ index: UInt32) {
    let kind = event.rawValue & PA_SUBSCRIPTION_EVENT_TYPE_MASK.rawValue
    switch (event.rawValue & PA_SUBSCRIPTION_EVENT_FACILITY_MASK.rawValue, kind) {
    case (PA_SUBSCRIPTION_EVENT_SINK_INPUT.rawValue, PA_SUBSCRIPTION_EVENT_CHANGE.rawValue):
      delegate?.sinkInputChanged(index)
    case (PA_SUBSCRIPTION_EVENT_SINK.rawValue, PA_SUBSCRIPTION_EVENT_NEW.rawValue):
      delegate?.sinkAppeared()
    default: break
    }
  }
}

private func contextStateChanged(_: OpaquePointer?, context: UnsafeMutableRawPointer?) {
  guard let context else { return }
  Unmanaged<PulseContext>.fromOpaque(context).takeUnretainedValue().stateChanged()
}

private func contextEventArrived(
  _: OpaquePointer?, event: pa_subscription_event_type_t, index: UInt32, context: UnsafeMutableRawPointer?
) {
  guard let context else { return }
  Unmanaged<PulseContext>.fromOpaque(context).takeUnretainedValue().handle(event, index)
}
