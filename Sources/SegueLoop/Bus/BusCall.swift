// Thread: the loop.

internal import CSystemd
internal import SegueSystem

/// A method of ours that somebody on the bus has called. It is answered once, at once or later; to a caller who wants no
/// answer, and on a connection that has ended, nothing is sent.
@MainActor
public final class BusCall {
  private let message: BusMessage
  /// nil where the caller leaves it open.
  public let interface: String?
  public let member: String

  init(_ raw: OpaquePointer) {
    message = BusMessage(keeping: raw)
    interface = sd_bus_message_get_interface(raw).map { String(cString: $0) }
    member = sd_bus_message_get_member(raw).map { String(cString: $0) } ?? ""
  }

  /// What it was called with, if that is of these types; nil if not. Once.
  public func arguments(_ signature: String) -> [BusValue]? { message.values(signature) }

  public func reply(_ values: [BusValue] = []) {
    answer(with: values) { sd_bus_message_new_method_return(message.raw, $0) }
  }

  public func fail(_ fault: BusError) {
    answer { reply in
      fault.name.withCString { name in
        fault.message.forBus.withCString { text in
          var error = sd_bus_error(name: name, message: text, _need_free: 0)
          return sd_bus_message_new_method_error(message.raw, reply, &error)
        }
      }
    }
  }

  private func answer(with values: [BusValue] = [], _ make: (UnsafeMutablePointer<OpaquePointer?>) -> Int32) {
    guard sd_bus_message_get_expect_reply(message.raw) > 0 else { return }
    do throws(SystemError) {
      let reply = try BusMessage("sd_bus_message_new_method_return", make)
      for value in values { try reply.append(value) }
      // Where the connection has ended nobody waits for it any more.
      sd_bus_send(nil, reply.raw, nil)
    } catch {
      Log.warning("D-Bus: \(member) cannot be answered: \(error)")
    }
  }
}

/// Why a call is not carried out.
public struct BusError: Error, Equatable, Sendable {
  /// As the bus names it: `org.freedesktop.DBus.Error.…`.
  public let name: String
  /// For a person.
  public let message: String

  init(name: String, message: String) {
    self.name = name
    self.message = message
  }

  public init(_ kind: Kind, _ message: String) {
    name = "org.freedesktop.DBus.Error.\(kind.rawValue)"
    self.message = message
  }

  public enum Kind: String, Sendable {
    case failed = "Failed"
    case invalidArguments = "InvalidArgs"
    case readOnly = "PropertyReadOnly"
    case unknownInterface = "UnknownInterface"
    case unknownMethod = "UnknownMethod"
    case unknownProperty = "UnknownProperty"
  }
}
