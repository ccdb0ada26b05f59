/// What this build is.
public enum Version {
  public static let program = "0.1.0"
  /// PROTOCOL.md's number: a daemon and a client of the same number understand each other.
  public static let socketProtocol = 1
}
