"""The requests of the protocol in Swift: a structure for every method, which decodes, validates and encodes itself."""
from . import swift
from .declaration import COUNT, RIGHTS, SCALARS, Type


def sources(protocol):
  """Returns the texts of the files with the requests, by the areas of the methods."""
  areas = {}
  for method in protocol.methods:
    areas.setdefault(method.area, []).append(Request(method))
  texts = {}
  for area, requests in areas.items():
    bodies = ["\n".join(request.lines()) + "\n" for request in requests]
    texts[area] = "\n".join([swift.HEADER, *swift.imports(bodies), *bodies])
  return texts


def trait_source(protocol):
  """Returns a file with the Swift protocols of the requests that have parameters in common."""
  bodies = ["\n".join(_trait(name, trait, protocol)) + "\n" for name, trait in protocol.traits.items()]
  return "\n".join([swift.HEADER, *swift.imports(bodies), *bodies])


def _trait(name, trait, protocol):
  yield from swift.comment(trait["summary"])
  yield f"public protocol {name}<Result>: {trait.get('extends', 'ProtocolRequest')} {{"
  for parameter in trait["parameters"]:
    kind = protocol.shared(parameter)
    yield f"  var {swift.identifier(parameter)}: {property_type(kind)} {{ get set }}"
  yield "}"


def property_type(parameter):
  """Returns the type of the property for a parameter; a parameter that may be missing is optional."""
  type = parameter.type.swift
  return type if parameter.is_required or parameter.has_default else type + "?"


class Request:
  """The structure for the requests of a method."""

  def __init__(self, method):
    self.method = method
    self.name = swift.pascal(method.name) + "Request"

  def lines(self):
    method = self.method
    yield from swift.comment(method.summary)
    if not method.parameters:
      yield f"public struct {self.name}: PlainRequest {{"
      yield f"  public typealias Result = {method.result.swift}"
      yield ""
      yield from self._description()
      yield ""
      yield "  public init() {}"
      yield "}"
      return
    yield f"public struct {self.name}: {self._protocols()}, Equatable {{"
    yield f"  public typealias Result = {method.result.swift}"
    yield ""
    if method.exclusive:
      yield from self._alternatives()
    for parameter in method.parameters:
      if method.is_exclusive(parameter):
        if parameter.name == method.exclusive["of"][0]:
          yield f"  public var {method.exclusive['name']}: {self._exclusive_type()}"
      else:
        yield from swift.comment(parameter.summary, 2)
        yield f"  public var {swift.identifier(parameter.name)}: {property_type(parameter)}"
    yield ""
    yield from self._initializer()
    yield ""
    yield from self._description()
    yield ""
    yield from self._decoder()
    yield ""
    yield from self._encoder()
    if method.uri_parameter:
      yield ""
      yield f"  public var namedURIs: [String] {{ {self._named_uris()} }}"
    yield "}"

  def _named_uris(self):
    """Returns the expression for the URIs in the request."""
    method, parameter = self.method, self.method.uri_parameter
    name = swift.identifier(parameter.name)
    if method.is_exclusive(parameter):
      optional = "" if method.exclusive["required"] else "?"
      value = "value" if parameter.type.element else "[value]"
      return f"if case .{name}(let value){optional} = {method.exclusive['name']} {{ {value} }} else {{ [] }}"
    if parameter.type.element:
      return name if parameter.is_required else f"{name} ?? []"
    return f"[{name}]" if parameter.is_required else f"{name}.map {{ [$0] }} ?? []"

  def _protocols(self):
    names = {parameter.name for parameter in self.method.parameters}
    traits = self.method.protocol.traits
    fitting = []
    for name, trait in traits.items():
      inherited = traits[trait["extends"]]["parameters"] if "extends" in trait else []
      if names.issuperset(trait["parameters"] + inherited):
        fitting = [other for other in fitting if other != trait.get("extends")] + [name]
    return ", ".join(fitting or ["ProtocolRequest"])

  def _exclusive_type(self):
    return self.method.exclusive["type"] + ("" if self.method.exclusive["required"] else "?")

  def _alternatives(self):
    """Yields the enumeration of the parameters that exclude each other."""
    yield f"  /// {'Exactly' if self.method.exclusive['required'] else 'At most'} one of these parameters."
    yield f"  public enum {self.method.exclusive['type']}: Equatable, Sendable {{"
    for parameter in self.method.parameters:
      if self.method.is_exclusive(parameter):
        value = "" if parameter.type.name == "true" else f"({parameter.type.swift})"
        yield from swift.comment(parameter.summary, 4)
        yield f"    case {swift.identifier(parameter.name)}{value}"
    yield "  }"
    yield ""

  def _initializer(self):
    method, arguments, names = self.method, [], []
    for parameter in method.parameters:
      name = swift.identifier(parameter.name)
      if method.is_exclusive(parameter):
        if method.exclusive["name"] not in names:
          names.append(method.exclusive["name"])
          default = "" if method.exclusive["required"] else " = nil"
          arguments.append(f"_ {names[-1]}: {self._exclusive_type()}{default}")
        continue
      default = " = nil"
      if parameter.is_required:
        default = ""
      elif parameter.has_default:
        default = " = " + swift.literal(parameter.type, parameter.default)
      names.append(name)
      arguments.append(f"{name}: {property_type(parameter)}{default}")
    yield from swift.wrapped("public init(", arguments, ") {", 2)
    yield from (f"    self.{name} = {name}" for name in names)
    yield "  }"

  def _description(self):
    method = self.method
    facts = [f'"{method.name}"', f"rights: .{method.rights}"]
    if method.aliases:
      facts.append("aliases: [" + ", ".join(f'"{alias}"' for alias in method.aliases) + "]")
    if method.saves:
      facts.append("savesState: true")
    if method.is_detached:
      facts.append("isDetached: true")
    errors = ", ".join(f".{swift.camel(kind)}" for kind in method.errors)
    head = "public static let method = MethodDescription("
    if not method.parameters:
      yield from swift.wrapped(head, facts + ([f"errors: [{errors}]"] if errors else []), ")", 2)
      return
    yield f"  {head}"
    yield f"    {', '.join(facts)},"
    end = "]," if errors else "])"
    parameters = [
      f'.init("{parameter.name}", {expected(parameter.type)}'
      + (f", rights: .{parameter.rights})" if parameter.rights != RIGHTS[0] else ")")
      for parameter in method.parameters
    ]
    if len(parameters) == 1:
      yield f"    parameters: [{parameters[0]}{end}"
    else:
      yield "    parameters: ["
      yield from (f"      {parameter}," for parameter in parameters)
      yield f"    {end}"
    if errors:
      yield from swift.wrapped("errors: [", errors.split(", "), "])", 4)

  def _decoder(self):
    method = self.method
    yield "  public init(_ values: RequestParameters) throws(Failure) {"
    for index, parameter in enumerate(method.parameters):
      annotation = ": Void?" if parameter.type.name == "true" else ""
      yield f"    let {swift.identifier(parameter.name)}{annotation} = try values.read({index}) {{ {reading(parameter.type, '$0')} }}"
    for index, parameter in enumerate(method.parameters):
      name = swift.identifier(parameter.name)
      if method.is_exclusive(parameter):
        continue
      value = name
      if parameter.is_required:
        value = f"try values.require({name}, {index})"
      elif parameter.has_default:
        value = f"{name} ?? {swift.literal(parameter.type, parameter.default)}"
      yield f"    self.{name} = {value}"
    if method.exclusive:
      yield from self._exclusive_decoder()
    yield "  }"

  def _exclusive_decoder(self):
    method, type = self.method, self.method.exclusive["type"]
    function = "exactlyOne" if method.exclusive["required"] else "atMostOne"
    indices, values = [], []
    for index, parameter in enumerate(method.parameters):
      if method.is_exclusive(parameter):
        name = swift.identifier(parameter.name)
        indices.append(str(index))
        values.append(
          f"{name}.map {{ {type}.{name} }}" if parameter.type.name == "true" else f"{name}.map({type}.{name.strip('`')})")
    head = f"self.{method.exclusive['name']} = try values.{function}("
    yield from swift.wrapped(head, [f"of: [{', '.join(indices)}]", *values], ")", 4)

  def _encoder(self):
    method, seen = self.method, False
    yield "  public func encode(into json: inout JSONWriter) {"
    yield "    json.beginObject()"
    for parameter in method.parameters:
      name = swift.identifier(parameter.name)
      statement = writing(parameter.type, parameter.name, name)
      if method.is_exclusive(parameter):
        if not seen:
          yield from self._exclusive_encoder()
        seen = True
      elif parameter.is_required:
        yield "    " + statement
      elif parameter.has_default and parameter.default is None:
        yield f"    if let {name} {{ {writing(parameter.type.inner, parameter.name, name)} }}"
      elif parameter.has_default:
        default = swift.literal(parameter.type, parameter.default)
        condition = {"true": f"!{name}", "false": name}.get(default, f"{name} != {default}")
        yield f"    if {condition} {{ {statement} }}"
      else:
        yield f"    if let {name} {{ {statement} }}"
    yield "    json.endObject()"
    yield "  }"

  def _exclusive_encoder(self):
    method = self.method
    yield f"    switch {method.exclusive['name']} {{"
    optional = "" if method.exclusive["required"] else "?"
    for parameter in method.parameters:
      if method.is_exclusive(parameter):
        name = swift.identifier(parameter.name).strip("`")
        if parameter.type.name == "true":
          yield f'    case .{name}{optional}: json.member("{parameter.name}", true)'
        else:
          yield f"    case .{name}(let value){optional}: {writing(parameter.type, parameter.name, 'value')}"
    if optional:
      yield "    case nil: break"
    yield "    }"


def reading(type, json):
  """Returns an expression for the value of `json`. It is nil if the value is of another type."""
  if type.inner:
    return f"{json}.nullable {{ {reading(type.inner, '$0')} }}"
  if type.element:
    return f"{json}.array {{ {reading(type.element, '$0')} }}"
  if type.is_enumeration:
    return f"{json}.word({type.swift}.self)"
  if type.is_union:
    return f"{type.swift}({json})"
  accessor = swift.ACCESSORS[type.swift]
  schema = type.schema()
  if type.name in ("speed", "seconds") or "minimum" not in schema or accessor == "unsigned":
    return f"{json}.{accessor}"
  return f"{json}.{accessor}(in: {bounds(schema)})"


def bounds(schema):
  """Returns the limits of a schema as a range of Swift."""
  return f"{schema['minimum']}..." + (swift.grouped(schema["maximum"]) if "maximum" in schema else "")


def expected(type):
  """Returns the expression of a `ValueKind`, which describes the permitted values to people."""
  if type.inner:
    return f".nullable({expected(type.inner)})"
  if type.element:
    return f".array(of: {expected(type.element)})"
  if type.alternatives:
    words = [part for part in type.alternatives if part.startswith('"')]
    kinds = [f".choice([{', '.join(words)}])"] if words else []
    kinds += [expected(Type(part, type.protocol)) for part in type.alternatives if not part.startswith('"')]
    text = kinds[-1]
    for kind in reversed(kinds[:-1]):
      text = f".either({kind}, {text})"
    return text
  if type.is_union:
    union = type.protocol.unions[type.name]
    return f".{union['kind']}" if "kind" in union else expected(Type(union["type"], type.protocol))
  if type.is_enumeration:
    return f".choice(of: {type.swift}.self)"
  if type.name == "true":
    return ".isTrue"
  schema = type.schema()
  if schema["type"] in ("string", "boolean"):
    return "." + schema["type"]
  if schema == COUNT:
    return ".count"
  if "minimum" not in schema:
    return f".{schema['type']}(nil)"
  unlimited = "Double.infinity" if schema["type"] == "number" else "Int64.max"
  upper = swift.grouped(schema["maximum"]) if "maximum" in schema else unlimited
  return f".{schema['type']}({schema['minimum']}...{upper})"


def writing(type, name, value):
  """Returns a statement that writes the member `name`."""
  if type.element:
    is_plain = type.element.name in SCALARS or type.element.is_union
    return f'json.member("{name}", {value})' if is_plain else f'json.member("{name}", {value}.map(\\.rawValue))'
  if type.is_enumeration:
    value += ".rawValue"
  if type.name == "speed":
    value += ".factor"
  return f'json.member("{name}", {value})'
