internal import CSegue
internal import Glibc
public import SegueSystem
public import SegueWire

/// What goes over the link: a line of JSON and, where there is much to tell, what is packed behind it.
public protocol LinkMessage: JSONEncodable {
  /// Empty: nothing.
  var packed: [UInt8] { get }
}

extension LinkMessage {
  public var packed: [UInt8] { [] }

  func write(into packet: inout JSONWriter) {
    encode(into: &packet)
    let packed = packed
    guard !packed.isEmpty else { return }
    packet.endLine()
    packed.withUnsafeBytes { packet.raw($0) }
  }
}

/// One end of the control socket between daemon and worker: SOCK_SEQPACKET, a message a packet, descriptors beside it.
/// Not thread-safe: one thread has it.
public final class LinkSocket {
  private let descriptor: Descriptor
  private var writer = JSONWriter()
  private var buffer = [UInt8](repeating: 0, count: LinkSocket.maximumPacketSize)

  /// More than any report needs: the worker shortens what tags hold.
  public static let maximumPacketSize = 128 * 1024

  /// The descriptor number a worker finds its end at.
  public static let workerDescriptor: Int32 = 3

  public init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

  public var raw: Int32 { descriptor.raw }

  /// A connected pair: the daemon's end, which does not block, and the worker's, which does.
  public static func pair() throws(SystemError) -> (daemon: LinkSocket, worker: LinkSocket) {
    var ends: [Int32] = [-1, -1]
    try checked("socketpair") {
      socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends)
    }
    let daemon = LinkSocket(Descriptor(owning: ends[0]))
    let worker = LinkSocket(Descriptor(owning: ends[1]))
    try checked("fcntl") { segue_set_nonblocking(ends[0]) }
    return (daemon, worker)
  }

  /// Sends one message with copies of up to `SEGUE_MAX_FDS` descriptors, which stay the caller's.
  /// `EAGAIN` on the daemon's end means the other side has stopped reading.
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

  /// The next message; nil once the other side is gone. `EAGAIN` on the daemon's end when there is none yet.
  public func receive() throws(SystemError) -> LinkPacket? {
    var fds = [Int32](repeating: -1, count: Int(SEGUE_MAX_FDS))
    var count: Int32 = 0
    let received = try checked("recvmsg", "worker socket") {
      segue_recv_fds(raw, &buffer, buffer.count, &fds, &count)
    }
    return received == 0 ? nil : LinkPacket(bytes: Array(buffer[..<received]), descriptors: Array(fds[..<Int(count)]))
  }
}

/// A packet that came, and the owner of the descriptors beside it: those nobody takes are closed with it.
public struct LinkPacket: ~Copyable {
  public let bytes: [UInt8]
  private var descriptors: [Int32]

  /// Of bytes that came another way.
  public init(bytes: [UInt8], descriptors: [Int32] = []) {
    self.bytes = bytes
    self.descriptors = descriptors
  }

  deinit { for descriptor in descriptors { close(descriptor) } }

  /// The line in front; nil if it is none.
  public var json: JSON? {
    let end = endOfLine
    return bytes.withUnsafeBytes { try? JSON(parsing: UnsafeRawBufferPointer(rebasing: $0[..<end])) }
  }

  /// Calls `body` with what is packed behind it.
  func withPacked<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    let start = endOfLine + 1
    return bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0.dropFirst(start))) }
  }

  private var endOfLine: Int { bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count }

  /// The next descriptor, now the caller's; nil when there is none left.
  public mutating func takeDescriptor() -> Descriptor? {
    descriptors.isEmpty ? nil : Descriptor(owning: descriptors.removeFirst())
  }
}
