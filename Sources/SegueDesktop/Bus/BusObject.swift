// Thread: the loop.

internal import SegueLoop

/// An object on the bus, with its interfaces and the standard interfaces for introspection and properties.
@MainActor
struct BusObject {
  private let interfaces: [BusInterface]
  /// The values of the properties that were last published, by interface.
  private var published: [String: [String: BusValue]] = [:]

  static let introspectable = "org.freedesktop.DBus.Introspectable"
  static let properties = "org.freedesktop.DBus.Properties"

  init(_ interfaces: [BusInterface]) { self.interfaces = interfaces }

  // MARK: Calls

  func handle(_ call: BusCall) {
    switch (call.interface, call.member) {
    case (Self.introspectable, "Introspect"): withArguments("", of: call) { _ in call.reply([.string(description)]) }
    case (Self.properties, "Get"): withArguments("ss", of: call) { handle(get: $0, call) }
    case (Self.properties, "GetAll"): withArguments("s", of: call) { handle(getAll: $0, call) }
    case (Self.properties, "Set"): withArguments("ssv", of: call) { handle(set: $0, call) }
    default: run(call)
    }
  }

  private func run(_ call: BusCall) {
    var offered = interfaces
    if let name = call.interface {
      offered = offered.filter { $0.name == name }
      guard !offered.isEmpty else { return call.fail(unknown(interface: name)) }
    }
    let method = offered.lazy.flatMap(\.methods).first { $0.name == call.member }
    guard let method else { return call.fail(BusError(.unknownMethod, "no method \(call.member)")) }
    withArguments(method.inputs.map(\.type).joined(), of: call) { method.run($0, call) }
  }

  private func withArguments(_ types: String, of call: BusCall, _ body: ([BusValue]) -> Void) {
    guard let values = call.arguments(types) else {
      let expected = types.isEmpty ? "no arguments" : "arguments of the types \(types), of limited length"
      return call.fail(BusError(.invalidArguments, "\(call.member) takes \(expected)"))
    }
    body(values)
  }

  // MARK: Properties

  private func handle(get arguments: [BusValue], _ call: BusCall) {
    guard case .string(let interface) = arguments[0], case .string(let name) = arguments[1] else { return }
    do throws(BusError) {
      let (interface, property) = try find(name, in: interface)
      guard let value = interface.values()[property.name] else { preconditionFailure("\(property.name) has no value") }
      call.reply([.variant(value)])
    } catch {
      call.fail(error)
    }
  }

  private func handle(getAll arguments: [BusValue], _ call: BusCall) {
    guard case .string(let name) = arguments[0] else { return }
    // An empty name means all interfaces.
    let requested = interfaces.filter { name.isEmpty || $0.name == name }
    guard !requested.isEmpty || name == Self.properties || name == Self.introspectable else {
      return call.fail(unknown(interface: name))
    }
    call.reply([.dictionary(requested.flatMap { entries($0.properties.map(\.name), of: $0.values()) })])
  }

  private func handle(set arguments: [BusValue], _ call: BusCall) {
    guard case .string(let interface) = arguments[0], case .string(let name) = arguments[1],
      case .variant(let value) = arguments[2]
    else { return }
    do throws(BusError) {
      let (_, property) = try find(name, in: interface)
      guard let set = property.set else { throw BusError(.readOnly, "\(name) is read-only") }
      guard value.signature == property.type else {
        throw BusError(.invalidArguments, "\(name) is of the type \(property.type), not \(value.signature)")
      }
      set(value) { error in
        if let error { call.fail(error) } else { call.reply() }
      }
    } catch {
      call.fail(error)
    }
  }

  private func find(
    _ name: String, in interface: String
  ) throws(BusError) -> (BusInterface, BusInterface.Property) {
    guard let found = interfaces.first(where: { $0.name == interface }) else { throw unknown(interface: interface) }
    guard let property = found.properties.first(where: { $0.name == name }) else {
      throw BusError(.unknownProperty, "\(interface) has no property \(name)")
    }
    return (found, property)
  }

  private func unknown(interface: String) -> BusError {
    BusError(.unknownInterface, "no interface \(interface)")
  }

  private func entries(_ names: [String], of values: [String: BusValue]) -> [BusValue.Entry] {
    names.compactMap { name in values[name].map { BusValue.Entry(name, $0) } }
  }

  // MARK: Changes

  /// Marks the current values of all properties as published.
  mutating func markPublished() {
    for interface in interfaces { published[interface.name] = interface.values() }
  }

  /// Returns the arguments of a `PropertiesChanged` signal for the properties that have changed since they were
  /// published, and marks their values as published; nil if none has changed.
  mutating func takeChanges(of name: String) -> [BusValue]? {
    guard let interface = interfaces.first(where: { $0.name == name }) else { return nil }
    let (before, now) = (published[name] ?? [:], interface.values())
    published[name] = now
    let changed = interface.properties.filter { now[$0.name] != before[$0.name] }
    let values = changed.filter { $0.changeSignal == .value }.map(\.name)
    let invalidated = changed.filter { $0.changeSignal == .invalidation }.map(\.name)
    guard !values.isEmpty || !invalidated.isEmpty else { return nil }
    return [.string(name), .dictionary(entries(values, of: now)), .strings(invalidated)]
  }

  // MARK: Description

  private var description: String {
    """
    <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
     "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
    <node>
     <interface name="org.freedesktop.DBus.Peer">
      <method name="Ping"/>
      <method name="GetMachineId"><arg name="machine_uuid" type="s" direction="out"/></method>
     </interface>
     <interface name="\(Self.introspectable)">
      <method name="Introspect"><arg name="xml_data" type="s" direction="out"/></method>
     </interface>
     <interface name="\(Self.properties)">
      <method name="Get">
       <arg name="interface_name" type="s" direction="in"/>
       <arg name="property_name" type="s" direction="in"/>
       <arg name="value" type="v" direction="out"/>
      </method>
      <method name="Set">
       <arg name="interface_name" type="s" direction="in"/>
       <arg name="property_name" type="s" direction="in"/>
       <arg name="value" type="v" direction="in"/>
      </method>
      <method name="GetAll">
       <arg name="interface_name" type="s" direction="in"/>
       <arg name="properties" type="a{sv}" direction="out"/>
      </method>
      <signal name="PropertiesChanged">
       <arg name="interface_name" type="s"/>
       <arg name="changed_properties" type="a{sv}"/>
       <arg name="invalidated_properties" type="as"/>
      </signal>
     </interface>
    \(interfaces.map(\.xml).joined())</node>
    """
  }
}
