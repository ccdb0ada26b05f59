"""The declaration of the protocol: its types, methods, objects and topics.

A type is an expression:

  string, boolean, integer, number, count …   a scalar of SCALARS
  integer(1...), number(0...1)                a scalar with limits
  RepeatMode, Status, QueuePlace              an enumeration, an object, a union
  [T], T?, A | B, "word" | …                  an array, a nullable value, alternatives
"""
import difflib
import json
import re

WIDTH = 120

# The types that are neither declared nor composed: the JSON Schema, and the type in Swift.
COUNT = {"type": "integer", "minimum": 0}
SCALARS = {
  "string": ({"type": "string"}, "String"),
  # A URI of a track, a folder or an item, which a restricted client may name only if the user has it.
  "uri": ({"type": "string"}, "String"),
  "boolean": ({"type": "boolean"}, "Bool"),
  # A parameter that may only be given as true.
  "true": ({"type": "boolean", "enum": [True]}, "Void"),
  "integer": ({"type": "integer"}, "Int"),
  "number": ({"type": "number"}, "Double"),
  "count": (COUNT, "Int"),
  # The number of an entry of the queue.
  "id": (COUNT, "UInt64"),
  # The number of a row of the library.
  "rowID": (COUNT, "Int64"),
  # A number that only grows.
  "counter": (COUNT, "UInt64"),
  "amount": (COUNT, "Int64"),
  "seconds": ({"type": "number"}, "MediaTime"),
  "duration": ({"type": "number", "minimum": 0, "maximum": 316224000}, "MediaTime"),
  "speed": ({"type": "number", "minimum": 0.5, "maximum": 3}, "PlaybackSpeed"),
  "monotonicTime": ({"type": "number"}, "MonotonicTime"),
  "unixTime": ({"type": "number"}, "UnixTime"),
}


# The scalars that may have limits.
LIMITED = ("integer", "number")

# What a method, a parameter or a topic requires: a role of the client, or that its connection was never restricted.
RIGHTS = ("listen", "control", "own", "all")

# The names that the parts of the declaration may have.
KEYS = {
  "declaration": {
    "enumerations", "errors", "errorGroups", "parameters", "traits", "unions", "methods", "topics", "objects"},
  "enumeration": {"summary", "otherwise", "words"},
  "word": {"name", "summary"},
  "parameter": {"type", "required", "default", "role", "summary"},
  "trait": {"summary", "extends", "parameters"},
  "union": {"type", "kind"},
  "method": {"aliases", "area", "summary", "parameters", "exclusive", "result", "errors", "saves", "detached", "role"},
  "exclusive": {"name", "type", "of", "required"},
  "topic": {"summary", "type", "role", "optIn"},
  "object": {"summary", "swift", "part", "inline", "handwritten", "defaults", "either", "members"},
  "member": {"type", "include", "swift", "swiftType", "limit", "counts", "value", "default", "summary"},
}


class Fault(Exception):
  """A mistake in the declaration."""


def _check_keys(kind, value):
  """Throws a Fault for a name that a part of the declaration may not have."""
  if isinstance(value, dict):
    for name in value.keys() - KEYS[kind]:
      raise Fault(f"`{name}` is not a name of {kind}s: {', '.join(sorted(KEYS[kind]))}")


def _meant(name, names):
  """Returns the end of a message with the names that were probably meant."""
  near = difflib.get_close_matches(name, names)
  return f"; did you mean {' or '.join(f'`{known}`' for known in near)}?" if near else ""


def _rights(value):
  """Returns the rights that a part of the declaration requires: by default those of everybody."""
  rights = value.get("role", RIGHTS[0])
  if rights not in RIGHTS:
    raise Fault(f"`{rights}` is none of the roles {', '.join(RIGHTS)}")
  return rights


def number(text):
  value = float(text)
  return int(value) if value == int(value) else value


class Type:
  """A parsed type expression."""

  def __init__(self, text, protocol):
    self.text = text.strip()
    self.protocol = protocol
    self.inner = self.element = self.name = self.range = None
    self.alternatives = []
    body = self.text
    if body.endswith(")?"):
      body = body[1:-2] if body.startswith("(") else body[:-1]
      self.inner = Type(body, protocol)
    elif body.endswith("?") and "|" not in body:
      self.inner = Type(body[:-1], protocol)
    elif body.startswith("[") and body.endswith("]"):
      self.element = Type(body[1:-1], protocol)
    elif "|" in body or body.startswith('"'):
      self.alternatives = [part.strip() for part in body.split("|")]
    else:
      match = re.fullmatch(r"([A-Za-z.]+)(?:\((-?[\d.]+?)\.\.\.(-?[\d.]*)\))?", body)
      if not match or not (match[1] in SCALARS or protocol.declares(match[1])):
        raise Fault(f"there is no type `{body}`{_meant(body, [*SCALARS, *protocol.declared_types()])}")
      self.name = match[1]
      if match[2]:
        self.range = (number(match[2]), number(match[3]) if match[3] else None)
        self._check_range()

  def _check_range(self):
    lower, upper = self.range
    if self.name not in LIMITED:
      raise Fault(f"`{self.text}`: only {' and '.join(LIMITED)} have limits")
    if upper is None and self.name == "number":
      raise Fault(f"`{self.text}`: a number needs both limits")
    if upper is not None and upper < lower:
      raise Fault(f"`{self.text}`: the limits are in the wrong order")

  @property
  def is_nullable(self):
    return self.inner is not None

  @property
  def is_enumeration(self):
    return self.name in self.protocol.enumerations

  @property
  def is_union(self):
    return self.name in self.protocol.unions

  @property
  def swift(self):
    """The type in Swift."""
    if self.inner:
      return self.inner.swift + "?"
    if self.element:
      return f"[{self.element.swift}]"
    if self.name is None:
      raise Fault(f"`{self.text}` needs a name in `unions`")
    return SCALARS[self.name][1] if self.name in SCALARS else self.protocol.swift_name(self.name)

  @property
  def holds_uris(self):
    """Whether a value is a URI or a list of URIs."""
    return self.name == "uri" or (self.inner or self.element) is not None and (self.inner or self.element).holds_uris

  def schema(self):
    """Returns the JSON Schema."""
    if self.inner:
      inner = self.inner.schema()
      return {"anyOf": [*inner.get("anyOf", [inner]), {"type": "null"}]}
    if self.element:
      return {"type": "array", "items": self.element.schema()}
    if self.alternatives:
      words = [part.strip('"') for part in self.alternatives if part.startswith('"')]
      types = [Type(part, self.protocol).schema() for part in self.alternatives if not part.startswith('"')]
      return {"anyOf": ([{"enum": words}] if words else []) + types} if types else {"enum": words}
    if self.name in SCALARS:
      schema = dict(SCALARS[self.name][0])
      if self.range:
        schema["minimum"] = self.range[0]
        if self.range[1] is not None:
          schema["maximum"] = self.range[1]
      return schema
    if self.is_enumeration:
      return {"enum": list(self.protocol.enumerations[self.name]["words"])}
    if self.is_union:
      return Type(self.protocol.unions[self.name]["type"], self.protocol).schema()
    value = self.protocol.object(self.name)
    return value.schema() if value.is_inline else {"$ref": f"#/components/schemas/{self.name}"}


class Member:
  """A member of an object in Swift: one or several members on the wire."""

  def __init__(self, name, value, protocol):
    value = {"type": value} if isinstance(value, str) else value
    _check_keys("member", value)
    self.name = name
    self.summary = value.get("summary")
    # The object whose members take the place of this one.
    self.include = value.get("include")
    # An error takes two members: its text, and its template for translation.
    self.is_error = value.get("type") == "error"
    self.type = None if self.include or self.is_error else Type(value["type"], protocol)
    self.property = value.get("swift", name)
    # A kind of values that clients decode, although the schema permits any string.
    self.swift_kind = value.get("swiftType")
    # What limits the length of a list: `length`, `size`, or `count` for a list of numbers.
    self.limit = value.get("limit")
    if self.limit not in (None, "length", "size", "count"):
      raise Fault(f"`{self.limit}` is no limit of a list")
    # The list whose length this member states.
    self.counts = value.get("counts")
    # The expression for a member that is not stored.
    self.value = value.get("value")
    self.has_default = "default" in value
    self.default = value.get("default")
    self._protocol = protocol

  def properties(self):
    """Returns the JSON Schemas of the members on the wire, by their names."""
    if self.include:
      return self._protocol.object(self.include).properties()
    if self.is_error:
      template = {"anyOf": [self._protocol.type("ErrorTemplate").schema(), {"type": "null"}]}
      return {self.name: self._described({"anyOf": [{"type": "string"}, {"type": "null"}]}), "errorTemplate": template}
    return {self.name: self._described(self.type.schema())}

  def _described(self, schema):
    return {"description": self.summary, **schema} if self.summary else schema


class Object:
  """An object of the protocol."""

  def __init__(self, name, value, protocol):
    _check_keys("object", value)
    self.name = name
    self.summary = value.get("summary")
    self.swift = value.get("swift", name)
    # Whether the type in Swift is written by hand.
    self.is_handwritten = value.get("handwritten", False)
    # Whether the object is only a part of others.
    self.is_part = value.get("part", False)
    # Whether the schema is part of those of the members, and has no name in the document.
    self.is_inline = value.get("inline", False)
    # Whether all members have default values.
    self.has_defaults = value.get("defaults", False)
    self._either = Type(value["either"], protocol) if "either" in value else None
    self.members = []
    for key, member in value.get("members", {}).items():
      try:
        self.members.append(Member(key, member, protocol))
      except Fault as fault:
        raise Fault(f"{key}: {fault}") from None
    names = {member.name for member in self.members}
    for member in self.members:
      if member.counts and member.counts not in names:
        raise Fault(f"{member.name}: there is no member `{member.counts}`")

  @property
  def types(self):
    """The types of the members or of the alternatives."""
    return [self._either] if self._either else [member.type for member in self.members]

  def properties(self):
    """Returns the JSON Schemas of the members, by their names."""
    properties = {}
    for member in self.members:
      properties.update(member.properties())
    return properties

  def schema(self):
    if self._either:
      return self._either.schema()
    properties = self.properties()
    return {"type": "object", "required": list(properties), "properties": properties}


class Parameter:
  """A parameter of a method."""

  def __init__(self, name, value, protocol):
    _check_keys("parameter", value)
    self.name = name
    self.type = Type(value["type"], protocol)
    self.summary = value["summary"]
    self.is_required = value.get("required", False)
    self.has_default = "default" in value
    self.default = value.get("default")
    self.rights = _rights(value)
    if self.is_required and self.has_default:
      raise Fault(f"`{name}` is required, and has a default value")
    if self.has_default and not _accepts(self.type.schema(), self.default):
      raise Fault(f"`{name}`: the default value {json.dumps(self.default)} is not permitted")
    if not self.summary:
      raise Fault(f"`{name}` has no summary")


class Method:
  """A method, its parameters and its result."""

  def __init__(self, name, value, protocol):
    _check_keys("method", value)
    self.name = name
    self.protocol = protocol
    # Former names, which stay valid, the oldest one first.
    self.aliases = value.get("aliases", [])
    # The area of the generated files in which the request stands.
    self.area = value.get("area", name.split(".")[0] if "." in name else "player")
    self.summary = value["summary"]
    self.parameters = [
      Parameter(key, {**protocol.shared_parameter(key, given), **given}, protocol)
      for key, given in value.get("parameters", {}).items()
    ]
    # The parameters of which a request contains at most or exactly one.
    self.exclusive = value.get("exclusive")
    if self.exclusive:
      _check_keys("exclusive", self.exclusive)
      for other in self.exclusive["of"]:
        if other not in value.get("parameters", {}):
          raise Fault(f"there is no parameter `{other}`")
    [(self.result_name, result)] = value["result"].items()
    self.result = Type(result, protocol)
    self.errors = protocol.error_kinds(value.get("errors", []))
    self.saves = value.get("saves", False)
    self.is_detached = value.get("detached", False)
    if "role" not in value:
      raise Fault(f"there is no role: {', '.join(RIGHTS)}")
    self.rights = _rights(value)
    if len([parameter for parameter in self.parameters if parameter.type.holds_uris]) > 1:
      raise Fault("only one parameter may have the type `uri` or `[uri]`")
    if not self.summary:
      raise Fault("there is no summary")

  @property
  def needs_rights(self):
    """Whether a request of a restricted client may be denied."""
    return self.rights != RIGHTS[0] or self.uri_parameter or any(one.rights != RIGHTS[0] for one in self.parameters)

  @property
  def uri_parameter(self):
    """The parameter with URIs; None if there is none."""
    return next((parameter for parameter in self.parameters if parameter.type.holds_uris), None)

  def is_exclusive(self, parameter):
    return self.exclusive is not None and parameter.name in self.exclusive["of"]

  @property
  def rule(self):
    """The rule for all parameters together, for people; None if there is none."""
    if self.exclusive is None or len(self.exclusive["of"]) < len(self.parameters):
      return None
    return f"A request contains {'exactly' if self.exclusive['required'] else 'at most'} one of the parameters."


def _accepts(schema, value):
  """Returns whether a schema of a scalar or an enumeration permits a value."""
  if "enum" in schema:
    return value in schema["enum"]
  if schema.get("type") in ("integer", "number"):
    limits = schema.get("minimum", value), schema.get("maximum", value)
    return isinstance(value, (int, float)) and not isinstance(value, bool) and limits[0] <= value <= limits[1]
  return isinstance(value, {"string": str, "boolean": bool}.get(schema.get("type"), object))


def _members(pairs):
  """Returns an object. Throws a Fault if two members have the same name."""
  value = dict(pairs)
  if len(value) < len(pairs):
    names = [name for name, _ in pairs]
    raise Fault(f"`{next(name for name in names if names.count(name) > 1)}` is declared twice")
  return value


def parsed(text):
  """Returns the declaration as it is written."""
  try:
    return json.loads(text, object_pairs_hook=_members)
  except json.JSONDecodeError as error:
    raise Fault(f"Sources/SegueWire/protocol.json: {error}") from None


class Protocol:
  """The whole declaration. Throws a Fault that names a mistake in it."""

  def __init__(self, text):
    value = parsed(text)
    _check_keys("declaration", value)
    for name in KEYS["declaration"] - value.keys():
      raise Fault(f"`{name}` is missing")
    self.enumerations = value["enumerations"]
    self.errors = value["errors"]
    self.unions = value["unions"]
    self._objects = value["objects"]
    self.traits = value["traits"]
    self._parameters = value["parameters"]
    self._error_groups = value["errorGroups"]
    # The kinds of errors are an enumeration, too.
    self.enumerations["Failure.Kind"] = {
      "summary": "The stable names of errors (segue-ipc(7), ERROR KINDS).", "words": dict.fromkeys(self.errors)}
    self.objects = {}
    for name, declared in self._objects.items():
      self.objects[name] = self._located(f"objects.{name}", Object, name, declared)
    self.methods = [self._located(f"methods.{name}", Method, name, method) for name, method in value["methods"].items()]
    self.topics = value["topics"]
    self._validate()

  def _validate(self):
    """Throws a Fault for a mistake that concerns several parts of the declaration."""
    for name, enumeration in self.enumerations.items():
      _check_keys("enumeration", enumeration)
      for word in enumeration["words"].values():
        _check_keys("word", word)
      if enumeration.get("otherwise", next(iter(enumeration["words"]))) not in enumeration["words"]:
        raise Fault(f"enumerations.{name}: `{enumeration['otherwise']}` is not one of the words")
    for name, union in self.unions.items():
      _check_keys("union", union)
      for part in self._located(f"unions.{name}", Type, union["type"]).alternatives:
        self._located(f"unions.{name}", Type, part)
    for trait in self.traits.values():
      _check_keys("trait", trait)
    if list(self.topics) != list(self.enumerations["Topic"]["words"]):
      raise Fault("topics: they are not the words of the enumeration Topic")
    for name, topic in self.topics.items():
      _check_keys("topic", topic)
      self._located(f"topics.{name}", lambda value, _: _rights(value), topic)
      self._located(f"topics.{name}", Type, topic["type"])
    names = [name for method in self.methods for name in [method.name, *method.aliases]]
    for name in names:
      if names.count(name) > 1:
        raise Fault(f"methods.{name}: two methods have this name")

  def _located(self, place, make, *arguments):
    try:
      return make(*arguments, self)
    except Fault as fault:
      raise Fault(f"{place}: {fault}") from None
    except KeyError as error:
      raise Fault(f"{place}: {error} is missing") from None

  def type(self, text):
    """Returns a parsed type expression."""
    return Type(text, self)

  def declared_types(self):
    return [*self.enumerations, *self.unions, *self._objects]

  def declares(self, name):
    return name in self.enumerations or name in self.unions or name in self._objects

  def swift_name(self, name):
    """Returns the name of a declared type in Swift."""
    return self._objects.get(name, {}).get("swift", name)

  def object(self, name):
    """Returns an object, which may be declared after the one that is read."""
    if name not in self._objects:
      raise Fault(f"there is no object `{name}`")
    if name not in self.objects:
      self.objects[name] = Object(name, self._objects[name], self)
    return self.objects[name]

  def shared_parameter(self, name, given):
    """Returns the parameter of this name that several methods have; empty for a parameter with a type of its own."""
    if "type" in given:
      return {}
    if name not in self._parameters:
      raise Fault(f"the parameter `{name}` has no type, and `parameters` does not declare it")
    return self._parameters[name]

  def shared(self, name):
    """Returns a parameter that several methods have."""
    return Parameter(name, self._parameters[name], self)

  def error_kinds(self, names):
    kinds = [kind for name in names for kind in self._error_groups.get(name, [name])]
    for kind in kinds:
      if kind not in self.errors:
        raise Fault(f"there is no kind of errors `{kind}`{_meant(kind, [*self.errors, *self._error_groups])}")
      if kinds.count(kind) > 1 or kind in ("invalid_params", "internal_error"):
        raise Fault(f"the kind of errors `{kind}` is listed twice; every method may return invalid_params and internal_error")
    return kinds


def formatted(text):
  """Returns the declaration with one line for everything that fits."""
  return _formatted(parsed(text), 0, 0) + "\n"


def _formatted(value, indent, before):
  line = json.dumps(value, ensure_ascii=False)
  if not isinstance(value, (dict, list)) or not value or indent > 2 and indent + before + len(line) < WIDTH:
    return line
  inner = "\n" + " " * (indent + 2)
  if isinstance(value, list):
    lines = [""]
    for index, element in enumerate(value):
      word = _formatted(element, indent + 2, 0) + ("," if index < len(value) - 1 else "")
      if lines[-1] and indent + 3 + len(lines[-1]) + len(word) >= WIDTH:
        lines.append("")
      lines[-1] += (" " if lines[-1] else "") + word
    return f"[{inner}{inner.join(lines)}\n{' ' * indent}]"
  members = []
  for name, member in value.items():
    key = json.dumps(name, ensure_ascii=False) + ": "
    members.append(key + _formatted(member, indent + 2, len(key)))
  return "{" + inner + ("," + inner).join(members) + "\n" + " " * indent + "}"
