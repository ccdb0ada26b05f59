internal import SegueSystem

/// A value of D-Bus (D-Bus Specification, "Type System"), of the types that are used here.
public indirect enum BusValue: Equatable, Sendable {
  case byte(UInt8)
  case boolean(Bool)
  case uint32(UInt32)
  case int32(Int32)
  case int64(Int64)
  case double(Double)
  /// Any text. It is sent as a string that every reader accepts (`forBus`).
  case string(String)
  /// An object path: `/`, or names of letters, digits and `_` after slashes.
  case path(String)
  case strings([String])
  case paths([String])
  /// A dictionary of the type `a{sv}`, in the order of the entries.
  case dictionary([Entry])
  case dictionaries([[Entry]])
  case variant(BusValue)
  /// A descriptor that was received.
  case descriptor(BusDescriptor)

  /// An entry of a dictionary.
  public struct Entry: Equatable, Sendable {
    public let key: String
    public let value: BusValue

    public init(_ key: String, _ value: BusValue) {
      self.key = key
      self.value = value
    }
  }

  /// The type code.
  public var signature: String {
    switch self {
    case .byte: "y"
    case .boolean: "b"
    case .uint32: "u"
    case .int32: "i"
    case .int64: "x"
    case .double: "d"
    case .string: "s"
    case .path: "o"
    case .strings: "as"
    case .paths: "ao"
    case .dictionary: "a{sv}"
    case .dictionaries: "aa{sv}"
    case .variant: "v"
    case .descriptor: "h"
    }
  }
}

/// A descriptor that was received on the bus. It is closed when the last reference is released.
public final class BusDescriptor: Equatable, Sendable {
  private let descriptor: Descriptor

  init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

  public static func == (one: BusDescriptor, other: BusDescriptor) -> Bool { one === other }
}

extension String {
  /// The string without noncharacters, which sd-bus rejects, and without the control characters that a tag may contain,
  /// which would break the lines of panels.
  var forBus: String {
    if utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return self }
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if scalar.properties.generalCategory == .control {
        text.append(" ")
      } else {
        text.append(scalar.properties.isNoncharacterCodePoint ? "\u{FFFD}" : scalar)
      }
    }
    return String(text)
  }
}
