"""The skeleton of METHODS and OBJECTS in segue-ipc(7): what the declaration has and the page lacks.

A person may say more about an item that was inserted; it is never written again. The methods of each role are.
"""
import re
import textwrap

from .declaration import COUNT, RIGHTS, Fault

# What stands before and after the methods of each role.
RIGHTS_BEGIN = '.\\" The methods of each role, from the declaration of the protocol.'
RIGHTS_END = '.\\" The end of the methods.'


def completed(page, protocol):
  """Returns the manual page with an item for every method, object and member that it lacks. An item is inserted after that of
  the one before it in the declaration."""
  lines = page.split("\n")
  shared = set(re.findall(r"^\.It Fa (\w+)", page[page.index(".Ss Common parameters"):page.index(".Ss Playback\n")], re.M))
  before = None
  for method in protocol.methods:
    if _index(lines, _heading("Ic", method.name)) is None:
      _insert_after_item(lines, _heading("Ic", before), _method(method, shared))
    before = method.name
  before = None
  for value in protocol.objects.values():
    if value.is_inline or value.is_part:
      continue
    start = _index(lines, _heading("Vt", value.name))
    if start is None:
      _insert_after_item(lines, _heading("Vt", before), _object(value))
    else:
      _insert_members(lines, start, value, protocol)
    before = value.name
  lines[lines.index(RIGHTS_BEGIN) + 1:lines.index(RIGHTS_END)] = _methods_of_roles(protocol)
  return "\n".join(lines)


def _methods_of_roles(protocol):
  """Returns the items with the methods and parameters that each role adds, and those that no restricted client may use."""
  lines, words = [], protocol.enumerations["Role"]["words"]
  for rights in RIGHTS:
    if rights in words:
      lines.append(f".It Cm {rights}")
      lines += [line for sentence in _sentences(words[rights]) for line in textwrap.wrap(sentence, 80)]
    else:
      lines += [".It none", "Only programs of the user may use these."]
    names = [method.name for method in protocol.methods if method.rights == rights]
    names += [
      f"{parameter.name} of {method.name}" for method in protocol.methods for parameter in method.parameters
      if parameter.rights == rights != RIGHTS[0]]
    # A comma stays on the line of the name before it.
    text = " ".join(f"{name}\0," for name in names)[:-1] + "."
    lines += [".Ic " + line.replace("\0", " ") for line in textwrap.wrap(text, 76)]
  return lines


def _heading(macro, name):
  """Returns the pattern of the first line of an item, or of the second if the heading has several."""
  return rf"\.(It )?{macro} ([\w.]+ , )*{re.escape(name or '')}( |$)"


def _index(lines, pattern):
  """Returns the index of an item; None if there is none."""
  for index, line in enumerate(lines):
    if line.startswith(".It "):
      heading = lines[index + 1] if line == ".It Xo" else line
      if re.match(pattern, heading):
        return index
  return None


def _end_of_item(lines, start):
  """Returns the index after the item that begins at `start`."""
  depth, index = 0, start + 1
  while depth > 0 or not re.match(r"\.(It|El)\b", lines[index]):
    depth += 1 if lines[index].startswith(".Bl") else -1 if lines[index].startswith(".El") else 0
    index += 1
  return index


def _insert_after_item(lines, pattern, item):
  start = _index(lines, pattern)
  if start is None:
    raise Fault(f"contrib/man/segue-ipc.7 has no place for: {item[0]}")
  end = _end_of_item(lines, start)
  lines[end:end] = item


def _insert_members(lines, start, value, protocol):
  end = _end_of_item(lines, start)
  text = "\n".join(lines[start:end])
  names = re.findall(r"^\.It Va (.*)$", text, re.M)
  known = {name for line in names for name in line.split(" , ")}
  inherited = re.search(r"^The members of\n\.Vt (\w+)", text, re.M)
  if inherited:
    known |= set(protocol.objects[inherited[1]].properties())
  items = [line for member in value.members for line in _member(member, known, protocol)]
  if not items:
    return
  if not names:
    raise Fault(f"contrib/man/segue-ipc.7: {value.name} has no list of members for: {items[0]}")
  closing = max(index for index in range(start, end) if lines[index] == ".El")
  lines[closing:closing] = items


def _member(member, known, protocol):
  if member.include:
    return [line for part in protocol.object(member.include).members for line in _member(part, known, protocol)]
  names = list(member.properties())
  missing = [name for name in names if name not in known]
  if not missing:
    return []
  return [f".It Va {' , '.join(missing)}", *_sentences(member.summary or "", _words(member.type)), *_references(member.type)]


def _object(value):
  items = [line for member in value.members for line in _member(member, set(), member._protocol)]
  return [f".It Vt {value.name}", *_sentences(value.summary), ".Bl -tag -width Ds -compact", *items, ".El"]


def _method(method, shared):
  names = [parameter.name for parameter in method.parameters]
  lines = [f".It Ic {method.name}" + (f" Pq Fa {' , '.join(names)}" if names else "")]
  lines += _sentences(method.summary)
  lines += _result(method.result)
  own = [parameter for parameter in method.parameters if parameter.name not in shared]
  if own:
    lines.append(".Bl -tag -width Ds -compact")
    for parameter in own:
      lines.append(f".It Fa {parameter.name} Pq {_rule(parameter)}")
      lines += _sentences(parameter.summary, _words(parameter.type))
    lines.append(".El")
  if method.rule:
    lines += [".Pp", "Exactly one parameter must be given." if "exactly" in method.rule else "Of the parameters, at most one may be given."]
  if method.errors:
    lines += [".Pp", "Errors:" if len(method.errors) > 1 else "Error:", f".Er {' , '.join(method.errors)} ."]
  return lines


def _result(type):
  value = type.protocol.objects.get(type.name)
  if value is not None and value.is_inline:
    names = list(value.properties())
    if not names:
      return ["Returns an empty object."]
    return ["Returns an object with", f".Va {' , '.join(names)} ."]
  return ["Returns an" if type.name[0] in "AEIOU" else "Returns a", f".Vt {type.name} ."]


def _rule(parameter):
  text = _type(parameter.type)
  if parameter.is_required:
    text += ", required"
  elif parameter.has_default:
    default = parameter.default
    text += f", default {str(default).lower() if isinstance(default, bool) else default}"
  return text


def _type(type, plural=False):
  ending = "s" if plural else ""
  if type.inner:
    return f"{_type(type.inner)} or null"
  if type.element:
    return f"array{ending} of {_type(type.element, plural=True)}"
  schema = type.schema()
  if "anyOf" in schema:
    kinds = ["string" if "enum" in part else part["type"] for part in schema["anyOf"]]
    return " or ".join(dict.fromkeys(kinds))
  if "enum" in schema and "type" not in schema:
    return "string" + ending
  limits = ", 0 or more" if schema == COUNT and not plural else ""
  return schema["type"] + ending + limits


def _words(type):
  """Returns the fixed words that a type permits."""
  if type is None:
    return []
  if type.inner or type.element:
    return _words(type.inner or type.element)
  if type.is_union:
    return _words(type.protocol.type(type.protocol.unions[type.name]["type"]))
  if type.is_enumeration:
    return list(type.protocol.enumerations[type.name]["words"])
  return [part.strip('"') for part in type.alternatives if part.startswith('"')]


def _references(type):
  """Returns the line that names the object that a member is or contains."""
  while type is not None and (type.inner or type.element):
    type = type.inner or type.element
  value = type and type.protocol.objects.get(type.name)
  return [f".Vt {type.name}"] if value and not value.is_inline else []


def _sentences(text, words=()):
  """Returns the lines of a text: each sentence begins a line, and so does what is in backticks."""
  lines = []
  for part in re.split(r"(`[^`]*`[.,:;]?)", text):
    quoted = re.fullmatch(r"`([^`]*)`([.,:;]?)", part)
    if quoted:
      macro = "Cm" if quoted[1] in words else "Ql"
      lines.append(f".{macro} {quoted[1]}" + (f" {quoted[2]}" if quoted[2] else ""))
    else:
      lines += [line.strip() for line in re.sub(r"([.;:]) (?=[A-Z])", r"\1\n", part).split("\n") if line.strip()]
  unnamed = [word for word in dict.fromkeys(words) if f".Cm {word}" not in " ".join(lines)]
  if unnamed:
    lines.append(f".Cm {' , '.join(unnamed)}")
  return lines
