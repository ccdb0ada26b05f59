"""The enumerations of the protocol in Swift."""
from . import swift
from .declaration import Fault


def source(protocol):
  """Returns a file with all enumerations. Those with a dot in their names are nested."""
  parts = [swift.HEADER]
  for name, value in protocol.enumerations.items():
    outer, _, inner = name.rpartition(".")
    indent = 2 if outer else 0
    lines = _lines(inner, value, indent)
    if name == "Failure.Kind":
      lines[-1:-1] = _codes(protocol)
    if outer:
      lines = [f"extension {protocol.swift_name(outer)} {{", *lines, "}"]
    parts.append("\n".join(lines) + "\n")
  return "\n".join(parts)


def _lines(name, value, indent):
  if not value["summary"]:
    raise Fault(f"enumerations.{name} has no summary")
  pad = " " * indent
  lines = swift.comment(value["summary"], indent)
  lines.append(f"{pad}public enum {name}: String, Sendable, CaseIterable {{")
  for word, declared in value["words"].items():
    summary = declared.get("summary") if isinstance(declared, dict) else declared
    case = swift.case_name(word, declared)
    lines += swift.comment(summary, indent + 2)
    raw = f' = "{word}"' if case != word else ""
    lines.append(f"{pad}  case {swift.identifier(case)}{raw}")
  return lines + [pad + "}"]


def _codes(protocol):
  lines = ["", *swift.comment(
    "The code of JSON-RPC for the standard kinds, and a small positive number for the kinds of this protocol.", 4)]
  lines += ["    public var code: Int {", "      switch self {"]
  lines += [f"      case .{swift.camel(kind)}: {code}" for kind, code in protocol.errors.items()]
  return lines + ["      }", "    }"]
