"""The list of objects with which tests compare encoders and decoders with the document."""
from . import swift


def source(protocol):
  """Returns a Swift file with the decoders of the objects, by their names in the document."""
  lines = [
    swift.HEADER, "import SegueWire", "",
    *swift.comment("The decoders of the objects of the protocol, by their names in the document. A decoder returns nil if a "
                   "later version has added the word that says what the object is."),
    "let objectDecoders: [String: @Sendable (JSON) -> (any JSONEncodable)?] = [",
  ]
  for value in protocol.objects.values():
    if not value.is_inline and not value.is_part:
      lines.append(f'  "{value.name}": {{ {value.swift}($0) }},')
  return "\n".join([*lines, "]", ""])
