internal import SegueSystem

/// Where a bus listens (D-Bus Specification, "Server Addresses").
struct BusAddress: Equatable {
  /// As sd-bus takes it: Unix sockets alone. Others would be waited for, or are programs to be started.
  let text: String
  /// The socket's file; nil for one that has none.
  let socket: FilePath?

  /// What the environment says: `DBUS_SESSION_BUS_ADDRESS`, else `bus` in the runtime folder. nil where it names no Unix
  /// socket.
  static var session: BusAddress? {
    if let named = Directories.environment("DBUS_SESSION_BUS_ADDRESS") { return BusAddress(named.description) }
    guard let folder = Directories.runtime else { return nil }
    let socket = folder.appending("bus")
    // A file's URI has what an address has to escape escaped in the same way.
    return BusAddress(text: "unix:path=" + FileURI.encode(socket).dropFirst("file://".count), socket: socket)
  }

  /// `DBUS_SYSTEM_BUS_ADDRESS`, else where every system has it.
  static var system: BusAddress? {
    if let named = Directories.environment("DBUS_SYSTEM_BUS_ADDRESS") { return BusAddress(named.description) }
    return BusAddress("unix:path=/run/dbus/system_bus_socket")
  }

  private init(text: String, socket: FilePath?) {
    self.text = text
    self.socket = socket
  }

  /// nil if none of the addresses in `list` is that of a Unix socket.
  private init?(_ list: String) {
    // Of each the socket alone: by its `guid` a bus that was started again would not be the same.
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
