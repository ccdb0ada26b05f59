"""The events of the protocol in Swift."""
from . import swift
from .declaration import RIGHTS


def source(protocol):
  """Returns a file with the enumeration of the events, a case for every topic."""
  lines = [
    swift.HEADER, "/// An event: the new state of a topic.", "public enum ProtocolEvent: Equatable, Sendable {",
  ]
  for name, topic in protocol.topics.items():
    lines += swift.comment(topic["summary"], 2)
    lines.append(f"  case {swift.identifier(name)}({protocol.type(topic['type']).swift})")
  lines += [
    "", "  /// Decodes the parameters of an event. Returns nil for a topic that only a later version has.",
    "  public init?(_ parameters: JSON) {", '    guard let data = parameters["data"] else { return nil }',
    '    switch parameters["topic"]?.word(Topic.self) {',
  ]
  for name, topic in protocol.topics.items():
    lines.append(f"    case .{name}: self = .{name}({protocol.type(topic['type']).swift}(data))")
  lines += ["    case nil: return nil", "    }", "  }", "}", ""]
  lines += ["extension Topic {", "  /// What a client needs to subscribe to the topic.", "  public var rights: Rights {", "    switch self {"]
  for rights in RIGHTS:
    names = [f".{name}" for name, topic in protocol.topics.items() if topic.get("role", RIGHTS[0]) == rights]
    if names:
      lines.append(f"    case {', '.join(names)}: .{rights}")
  lines += ["    }", "  }", ""]
  names = [f".{name}" for name, topic in protocol.topics.items() if topic.get("optIn", False)]
  lines += [
    "  /// The topics to which a client that names none subscribes, if it has the rights.",
    f"  public static let standard = Topic.allCases.filter {{ ![{', '.join(names)}].contains($0) }}", "}", "",
  ]
  return "\n".join(lines)
