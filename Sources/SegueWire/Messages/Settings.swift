public import SegueSystem

/// What a setting is, or may be set to.
public enum SettingValue: Equatable, Sendable, JSONEncodable {
  case flag(Bool)
  case whole(Int)
  case number(Double)
  /// A word or a name; nil where there is none.
  case text(String?)
  case paths([FilePath])

  /// As `segue.conf` has it behind `Key=`.
  public var text: String {
    switch self {
    case .flag(let value): value ? "yes" : "no"
    case .whole(let value): String(value)
    case .number(let value): Int(exactly: value).map(String.init) ?? String(value)
    case .text(let value): value ?? ""
    case .paths(let values): values.map(\.description).joined(separator: ", ")
    }
  }

  /// Paths as `file://` URIs.
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

/// Where a setting's value comes from.
public enum SettingSource: String, Sendable, CaseIterable {
  /// Nobody has said anything.
  case standard = "default"
  case file = "segue.conf"
  /// While the daemon ran, in the place of what `segue.conf` says.
  case chosen
}

/// What values a setting takes.
public enum SettingType: Equatable, Sendable {
  case flag
  case whole(ClosedRange<Int>, unit: String)
  case number(ClosedRange<Double>, unit: String)
  case choice([String])
  case name
  case paths

  /// As the protocol calls it.
  public var word: String {
    switch self {
    case .flag: "boolean"
    case .whole: "integer"
    case .number: "number"
    case .choice: "choice"
    case .name: "string"
    case .paths: "paths"
    }
  }

  /// All that `word` may be.
  public static let words = ["boolean", "integer", "number", "choice", "string", "paths"]
}

/// A setting as it is: the answer of `settings.get`, `settings.set` and `settings.reset`.
public struct SettingReport: Equatable, Sendable, JSONEncodable {
  /// `player.replayGain`.
  public var name: String
  /// As `segue.conf` has them: `Player`, `ReplayGain`.
  public var section: String
  public var key: String
  /// For people.
  public var summary: String
  public var type: SettingType
  public var value: SettingValue
  /// The value in use: what an empty `value` stands for, or `value`.
  public var inUse: SettingValue
  /// What holds where nobody says anything.
  public var standard: SettingValue
  public var source: SettingSource
  /// Whether it may be set while the daemon runs.
  public var isChangeable: Bool

  public init(
    name: String, section: String, key: String, summary: String, type: SettingType, value: SettingValue,
    inUse: SettingValue? = nil, standard: SettingValue, source: SettingSource, isChangeable: Bool
  ) {
    self.name = name
    self.section = section
    self.key = key
    self.summary = summary
    self.type = type
    self.value = value
    self.inUse = inUse ?? value
    self.standard = standard
    self.source = source
    self.isChangeable = isChangeable
  }

  public func encode(into json: inout JSONWriter) {
    var (words, least, most, unit): ([String], Double?, Double?, String?) = ([], nil, nil, nil)
    switch type {
    case .choice(let choice): words = choice
    case .whole(let range, let of): (least, most, unit) = (Double(range.lowerBound), Double(range.upperBound), of)
    case .number(let range, let of): (least, most, unit) = (range.lowerBound, range.upperBound, of)
    case .flag, .name, .paths: break
    }
    json.beginObject()
    json.member("name", name)
    json.member("section", section)
    json.member("key", key)
    json.member("summary", summary)
    json.member("type", type.word)
    json.key("value")
    value.encode(into: &json)
    json.key("inUse")
    inUse.encode(into: &json)
    json.key("default")
    standard.encode(into: &json)
    json.member("source", source.rawValue)
    json.member("changeable", isChangeable)
    json.member("words", words)
    json.member("minimum", least)
    json.member("maximum", most)
    json.member("unit", unit)
    json.endObject()
  }
}

/// All of them: the answer of `settings.list`, and what the topic `settings` says.
public struct SettingList: Equatable, Sendable, JSONEncodable {
  public var settings: [SettingReport]

  public init(settings: [SettingReport]) { self.settings = settings }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("settings", settings)
    json.endObject()
  }
}
