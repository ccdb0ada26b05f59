/// What the client of a connection may do, or what a method, a parameter or a topic requires. Greater rights include
/// all smaller ones.
public enum Rights: Comparable, Sendable {
  // The rights of connections that were restricted to a role (`Role`).
  case listen
  case control
  case own
  /// The rights of a connection that was never restricted: of a program of the user on this machine.
  case all

  public init(_ role: Role) {
    self =
      switch role {
      case .listen: .listen
      case .control: .control
      case .own: .own
      }
  }

  /// The role of a connection with these rights; nil if it was never restricted.
  public var role: Role? {
    switch self {
    case .listen: .listen
    case .control: .control
    case .own: .own
    case .all: nil
    }
  }

  /// Throws `denied` if the rights do not include those that `subject`, such as a method in backticks, requires.
  public func require(_ required: Rights, for subject: String) throws(Failure) {
    guard self < required, let role else { return }
    guard let sufficient = required.role else {
      throw Failure(.denied, "\(subject) is only for programs of the user on the machine where segued runs")
    }
    throw Failure(
      .denied, "\(subject) requires the role `\(sufficient.rawValue)`, and this connection has `\(role.rawValue)`")
  }
}
