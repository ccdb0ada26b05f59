internal import SegueSystem
public import SegueWire

extension Setting {
  /// An error for an invalid value.
  public struct InvalidValue: Error {
    /// The value and the reason, as the rest of a sentence that begins with `Key=`.
    public let reason: LocalizableMessage
  }

  /// Returns the value that `text` stands for after `Key=`. For a setting with several paths, that is one path.
  public func value(of text: some Collection<UInt8>) throws(InvalidValue) -> SettingValue {
    let bytes = Array(text)[...]
    let text = bytes.text ?? ""
    switch type {
    case .flag:
      switch text {
      case "yes", "true", "on", "1": return .flag(true)
      case "no", "false", "off", "0": return .flag(false)
      default: throw InvalidValue(reason: "\(text) is not yes or no")
      }
    case .whole(let range, let unit):
      let bounds = (String(range.lowerBound), String(range.upperBound))
      guard let value = bytes.number, range.contains(value) else {
        // A number may have too many digits for an `Int`.
        let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
        let isWhole = digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } && !digits.isEmpty
        if isWhole { throw Self.outOfRange(text, bounds, unit) }
        throw InvalidValue(
          reason: "\(text) is not a whole number of \(SettingType.unitMessage(unit)) from \(bounds.0) to \(bounds.1)")
      }
      return .whole(value)
    case .number(let range, let unit):
      let bounds = (SettingValue.number(range.lowerBound).text, SettingValue.number(range.upperBound).text)
      guard let value = Double(text), value.isFinite else {
        throw InvalidValue(
          reason: "\(text) is not a number of \(SettingType.unitMessage(unit)) from \(bounds.0) to \(bounds.1)")
      }
      guard range.contains(value) else { throw Self.outOfRange(text, bounds, unit) }
      return .number(value)
    case .choice(let words):
      guard words.contains(text) else {
        let list = words.joined(separator: ", ")
        if let meant = EditDistance.nearest(to: text, in: words) {
          throw InvalidValue(reason: "\(text) is not one of \(list); did you mean \(meant)?")
        }
        throw InvalidValue(reason: "\(text) is not one of \(list)")
      }
      return .text(text)
    case .name:
      guard text.utf8.count <= Self.maximumNameLength else {
        throw InvalidValue(reason: "the name is longer than \(Self.maximumNameLength) bytes")
      }
      if !text.isEmpty { try check(text) }
      return .text(text.isEmpty ? nil : text)
    case .paths:
      guard bytes.count <= Self.maximumPathLength else {
        throw InvalidValue(reason: "the path is longer than \(Self.maximumPathLength) bytes")
      }
      let path = bytes.after("~/").map { Directories.home.appending($0) } ?? FilePath(bytes: Array(bytes))
      guard path.isAbsolute, !path.bytes.contains(0) else {
        throw InvalidValue(reason: "\(path) is not an absolute path (it must begin with / or ~/)")
      }
      return .paths([path.normalized])
    }
  }

  private static func outOfRange(_ text: String, _ bounds: (String, String), _ unit: String) -> InvalidValue {
    InvalidValue(reason: "\(text) is out of range: \(bounds.0) to \(bounds.1) \(SettingType.unitMessage(unit))")
  }

  /// The maximum length of a name in bytes. Names of sinks have less (PA_NAME_MAX of PulseAudio is 128).
  private static let maximumNameLength = 1_024
  /// The maximum length of a path in bytes, which is that of the system (PATH_MAX).
  private static let maximumPathLength = 4_095
  /// The maximum number of paths of a setting. It is limited because the size of responses is.
  static let maximumPaths = 50

  /// Returns the value that `text` stands for in a request to change the setting. People type the text, so that a
  /// number may have a decimal comma. Throws `invalid_params`.
  public func requestedValue(of text: String) throws(Failure) -> SettingValue {
    do throws(InvalidValue) {
      if case .number = type {
        return try value(of: text.utf8.map { $0 == UInt8(ascii: ",") ? UInt8(ascii: ".") : $0 })
      }
      return try value(of: text.utf8)
    } catch {
      throw Failure(.invalidParams, "\(name)=\(error.reason)")
    }
  }
}
