internal import SegueSystem
internal import SegueWorkerProtocol

/// The owner of resources, which passes their responses on to the worker.
protocol StreamResourceOwner: AnyObject {
  var session: StreamSession { get }
  /// Returns whether the worker has read so much that `count` more bytes may wait for it.
  func mayWait(_ count: Int) -> Bool
  func resource(_ resource: StreamResource, opened head: HTTPHead)
  func send(_ response: FetchResponse, descriptor: SharedDescriptor?)
  /// Handles that all bytes of the resource were sent, or that its worker has closed its socket.
  func resourceEnded(_ resource: StreamResource)
}

extension StreamResourceOwner {
  func send(_ response: FetchResponse) { send(response, descriptor: nil) }
}
