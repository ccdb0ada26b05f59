internal import SegueLoop

/// What an object offers under one name (D-Bus Specification, "Introspection Data Format").
@MainActor
struct BusInterface {
  /// A name, and a type's code.
  typealias Argument = (name: String, type: String)

  struct Method {
    let name: String
    var takes: [Argument] = []
    var gives: [Argument] = []
    /// Carries out the call, whose arguments are of the types it takes, and answers it.
    let run: @MainActor ([BusValue], BusCall) -> Void
  }

  struct Property {
    let name: String
    let type: String
    var announcement = Announcement.value
    /// Sets it to a value of its type, and says when that is done, or why it is not; nil for one that is only read.
    var set: (@MainActor (BusValue, @escaping @MainActor (BusError?) -> Void) -> Void)?
  }

  /// How it is told that a property has changed (`org.freedesktop.DBus.Property.EmitsChangedSignal`).
  enum Announcement: String {
    case value = "true"
    case invalidation = "invalidates"
    case never = "false"
    case constant = "const"
  }

  struct Signal {
    let name: String
    let gives: [Argument]
  }

  let name: String
  let methods: [Method]
  let properties: [Property]
  var signals: [Signal] = []
  /// What all of the properties are now, by their names.
  let values: @MainActor () -> [String: BusValue]

  /// Its description. What stands in it are names of ours: nothing has to be escaped.
  var xml: String {
    var lines = [" <interface name=\"\(name)\">"]
    for method in methods {
      lines.append("  <method name=\"\(method.name)\">")
      lines += method.takes.map { "   <arg name=\"\($0.name)\" type=\"\($0.type)\" direction=\"in\"/>" }
      lines += method.gives.map { "   <arg name=\"\($0.name)\" type=\"\($0.type)\" direction=\"out\"/>" }
      lines.append("  </method>")
    }
    for property in properties {
      let access = property.set == nil ? "read" : "readwrite"
      lines.append("  <property name=\"\(property.name)\" type=\"\(property.type)\" access=\"\(access)\">")
      let annotation = "org.freedesktop.DBus.Property.EmitsChangedSignal"
      lines.append("   <annotation name=\"\(annotation)\" value=\"\(property.announcement.rawValue)\"/>")
      lines.append("  </property>")
    }
    for signal in signals {
      lines.append("  <signal name=\"\(signal.name)\">")
      lines += signal.gives.map { "   <arg name=\"\($0.name)\" type=\"\($0.type)\"/>" }
      lines.append("  </signal>")
    }
    return (lines + [" </interface>", ""]).joined(separator: "\n")
  }
}
