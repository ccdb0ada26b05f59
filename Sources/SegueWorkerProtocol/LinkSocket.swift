internal import CSegue
internal import Glibc
public import SegueSystem
public import SegueWire

/// A message between daemon and worker: a line of JSON, optionally followed by binary data.
public protocol LinkMessage: JSONEncodable {
  /// The binary data after the JSON; empty if there is none.
  var binaryData: [UInt8] { get }
}

extension LinkMessage {
  public var binaryData: [UInt8] { [] }

  func write(into packet: inout JSONWriter) {
    encode(into: &packet)
    let binaryData = binaryData
    guard !binaryData.isEmpty else { return }
    packet.endLine()
    binaryData.withUnsafeBytes { packet.raw($0) }
  }
}

/// One end of the control socket between daemon and worker. The socket is of type SOCK_SEQPACKET; a packet contains one
/// message and optional descriptors. An end belongs to one thread.
public final class LinkSocket {
  private let descriptor: Descriptor
  private var writer = JSONWriter()
  private var buffer = [UInt8](repeating: 0, count: LinkSocket.maximumPacketSize)

  /// The maximum size of a packet in bytes. No event exceeds it, because the worker truncates the texts of tags.
  public static let maximumPacketSize = 128 * 1024

  /// The descriptor number that the worker's end of the socket has in the worker.
  public static let workerDescriptor: Int32 = 3

  public init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

  public var raw: Int32 { descriptor.raw }

  /// Whether the other end is closed. Messages that were sent before may not have been received yet.
  public var isDisconnected: Bool {
    var state = pollfd(fd: descriptor.raw, events: 0, revents: 0)
    return poll(&state, 1, 0) > 0
  }

  /// Creates a connected pair: the daemon's end, which does not block, and the worker's end, which does.
  public static func pair() throws(SystemError) -> (daemon: LinkSocket, worker: LinkSocket) {
    let (daemon, worker) = try descriptorPair()
    return (LinkSocket(Descriptor(owning: daemon)), LinkSocket(Descriptor(owning: worker)))
  }

  /// Creates the descriptors of a connected pair, one that does not block and one that does. The caller has to close
  /// both.
  public static func descriptorPair() throws(SystemError) -> (nonblocking: Int32, blocking: Int32) {
    let (nonblocking, blocking) = try UnixSocket.pair(of: .packets)
    // This fails for no open socket.
    _ = segue_set_nonblocking(nonblocking)
    return (nonblocking, blocking)
  }

  /// Sends one message with copies of up to `SEGUE_MAX_FDS` descriptors, which the caller still owns. At the daemon's
  /// end, the error `EAGAIN` means that the worker has stopped reading.
  public func send(_ message: some LinkMessage, descriptors: [Int32] = []) throws(SystemError) {
    writer.removeAll()
    message.write(into: &writer)
    let sent = writer.withBytes { bytes -> Result<Int, SystemError> in
      Result { () throws(SystemError) in
        try checked("sendmsg", "worker socket") {
          segue_send_fds(raw, bytes.baseAddress, bytes.count, descriptors, Int32(descriptors.count))
        }
      }
    }
    _ = try sent.get()
  }

  /// Returns the next message; nil if the other end is closed. At the daemon's end, the error `EAGAIN` means that
  /// there is no message yet.
  public func receive() throws(SystemError) -> LinkPacket? {
    var fds = [Int32](repeating: -1, count: Int(SEGUE_MAX_FDS))
    var count: Int32 = 0
    let received = try checked("recvmsg", "worker socket") {
      segue_recv_fds(raw, &buffer, buffer.count, &fds, &count)
    }
    return received == 0 ? nil : LinkPacket(bytes: Array(buffer[..<received]), descriptors: Array(fds[..<Int(count)]))
  }
}

/// A received packet. It owns its descriptors and closes those that were not taken.
public struct LinkPacket: ~Copyable {
  public let bytes: [UInt8]
  private var descriptors: [Int32]

  /// Creates a packet from bytes, for tests.
  public init(bytes: [UInt8], descriptors: [Int32] = []) {
    self.bytes = bytes
    self.descriptors = descriptors
  }

  deinit { for descriptor in descriptors { close(descriptor) } }

  /// The parsed line of JSON; nil if it is not valid.
  public var json: JSON? {
    let end = endOfLine
    return bytes.withUnsafeBytes { try? JSON(parsing: UnsafeRawBufferPointer(rebasing: $0[..<end])) }
  }

  /// Calls `body` with the binary data after the line.
  func withBinaryData<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    let start = endOfLine + 1
    return bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0.dropFirst(start))) }
  }

  private var endOfLine: Int { bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count }

  /// Removes the next descriptor and returns it; nil if there is none.
  public mutating func takeDescriptor() -> Descriptor? {
    descriptors.isEmpty ? nil : Descriptor(owning: descriptors.removeFirst())
  }
}
