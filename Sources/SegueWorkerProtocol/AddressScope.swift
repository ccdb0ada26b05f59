/// The distance of a network address from this machine, from far to near.
///
/// A URL of the user may lead to any address. A URL in the content of a server must not lead nearer than that server:
/// otherwise a server on the internet could make this machine send requests to itself and to its own network.
public enum AddressScope: Int, Comparable, Sendable {
  /// An address of the internet.
  case `public`
  /// An address of a local network, and every other address that is not of the internet.
  case `private`
  /// This machine.
  case loopback

  public static func < (left: AddressScope, right: AddressScope) -> Bool { left.rawValue < right.rawValue }
}
