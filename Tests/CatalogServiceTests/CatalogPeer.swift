import SegueCatalogService
import SegueLoop
import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Testing

/// A test in place of the fetch process, at the other end of the channels for catalogues.
@MainActor final class CatalogPeer {
  /// A function that handles a packet of the daemon from the channel with this number, which begins at 1. If it returns
  /// false, the channel is closed.
  typealias Handler = @MainActor (_ packet: inout LinkPacket, _ socket: LinkSocket, _ channel: Int) -> Bool

  private let loop: EventLoop
  private let handle: Handler
  private var source: IOSource?
  /// The number of channels that the daemon has opened.
  private(set) var channelCount = 0

  init(_ loop: EventLoop, _ handle: @escaping Handler) {
    self.loop = loop
    self.handle = handle
  }

  /// The access of the daemon to the peer.
  var connection: CatalogConnection {
    CatalogConnection(
      open: { () throws(Failure) in
        do { return try self.open() } catch { throw Failure(.unavailable, "\(error)") }
      }, checkAuthorities: { _ in }, kill: { _ in Issue.record("the process was killed") }, abandon: {})
  }

  /// Returns the daemon's end of a new channel.
  private func open() throws -> Descriptor {
    let ends = try LinkSocket.descriptorPair()
    let daemon = Descriptor(owning: ends.nonblocking)
    let socket = LinkSocket(Descriptor(owning: ends.blocking))
    channelCount += 1
    source = try IOSource(on: loop, descriptor: socket.raw, of: socket, for: .readable) { [weak self] _ in
      self?.receive(over: socket)
    }
    return daemon
  }

  private func receive(over socket: LinkSocket) {
    guard var packet = try? socket.receive(), handle(&packet, socket, channelCount) else {
      source = nil
      return
    }
  }
}
