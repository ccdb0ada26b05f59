internal import SegueSystem

/// A value as D-Bus has it (D-Bus Specification, "Type System"): those types that are used here.
public indirect enum BusValue: Equatable, Sendable {
  case byte(UInt8)
  case boolean(Bool)
  case uint32(UInt32)
  case int32(Int32)
  case int64(Int64)
  case double(Double)
  /// Whatever it holds, what reaches the bus is a string that every reader takes (`forBus`).
  case string(String)
  /// `/`, and names of letters, digits and `_` between slashes.
  case path(String)
  case strings([String])
  case paths([String])
  /// `a{sv}`, in this order.
  case dictionary([Entry])
  case dictionaries([[Entry]])
  case variant(BusValue)
  /// That was handed to us.
  case descriptor(BusDescriptor)

  public struct Entry: Equatable, Sendable {
    public let key: String
    public let value: BusValue

    public init(_ key: String, _ value: BusValue) {
      self.key = key
      self.value = value
    }
  }

  /// Its type code.
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

/// A file that came over the bus. It is closed when nobody has it any more.
public final class BusDescriptor: Equatable, Sendable {
  private let descriptor: Descriptor

  init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

  public static func == (one: BusDescriptor, other: BusDescriptor) -> Bool { one === other }
}

extension String {
  /// This, without what would be refused or would break somebody's line: sd-bus takes no noncharacter, and what a tag has
  /// of control characters is none of a panel's business.
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
