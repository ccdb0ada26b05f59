internal import CSegue
public import SegueSystem

extension Descriptor {
  /// Has every send and receive of this socket fail after so many seconds, so that no test waits for ever for a peer that
  /// hangs.
  public borrowing func setTimeout(seconds: Int) throws(SystemError) {
    let socket = raw
    try checked("setsockopt") { segue_set_socket_timeout(socket, Int32(seconds)) }
  }
}
