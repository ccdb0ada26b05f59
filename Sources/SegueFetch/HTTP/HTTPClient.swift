// Thread: the only one of the process, as everything in this module.
internal import CCurl
internal import Glibc
internal import SegueSystem
internal import SegueWire

/// A client of HTTP servers that has many transfers at once on one thread (libcurl's multi interface).
final class HTTPClient {
  private let multi: OpaquePointer
  private let proxies = ProxySettings()
  private var transfers: [ObjectIdentifier: Transfer] = [:]
  /// The certificates of the system's authorities; nil if their file can be read when it is needed.
  private let systemCertificates: SystemCertificates?
  /// The certificates of the authorities to be trusted, in PEM; nil for those of libcurl's file.
  private var authorities: [UInt8]?

  /// Whether libcurl is calling delegates. During these calls, libcurl does not allow transfers to be added or removed,
  /// so both are done afterwards.
  private var isCallingDelegates = false
  private var started: [Transfer] = []
  private var cancelled: [Transfer] = []

  /// Two streams, such as this track and the next one, may have as many resources as they like.
  private static let maximumConnections = 2 * StreamChannel.maximumResources

  init(_ systemCertificates: SystemCertificates?) {
    self.systemCertificates = systemCertificates
    authorities = systemCertificates?.pem
    // This fails only without memory.
    guard segue_curl_global_init() == CURLE_OK, let multi = curl_multi_init() else { fatalError("libcurl: no memory") }
    self.multi = OpaquePointer(multi)
    segue_curl_set_multi_long(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, Self.maximumConnections)
  }

  deinit {
    for transfer in transfers.values { curl_multi_remove_handle(handle, transfer.handle) }
    curl_multi_cleanup(handle)
  }

  private var handle: UnsafeMutableRawPointer { UnsafeMutableRawPointer(multi) }

  /// Whether there is no transfer.
  var isIdle: Bool { transfers.isEmpty }

  /// Trusts the authorities of the certificates in `pem` in addition to those of the system, and no others any more.
  func trust(_ pem: [UInt8]) {
    if pem.isEmpty {
      authorities = systemCertificates?.pem
    } else {
      let system = systemCertificates ?? SystemCertificates.read()
      authorities = (system.map { $0.pem + Array("\n".utf8) } ?? []) + pem
    }
  }

  /// Starts a request. `delegate` is called from `perform`, never before this returns.
  func start(_ request: HTTPRequest, delegate: any TransferDelegate) throws(Failure) -> Transfer {
    let transfer = try Transfer(
      request, authorities: authorities, proxies: request.isDirect ? nil : proxies, delegate: delegate)
    if isCallingDelegates { started.append(transfer) } else { add(transfer) }
    return transfer
  }

  /// Ends a transfer. Its delegate is not called any more.
  func cancel(_ transfer: Transfer) {
    transfer.detach()
    if isCallingDelegates { cancelled.append(transfer) } else { remove(transfer) }
  }

  /// Lets the body of a transfer continue after its delegate has refused bytes.
  func resume(_ transfer: Transfer) { callingDelegates { transfer.resume() } }

  /// Reads nothing of a transfer until it is resumed.
  func pause(_ transfer: Transfer) { callingDelegates { transfer.pause() } }

  private func callingDelegates(_ body: () -> Void) {
    isCallingDelegates = true
    body()
    isCallingDelegates = false
    for transfer in cancelled { remove(transfer) }
    cancelled = []
    for transfer in started { add(transfer) }
    started = []
  }

  private func add(_ transfer: Transfer) {
    guard transfer.isWanted else { return }
    transfers[ObjectIdentifier(transfer)] = transfer
    curl_multi_add_handle(handle, transfer.handle)
  }

  private func remove(_ transfer: Transfer) {
    guard transfers.removeValue(forKey: ObjectIdentifier(transfer)) != nil else { return }
    curl_multi_remove_handle(handle, transfer.handle)
  }

  /// Waits until a transfer can go on, one of `descriptors` is ready, or `deadline` passes.
  func wait(for descriptors: inout [pollfd], until deadline: MonotonicTime) {
    // libcurl's constants have the values of those of poll(2).
    var waiting = descriptors.map { curl_waitfd(fd: $0.fd, events: $0.events, revents: 0) }
    curl_multi_poll(handle, &waiting, UInt32(waiting.count), MonotonicTime.timeout(until: deadline), nil)
    for index in waiting.indices { descriptors[index].revents = waiting[index].revents }
  }

  /// Carries on with all transfers that can go on, and reports those that have ended.
  func perform() {
    let now = MonotonicTime.now
    for transfer in transfers.values where transfer.hasStalled(at: now) {
      finish(transfer, with: CURLE_OPERATION_TIMEDOUT)
    }
    callingDelegates {
      var running: Int32 = 0
      curl_multi_perform(handle, &running)
    }
    var left: Int32 = 0
    while let message = curl_multi_info_read(handle, &left) {
      guard message.pointee.msg == CURLMSG_DONE, let context = segue_curl_private(message.pointee.easy_handle) else {
        continue
      }
      let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
      finish(transfer, with: segue_curl_result(message))
    }
  }

  private func finish(_ transfer: Transfer, with code: CURLcode) {
    guard transfers[ObjectIdentifier(transfer)] != nil else { return }
    curl_multi_remove_handle(handle, transfer.handle)
    if transfer.prepareRepetition(after: code) {
      curl_multi_add_handle(handle, transfer.handle)
    } else {
      transfers[ObjectIdentifier(transfer)] = nil
      transfer.end(with: code)
    }
  }

  /// The time until which `wait` may wait because of deadlines of transfers; nil without a deadline.
  var deadline: MonotonicTime? { transfers.values.compactMap(\.deadline).min() }
}
