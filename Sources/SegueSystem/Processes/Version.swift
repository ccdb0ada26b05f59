/// The version of this build.
public enum Version {
  public static let program = "0.2.0"
  /// The version of the protocol, segue-ipc(7). A daemon and a client of the same version understand each other.
  public static let socketProtocol = 1
}
