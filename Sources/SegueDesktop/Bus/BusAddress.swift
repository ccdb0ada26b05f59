internal import SegueSystem

/// The address of a message bus (D-Bus Specification, "Server Addresses").
struct BusAddress: Equatable {
  /// The address for sd-bus, which names only Unix sockets. Connections of other kinds would block, or start a program.
  let text: String
  /// The path of the socket; nil if it has none.
  let socket: FilePath?

  /// The address in `DBUS_SESSION_BUS_ADDRESS`, else that of `bus` in the runtime folder; nil if it names no Unix
  /// socket.
  static var session: BusAddress? {
    if let named = Directories.environment("DBUS_SESSION_BUS_ADDRESS") { return BusAddress(named.description) }
    guard let folder = Directories.runtime else { return nil }
    let socket = folder.appending("bus")
    // A file URI escapes all characters that an address has to escape, in the same way.
    return BusAddress(text: "unix:path=" + FileURI.encode(socket).dropFirst("file://".count), socket: socket)
  }

  /// The address in `DBUS_SYSTEM_BUS_ADDRESS`, else the standard one.
  static var system: BusAddress? {
    if let named = Directories.environment("DBUS_SYSTEM_BUS_ADDRESS") { return BusAddress(named.description) }
    return BusAddress("unix:path=/run/dbus/system_bus_socket")
  }

  private init(text: String, socket: FilePath?) {
    self.text = text
    self.socket = socket
  }

  /// Creates the address of the Unix sockets in `list`. Returns nil if there are none.
  private init?(_ list: String) {
    // Other keys are dropped: a bus that was restarted has another `guid`.
    let sockets = list.split(separator: ";").compactMap { address -> Substring? in
      guard address.hasPrefix("unix:") else { return nil }
      return address.dropFirst("unix:".count).split(separator: ",").first {
        $0.hasPrefix("path=") || $0.hasPrefix("abstract=")
      }
    }
    guard !sockets.isEmpty else { return nil }
    text = sockets.map { "unix:" + $0 }.joined(separator: ";")
    socket = sockets.first { $0.hasPrefix("path=") }.map { address in
      FilePath(bytes: FileURI.percentDecoded(address.dropFirst("path=".count).utf8))
    }
  }
}
