internal import SegueLoop

/// An interface of an object (D-Bus Specification, "Introspection Data Format").
@MainActor
struct BusInterface {
  /// A name and a type code.
  typealias Argument = (name: String, type: String)

  struct Method {
    let name: String
    var inputs: [Argument] = []
    var outputs: [Argument] = []
    /// Performs a call whose arguments have the types of `inputs`, and replies to it.
    let run: @MainActor ([BusValue], BusCall) -> Void
  }

  struct Property {
    let name: String
    let type: String
    var changeSignal = ChangeSignal.value
    /// Sets the property to a value of its type and reports the completion or the error; nil if it is read-only.
    var set: (@MainActor (BusValue, @escaping @MainActor (BusError?) -> Void) -> Void)?
  }

  /// The contents of the signal that reports a changed property (`org.freedesktop.DBus.Property.EmitsChangedSignal`).
  enum ChangeSignal: String {
    case value = "true"
    case invalidation = "invalidates"
    case never = "false"
    case constant = "const"
  }

  struct Signal {
    let name: String
    let arguments: [Argument]
  }

  let name: String
  let methods: [Method]
  let properties: [Property]
  var signals: [Signal] = []
  /// Returns the current values of all properties, by name.
  let values: @MainActor () -> [String: BusValue]

  /// The description of the interface. Its names need no escaping.
  var xml: String {
    var lines = [" <interface name=\"\(name)\">"]
    for method in methods {
      lines.append("  <method name=\"\(method.name)\">")
      lines += method.inputs.map { "   <arg name=\"\($0.name)\" type=\"\($0.type)\" direction=\"in\"/>" }
      lines += method.outputs.map { "   <arg name=\"\($0.name)\" type=\"\($0.type)\" direction=\"out\"/>" }
      lines.append("  </method>")
    }
    for property in properties {
      let access = property.set == nil ? "read" : "readwrite"
      lines.append("  <property name=\"\(property.name)\" type=\"\(property.type)\" access=\"\(access)\">")
      let annotation = "org.freedesktop.DBus.Property.EmitsChangedSignal"
      lines.append("   <annotation name=\"\(annotation)\" value=\"\(property.changeSignal.rawValue)\"/>")
      lines.append("  </property>")
    }
    for signal in signals {
      lines.append("  <signal name=\"\(signal.name)\">")
      lines += signal.arguments.map { "   <arg name=\"\($0.name)\" type=\"\($0.type)\"/>" }
      lines.append("  </signal>")
    }
    return (lines + [" </interface>", ""]).joined(separator: "\n")
  }
}
