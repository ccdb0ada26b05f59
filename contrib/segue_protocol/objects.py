"""The objects of the protocol in Swift: structures that encode and decode themselves."""
from . import swift
from .declaration import SCALARS, Fault

# The values of a member that is missing, by the types in Swift.
ZEROS = {
  "String": '""', "Bool": "false", "Int": "0", "Int64": "0", "UInt64": "0", "Double": "0", "MediaTime": ".zero",
  "MonotonicTime": "MonotonicTime(nanoseconds: 0)", "UnixTime": "UnixTime(nanoseconds: 0)", "PlaybackSpeed": ".normal",
}


def sources(protocol):
  """Returns the texts of the files with the objects, by the areas of the first methods that return them."""
  files, areas = {}, _areas(protocol)
  for value in protocol.objects.values():
    if not value.is_handwritten:
      if value.name not in areas:
        raise Fault(f"objects.{value.name}: no method returns it, and no event has it")
      files.setdefault(areas[value.name], []).append("\n".join(_Structure(value, protocol).lines()) + "\n")
  texts = {}
  for name, bodies in files.items():
    texts[name] = "\n".join([swift.HEADER, *swift.imports(bodies), *bodies])
  return texts


def _areas(protocol):
  """Returns the areas of the objects, by their names."""
  areas = {}

  def visit(type, area):
    if type is None:
      return
    for part in [type.inner, type.element, *(protocol.type(text) for text in type.alternatives if '"' not in text)]:
      visit(part, area)
    visit_object(type.name, area)

  def visit_object(name, area):
    if name not in protocol.objects or name in areas:
      return
    areas[name] = area
    value = protocol.objects[name]
    for type in value.types:
      visit(type, area)
    for member in value.members:
      visit_object(member.include, area)

  for method in protocol.methods:
    visit(method.result, method.area)
  for name, topic in protocol.topics.items():
    visit(protocol.type(topic["type"]), name)
  return areas


class _Structure:
  """The structure for an object."""

  def __init__(self, value, protocol):
    self.value = value
    self.protocol = protocol
    self.members = value.members
    self.stored = [member for member in self.members if not member.value]
    outer, _, self.name = value.swift.rpartition(".")
    self.outer = protocol.swift_name(outer) if outer else None
    self.is_failable = is_failable(value.name, protocol)

  def lines(self):
    if not self.value.summary:
      raise Fault(f"objects.{self.value.name} has no summary")
    body = list(self._body())
    if not self.outer:
      return body
    return [f"extension {self.outer} {{", *("  " + line if line else line for line in body), "}"]

  @property
  def indent(self):
    return 2 if self.outer else 0

  def _body(self):
    yield from swift.comment(self.value.summary, 0)
    conformances = "Equatable, Sendable" if self.value.is_part else "Equatable, JSONEncodable"
    if not self.is_failable and not self.value.is_part:
      conformances += ", JSONDecodable"
    yield f"public struct {self.name}: {conformances} {{"
    for member in self.stored:
      yield from swift.comment(member.summary, 2)
      yield f"  public var {swift.identifier(member.property)}: {self._type(member)}"
    if self.stored:
      yield ""
    yield from self._initializer()
    yield ""
    yield from self._encoder()
    yield ""
    yield from self._decoder()
    yield "}"

  def _type(self, member):
    if member.include:
      return self.protocol.swift_name(member.include)
    if member.is_error:
      return "LocalizableMessage?"
    if member.swift_kind:
      return member.swift_kind + ("?" if member.type.is_nullable else "")
    optional = "?" if not member.type.is_nullable and is_failable(member.type.name, self.protocol) else ""
    return member.type.swift + optional

  # MARK: Creating

  def _initializer(self):
    arguments = []
    for member in self.stored:
      name = swift.identifier(member.property)
      if member.counts:
        arguments.append(f"{name}: {self._type(member)}? = nil")
      else:
        default = self._default(member)
        arguments.append(f"{name}: {self._type(member)}" + (f" = {default}" if default else ""))
    if not arguments:
      yield "  public init() {}"
      return
    yield from swift.wrapped("public init(", arguments, ") {", 2)
    for member in self.stored:
      name = swift.identifier(member.property)
      value = f"{name} ?? {self._counted(member)}.count" if member.counts else name
      yield f"    self.{member.property} = {value}"
    yield "  }"

  def _counted(self, member):
    [counted] = [other for other in self.members if other.name == member.counts]
    return counted.property

  def _default(self, member):
    """Returns the default value of an argument; None if it must be given."""
    if not member.has_default:
      return self._zero(member) if self.value.has_defaults else None
    value = member.default
    if value is None:
      return "nil"
    if value == {}:
      return f"{self._type(member)}()"
    if value == []:
      return "[]"
    return swift.literal(member.type, value)

  def _zero(self, member):
    if member.include:
      return f"{self._type(member)}()"
    if member.is_error or member.type.is_nullable:
      return "nil"
    if member.type.element:
      return "[]"
    return self._fallback(member.type)

  def _fallback(self, type):
    """Returns the value for one that is missing or unknown."""
    if type.is_enumeration:
      enumeration = self.protocol.enumerations[type.name]
      if "otherwise" not in enumeration:
        raise Fault(f"enumerations.{type.name} does not say what an unknown word counts as")
      return "." + swift.case_name(enumeration["otherwise"], enumeration["words"][enumeration["otherwise"]])
    return ZEROS[type.swift]

  # MARK: Encoding

  def _encoder(self):
    if self._is_included():
      # The members are written by the objects that include this one, too.
      if not self.value.is_part:
        yield "  public func encode(into json: inout JSONWriter) {"
        yield from self._room()
        yield "    json.beginObject()"
        yield f"    encodeMembers(into: &json{self._room_argument()})"
        yield "    json.endObject()"
        yield "  }"
        yield ""
      yield from self._member_encoder()
      return
    yield "  public func encode(into json: inout JSONWriter) {"
    yield from self._room()
    yield "    json.beginObject()"
    yield from self._member_statements()
    yield "    json.endObject()"
    yield "  }"

  def _member_encoder(self):
    yield "  /// Writes the members of an object that has further ones."
    room = ", within room: inout Int" if has_limits(self.value, self.protocol) else ""
    yield f"  func encodeMembers(into json: inout JSONWriter{room}) {{"
    yield from self._member_statements()
    yield "  }"

  def _is_included(self):
    return any(member.include == self.value.name for other in self.protocol.objects.values() for member in other.members)

  def _room(self):
    if has_limits(self.value, self.protocol):
      yield "    var room = ResponseLimits.listBytes"

  def _room_argument(self):
    return ", within: &room" if has_limits(self.value, self.protocol) else ""

  def _member_statements(self):
    for member in self.members:
      name = swift.identifier(member.property)
      if member.include:
        room = ", within: &room" if has_limits(self.protocol.object(member.include), self.protocol) else ""
        yield f"    {name}.encodeMembers(into: &json{room})"
      elif member.is_error:
        yield f"    json.errorMembers({name})"
      else:
        yield f'    json.member("{member.name}", {self._written(member, member.value or name)})'

  def _written(self, member, value):
    if member.limit == "length":
      return f"{value}.prefix(ResponseLimits.listLength), within: &room"
    if member.limit == "count":
      return f"{value}.prefix(ResponseLimits.listLength)"
    if member.limit:
      return f"{value}, within: &room"
    if member.value:
      return value
    type = member.type.inner or member.type
    optional = "?" if member.type.is_nullable else ""
    if member.swift_kind or type.is_enumeration:
      return f"{value}{optional}.rawValue"
    if type.element and type.element.is_enumeration:
      return f"{value}{optional}.map(\\.rawValue)"
    if type.swift == "PlaybackSpeed":
      return f"{value}{optional}.factor"
    return value

  # MARK: Decoding

  def _decoder(self):
    if not self.stored:
      yield "  public init(_ json: JSON?) {}"
      return
    yield f"  public init{'?' if self.is_failable else ''}(_ json: JSON?) {{"
    if self.is_failable:
      yield "    guard"
      conditions = [
        f'let {member.property} = {self._read(member)}'
        for member in self.stored if is_unknowable(member.type, self.protocol)]
      yield from (f"      {line}{',' if index < len(conditions) - 1 else ''}" for index, line in enumerate(conditions))
      yield "    else { return nil }"
    for member in self.stored:
      name = member.property
      if self.is_failable and not member.include and not member.is_error and is_unknowable(member.type, self.protocol):
        yield f"    self.{name} = {swift.identifier(name)}"
      else:
        own = "self." if name in swift.RESERVED else ""
        yield f"    {own}{name} = {self._read(member)}"
    yield "  }"

  def _read(self, member):
    json = f'json?["{member.name}"]'
    if member.include:
      return f"{self._type(member)}(json)"
    if member.is_error:
      return "LocalizableMessage(errorOf: json)"
    if member.counts:
      return f"{json}?.int ?? {self._counted(member)}.count"
    if member.swift_kind:
      return f"{json}?.word({member.swift_kind}.self)"
    if member.type.is_nullable:
      return self._read_optional(member.type.inner, json, member.name)
    if member.type.element:
      return self._read_list(member.type.element, json, member.name)
    if member.type.name in self.protocol.objects or member.type.name and member.type.swift not in ZEROS \
        and not member.type.is_enumeration:
      return f"{member.type.swift}({json})"
    if member.type.is_enumeration and is_unknowable(member.type, self.protocol):
      return f"{json}?.word({member.type.swift}.self)"
    fallback = self._fallback(member.type)
    if member.has_default and member.default not in (None, {}, []):
      fallback = swift.literal(member.type, member.default)
    return f"{self._read_optional(member.type, json, member.name)} ?? {fallback}"

  def _read_optional(self, type, json, name):
    if type.element:
      element = type.element
      if element.is_enumeration:
        # A word that only a later version has is left out.
        return f"{json}?.array {{ $0.string }}?.compactMap({element.swift}.init(rawValue:))"
      return f"{json}?.array {{ {_element(element, '$0')} }}"
    if type.is_enumeration:
      return f"{json}?.word({type.swift}.self)"
    if type.name in SCALARS:
      return f"{json}?.{swift.ACCESSORS[type.swift]}"
    if is_failable(type.name, self.protocol):
      return f"{json}.flatMap({type.swift}.init)"
    return f'json?.member("{name}")'

  def _read_list(self, element, json, name):
    if element.is_enumeration:
      return f'json?.words("{name}") ?? []'
    if element.swift == "String":
      return f'json?.strings("{name}") ?? []'
    if element.name in SCALARS:
      return f"{json}?.array {{ {_element(element, '$0')} }} ?? []"
    if is_failable(element.name, self.protocol):
      return f"{json}?.elements?.compactMap({element.swift}.init) ?? []"
    return f'json?.list("{name}") ?? []'


def _element(type, json):
  if type.name in SCALARS:
    return f"{json}.{swift.ACCESSORS[type.swift]}"
  return f"{type.swift}({json})"


def is_unknowable(type, protocol):
  """Returns whether a value may be unknown to a client and counts as nothing then."""
  return type.is_enumeration and "otherwise" not in protocol.enumerations[type.name]


def is_failable(name, protocol):
  """Returns whether decoding an object fails if a later version has added the word that says what it is."""
  value = protocol.objects.get(name)
  if value is None or value.is_handwritten:
    return False
  return any(member.type and not member.value and is_unknowable(member.type, protocol) for member in value.members)


def has_limits(value, protocol):
  """Returns whether an object has lists that share the room of a response."""
  return any(
    member.limit in ("length", "size") or member.include and has_limits(protocol.object(member.include), protocol)
    for member in value.members)
