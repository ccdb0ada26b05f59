public import SegueSystem

/// A value of a setting.
public enum SettingValue: Equatable, Sendable, JSONEncodable {
  case flag(Bool)
  case whole(Int)
  case number(Double)
  /// A word or a name; nil if there is none.
  case text(String?)
  case paths([FilePath])

  /// The value in the syntax of `segue.conf`.
  public var text: String {
    switch self {
    case .flag(let value): value ? "yes" : "no"
    case .whole(let value): String(value)
    case .number(let value): Int(exactly: value).map(String.init) ?? String(value)
    case .text(let value): value ?? ""
    case .paths(let values): values.map(\.description).joined(separator: ", ")
    }
  }

  /// Encodes the value. Paths are encoded as `file://` URIs.
  public func encode(into json: inout JSONWriter) {
    switch self {
    case .flag(let value): json.bool(value)
    case .whole(let value): json.integer(value)
    case .number(let value): json.double(value)
    case .text(let value): if let value { json.string(value) } else { json.null() }
    case .paths(let values):
      json.beginArray()
      for value in values { json.string(FileURI.encode(value)) }
      json.endArray()
    }
  }
}

extension SettingValue {
  /// Decodes a value of a setting of type `kind`. A value of another type counts as the empty one.
  init(_ json: JSON?, _ kind: SettingType.Kind?) {
    switch kind {
    case .boolean: self = .flag(json?.bool ?? false)
    case .integer: self = .whole(json?.int ?? 0)
    case .number: self = .number(json?.double ?? 0)
    case .paths: self = .paths((json?.elements ?? []).compactMap { $0.string.flatMap { FileURI.decode($0) } })
    case .choice, .string, nil: self = .text(json?.string)
    }
  }
}

/// The type of the values of a setting.
public enum SettingType: Equatable, Sendable {
  case flag
  case whole(ClosedRange<Int>, unit: String)
  case number(ClosedRange<Double>, unit: String)
  case choice([String])
  case name
  case paths

  public var kind: Kind {
    switch self {
    case .flag: .boolean
    case .whole: .integer
    case .number: .number
    case .choice: .choice
    case .name: .string
    case .paths: .paths
    }
  }
}

/// A setting and its value: the result of `settings.get`, `settings.set` and `settings.reset`.
public struct SettingReport: Equatable, Sendable, JSONEncodable {
  /// The full name, such as `player.replayGain`.
  public var name: String
  /// The section and the key in `segue.conf`, such as `Player` and `ReplayGain`.
  public var section: String
  public var key: String
  /// The name for users, such as `Crossfade`. It is in English, and clients translate it.
  public var label: String
  /// A description for users.
  public var summary: String
  public var type: SettingType
  public var value: SettingValue
  /// The effective value: `value`, or the value that an empty `value` stands for.
  public var inUse: SettingValue
  /// The default value.
  public var standard: SettingValue
  public var source: SettingSource
  /// Whether the setting can be changed while the daemon is running.
  public var isChangeable: Bool

  public init(
    name: String, section: String, key: String, label: String, summary: String, type: SettingType, value: SettingValue,
    inUse: SettingValue? = nil, standard: SettingValue, source: SettingSource, isChangeable: Bool
  ) {
    self.name = name
    self.section = section
    self.key = key
    self.label = label
    self.summary = summary
    self.type = type
    self.value = value
    self.inUse = inUse ?? value
    self.standard = standard
    self.source = source
    self.isChangeable = isChangeable
  }

  public func encode(into json: inout JSONWriter) {
    var (words, minimum, maximum, unit): ([String], Double?, Double?, String?) = ([], nil, nil, nil)
    switch type {
    case .choice(let choice): words = choice
    case .whole(let range, let unitName):
      (minimum, maximum, unit) = (Double(range.lowerBound), Double(range.upperBound), unitName)
    case .number(let range, let unitName): (minimum, maximum, unit) = (range.lowerBound, range.upperBound, unitName)
    case .flag, .name, .paths: break
    }
    json.beginObject()
    json.member("name", name)
    json.member("section", section)
    json.member("key", key)
    json.member("label", label)
    json.member("summary", summary)
    json.member("type", type.kind.rawValue)
    json.key("value")
    value.encode(into: &json)
    json.key("inUse")
    inUse.encode(into: &json)
    json.key("default")
    standard.encode(into: &json)
    json.member("source", source.rawValue)
    json.member("changeable", isChangeable)
    json.member("words", words)
    json.member("minimum", minimum)
    json.member("maximum", maximum)
    json.member("unit", unit)
    json.endObject()
  }
}

extension SettingReport: JSONDecodable {
  /// Decodes a report. The name is the label of a setting from an earlier version, which sends none. A setting whose
  /// type only a later version knows counts as a name that cannot be changed.
  public init(_ json: JSON?) {
    let kind = json?["type"]?.string.flatMap(SettingType.Kind.init)
    let (minimum, maximum) = (json?["minimum"]?.double ?? 0, json?["maximum"]?.double ?? 0)
    let unit = json?["unit"]?.string ?? ""
    let type: SettingType =
      switch kind {
      case .boolean: .flag
      case .integer: .whole(Self.whole(minimum)...max(Self.whole(minimum), Self.whole(maximum)), unit: unit)
      case .number: .number(minimum...max(minimum, maximum), unit: unit)
      case .choice: .choice((json?["words"]?.elements ?? []).compactMap(\.string))
      case .paths: .paths
      case .string, nil: .name
      }
    let name = json?["name"]?.string ?? ""
    self.init(
      name: name, section: json?["section"]?.string ?? "", key: json?["key"]?.string ?? "",
      label: json?["label"]?.string ?? name, summary: json?["summary"]?.string ?? "", type: type,
      value: SettingValue(json?["value"], kind),
      inUse: SettingValue(json?["inUse"], kind), standard: SettingValue(json?["default"], kind),
      source: json?["source"]?.string.flatMap(SettingSource.init) ?? .standard,
      isChangeable: kind != nil && json?["changeable"]?.bool == true)
  }

  private static func whole(_ bound: Double) -> Int { Int(exactly: bound.rounded()) ?? 0 }
}

extension SettingType {
  /// The units of the settings, as clients translate them.
  private static let units: [LocalizableMessage] = [
    LocalizableMessage("seconds"), LocalizableMessage("minutes"), LocalizableMessage("milliseconds"),
    LocalizableMessage("dB"),
  ]

  /// Returns a unit as a message.
  public static func unitMessage(_ name: String) -> LocalizableMessage { .known(name, in: units) }
}
