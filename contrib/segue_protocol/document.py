"""The OpenRPC document that `rpc.discover` returns."""
import json
import re

from . import swift
from .declaration import RIGHTS

DESCRIPTION = "JSON-RPC 2.0 over a Unix stream socket, one message per line. See segue-ipc(7)."


def document(protocol):
  """Returns the OpenRPC 1.2.6 document without the version of the program. OpenRPC does not define notifications of a
  server; they are described in an extension, `x-events`. Another one, `x-aliases`, has former names of methods, and `x-role`
  says which role a restricted client needs ("Rights" in segue-ipc(7))."""
  named = [value for value in protocol.objects.values() if not value.is_inline and not value.is_part]
  return {
    "openrpc": "1.2.6",
    "info": {"title": "Segue", "version": VERSION, "description": DESCRIPTION},
    "methods": [_method(method) for method in protocol.methods],
    "x-events": [_event(name, topic, protocol) for name, topic in protocol.topics.items()],
    "components": {
      "schemas": {value.name: value.schema() for value in named},
      "errors": {
        kind: {"code": code, "message": kind.replace("_", " "), "data": _error_data(kind)}
        for kind, code in protocol.errors.items()
      },
    },
  }


def _error_data(kind):
  return {"kind": kind, "retryAfter": None} if kind == "rate_limited" else {"kind": kind}


# The place of the program's version.
VERSION = "\\#(version)"


def _method(method):
  kinds = ["invalid_params", *method.errors, "internal_error"]
  if method.needs_rights and "denied" not in kinds:
    kinds.insert(-1, "denied")
  return {
    "name": method.name,
    **({"x-aliases": method.aliases} if method.aliases else {}),
    "summary": method.summary,
    "x-role": method.rights,
    **({"description": method.rule} if method.rule else {}),
    "paramStructure": "either",
    "params": [_parameter(parameter) for parameter in method.parameters],
    "result": {"name": method.result_name, "schema": method.result.schema()},
    "errors": [{"$ref": f"#/components/errors/{kind}"} for kind in kinds],
  }


def _parameter(parameter):
  schema = parameter.type.schema()
  if parameter.has_default:
    schema["default"] = parameter.default
  return {
    "name": parameter.name,
    "summary": parameter.summary,
    "required": parameter.is_required,
    **({"x-role": parameter.rights} if parameter.rights != RIGHTS[0] else {}),
    "schema": schema,
  }


def _event(name, topic, protocol):
  return {
    "name": "event",
    "topic": name,
    "x-role": topic.get("role", RIGHTS[0]),
    **({"x-optIn": True} if topic.get("optIn", False) else {}),
    "summary": topic["summary"],
    "params": {
      "type": "object",
      "required": ["topic", "seq", "data"],
      "properties": {
        "topic": {"enum": [name]},
        "seq": {"description": "Incremented by one with every event of the connection.", "type": "integer", "minimum": 0},
        "data": {"description": "The whole new state of the topic.", **protocol.type(topic["type"]).schema()},
      },
    },
  }


def source(protocol):
  """Returns a Swift file with the document as text: one line for each method, topic and object."""
  value = document(protocol)
  lines = []
  _write(value, "", "", lines, 2)
  text = " \\#\n".join("    " + line if line else line for line in lines)
  return f'''{swift.HEADER}
// swift-format-ignore-file

/// The OpenRPC document of the protocol as JSON: the result of `rpc.discover`.
enum ProtocolDocument {{
  /// Returns the document of the program with this version.
  static func text(version: String) -> String {{
    #"""
{text}
    """#
  }}
}}
'''


def _write(value, before, after, lines, depth):
  """Appends the lines of a value. Down to `depth`, every member has a line."""
  if depth == 0 or not isinstance(value, (dict, list)):
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    lines.append(before + text.replace('"\\\\#(version)"', '"\\#(version)"') + after)
    return
  opening, closing = "{}" if isinstance(value, dict) else "[]"
  lines.append(before + opening)
  items = list(value.items()) if isinstance(value, dict) else [(None, element) for element in value]
  for index, (name, member) in enumerate(items):
    key = json.dumps(name) + ":" if name is not None else ""
    _write(member, key, "," if index < len(items) - 1 else "", lines, depth - 1)
  lines.append(closing + after)


def changed_summaries(before, after):
  """Returns the names of the methods that are in both texts of the document, with different summaries."""
  old, new = (dict(re.findall(r'\{"name":"([\w.]+)","summary":"((?:[^"\\]|\\.)*)"', text)) for text in (before, after))
  return [name for name, summary in new.items() if old.get(name, summary) != summary]
