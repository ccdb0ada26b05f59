internal import SegueSystem
internal import SegueWire

extension URLAuthority.Fault {
  /// The fault in a sentence for users.
  var message: LocalizableMessage {
    switch self {
    case .missingBracket: LocalizableMessage("the IPv6 address lacks its closing bracket")
    case .invalidAddress(let address): LocalizableMessage("“\(address)” is not an IPv6 address")
    case .missingHost: LocalizableMessage("the host is missing")
    case .invalidName(let name): LocalizableMessage("“\(name)” is not a host's name")
    case .textAfterAddress: LocalizableMessage("only a port can follow the IPv6 address")
    case .invalidPort(let port): LocalizableMessage("the port “\(port)” is not a number from 1 to 65535")
    }
  }
}
