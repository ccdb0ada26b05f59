internal import SegueCatalogProviders
internal import SegueSystem
internal import SegueWire
internal import SegueWorkerProtocol

/// The channel of the daemon for online catalogues: it answers queries and downloads pictures, several at once.
final class CatalogChannel {
  private let socket: LinkSocket
  private let client: HTTPClient
  private var transfers: [UInt32: CatalogTransfer] = [:]
  /// Whether the daemon has closed the channel or sent an invalid request.
  private(set) var isClosed = false

  init(_ socket: LinkSocket, client: HTTPClient) {
    self.socket = socket
    self.client = client
  }

  deinit { for transfer in transfers.values { transfer.cancel() } }

  var raw: Int32 { socket.raw }

  /// Handles a request that has arrived.
  func receive() {
    guard var packet = try? socket.receive(), let request = CatalogFetchRequest(packet) else { return close() }
    handle(request, packet.takeDescriptor())
  }

  private func close() {
    isClosed = true
    for transfer in transfers.values { transfer.cancel() }
    transfers = [:]
  }

  private func handle(_ request: CatalogFetchRequest, _ descriptor: consuming Descriptor?) {
    if case .cancel(let id) = request {
      transfers.removeValue(forKey: id)?.cancel()
      return
    }
    guard let descriptor, let file = try? SharedMemoryFile(adopting: descriptor) else { return close() }
    let id = request.id
    do throws(Failure) {
      let purpose = try CatalogTransfer.Purpose(request)
      transfers[id] = try CatalogTransfer(id, purpose, into: file, client: client) { [unowned self] in finish($0) }
    } catch {
      finish(.failed(id: id, error))
    }
  }

  private func finish(_ response: CatalogFetchResponse) {
    transfers[response.id] = nil
    // If the daemon does not read its responses, or has ended, there is nothing to do.
    do { try socket.send(response) } catch { isClosed = true }
  }
}

extension CatalogFetchRequest {
  fileprivate var id: UInt32 {
    switch self {
    case .query(let id, _, _, _, _), .picture(let id, _, _), .cancel(let id): id
    }
  }
}
