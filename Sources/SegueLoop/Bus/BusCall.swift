// Thread: the loop.

internal import CSystemd
internal import SegueSystem

/// A call of a method of this process by a client on the bus. The process replies once, immediately or later. No reply
/// is sent to a caller that expects none, or on a connection that has ended.
@MainActor
public final class BusCall {
  private let message: BusMessage
  /// The interface of the method; nil if the caller does not name one.
  public let interface: String?
  public let member: String

  init(_ raw: OpaquePointer) {
    message = BusMessage(keeping: raw)
    interface = sd_bus_message_get_interface(raw).map { String(cString: $0) }
    member = sd_bus_message_get_member(raw).map { String(cString: $0) } ?? ""
  }

  /// Returns the arguments if they have the types in `signature`; otherwise nil. Called once.
  public func arguments(_ signature: String) -> [BusValue]? { message.values(signature) }

  public func reply(_ values: [BusValue] = []) {
    send(values) { sd_bus_message_new_method_return(message.raw, $0) }
  }

  public func fail(_ error: BusError) {
    send { reply in
      error.name.withCString { name in
        error.message.forBus.withCString { text in
          var raw = sd_bus_error(name: name, message: text, _need_free: 0)
          return sd_bus_message_new_method_error(message.raw, reply, &raw)
        }
      }
    }
  }

  private func send(_ values: [BusValue] = [], _ make: (UnsafeMutablePointer<OpaquePointer?>) -> Int32) {
    guard sd_bus_message_get_expect_reply(message.raw) > 0 else { return }
    do throws(SystemError) {
      let reply = try BusMessage("sd_bus_message_new_method_return", make)
      for value in values { try reply.append(value) }
      // If the connection has ended, no client waits for the reply any more.
      sd_bus_send(nil, reply.raw, nil)
    } catch {
      Log.warning("D-Bus: cannot reply to \(member): \(error)")
    }
  }
}

/// An error reply to a method call.
public struct BusError: Error, Equatable, Sendable {
  /// The name of the error on the bus: `org.freedesktop.DBus.Error.…`.
  public let name: String
  /// The text for the user.
  public let message: String

  /// A standard error; the raw value is the last part of its name.
  public enum Kind: String, Sendable {
    case failed = "Failed"
    case invalidArguments = "InvalidArgs"
    case readOnly = "PropertyReadOnly"
    case unknownInterface = "UnknownInterface"
    case unknownMethod = "UnknownMethod"
    case unknownProperty = "UnknownProperty"
  }
}

extension BusError {
  public init(_ kind: Kind, _ message: String) {
    self.init(name: "org.freedesktop.DBus.Error.\(kind.rawValue)", message: message)
  }
}
