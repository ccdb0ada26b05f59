internal import SegueSystem

/// The descriptors that a test, and each program it starts, may have open.
public enum Descriptors {
  /// Raises the limit to what the system lets anybody have, once; returns whether it is `count` at least. A test with
  /// many clients needs a descriptor for each, and so does its daemon.
  public static func suffice(for count: Int) -> Bool { limit >= count }

  private static let limit = DescriptorLimit.raise()
}
