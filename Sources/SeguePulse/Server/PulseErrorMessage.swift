internal import CPulse
internal import SegueWire

extension LocalizableMessage {
  /// Creates the message of libpulse for a `pa_error_code_t`. Rare messages have no template.
  init(pulseError code: Int32) {
    self =
      switch pa_error_code(UInt32(bitPattern: code)) {
      case PA_ERR_ACCESS: LocalizableMessage("Access denied")
      case PA_ERR_INVALID: LocalizableMessage("Invalid argument")
      case PA_ERR_NOENTITY: LocalizableMessage("No such entity")
      case PA_ERR_CONNECTIONREFUSED: LocalizableMessage("Connection refused")
      case PA_ERR_PROTOCOL: LocalizableMessage("Protocol error")
      case PA_ERR_TIMEOUT: LocalizableMessage("Timeout")
      case PA_ERR_AUTHKEY: LocalizableMessage("No authentication key")
      case PA_ERR_INTERNAL: LocalizableMessage("Internal error")
      case PA_ERR_CONNECTIONTERMINATED: LocalizableMessage("Connection terminated")
      case PA_ERR_KILLED: LocalizableMessage("Entity killed")
      case PA_ERR_INVALIDSERVER: LocalizableMessage("Invalid server")
      case PA_ERR_BADSTATE: LocalizableMessage("Bad state")
      case PA_ERR_VERSION: LocalizableMessage("Incompatible protocol version")
      case PA_ERR_TOOLARGE: LocalizableMessage("Too large")
      case PA_ERR_NOTSUPPORTED: LocalizableMessage("Not supported")
      case PA_ERR_IO: LocalizableMessage("Input/Output error")
      case PA_ERR_BUSY: LocalizableMessage("Device or resource busy")
      default: .plain(String(cString: pa_strerror(code)))
      }
  }
}
