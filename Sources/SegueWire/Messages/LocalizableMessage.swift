/// A message in English that a client can show in another language.
///
/// A literal such as `"cannot open \(path): \(reason)"` also has a template, `cannot open %1$s: %2$s`, and arguments.
/// The template is what translators translate: `contrib/translations` finds the literals in the calls of the functions
/// that it lists. A text that comes from elsewhere, such as a saved one, has no template; see `plain(_:)`.
public struct LocalizableMessage: Hashable, Sendable {
  /// An argument of a template.
  public enum Argument: Hashable, Sendable {
    case text(String)
    /// A message inside the message, such as the reason of an error. It has a template.
    case message(LocalizableMessage)
  }

  /// The message in English.
  public let text: String
  /// The message with `%1$s` in place of its first argument, and `%%` in place of a percent sign; nil if the message
  /// cannot be translated.
  public let template: String?
  /// The arguments of the template.
  public let arguments: [Argument]

  fileprivate init(text: String, template: String?, arguments: [Argument]) {
    // Files of translations have a header under the empty message.
    let template = template.flatMap { $0.isEmpty ? nil : $0 }
    (self.text, self.template, self.arguments) = (text, template, template == nil ? [] : arguments)
  }

  /// Returns a message that is shown in the language in which it is.
  public static func plain(_ text: String) -> LocalizableMessage {
    LocalizableMessage(text: text, template: nil, arguments: [])
  }

  /// Returns the message among `messages` that has this text. A text that none of them has has no template.
  public static func known(_ text: String, in messages: [LocalizableMessage]) -> LocalizableMessage {
    messages.first { $0.text == text } ?? .plain(text)
  }

  /// Returns the literal `one` continued by the literal `other`.
  public static func + (one: LocalizableMessage, other: LocalizableMessage) -> LocalizableMessage {
    var parts = StringInterpolation()
    parts.append(one)
    parts.append(other)
    return LocalizableMessage(stringInterpolation: parts)
  }
}

extension LocalizableMessage: CustomStringConvertible {
  public var description: String { text }
}

extension LocalizableMessage: ExpressibleByStringInterpolation {
  public init(stringLiteral value: String) {
    self.init(text: value, template: StringInterpolation.escaped(value), arguments: [])
  }

  public init(stringInterpolation parts: StringInterpolation) {
    self.init(text: parts.text, template: parts.template, arguments: parts.arguments)
  }

  /// The literal parts and the arguments of a message.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate private(set) var text = ""
    fileprivate private(set) var template = ""
    fileprivate private(set) var arguments: [Argument] = []

    public init(literalCapacity: Int, interpolationCount: Int) {
      template.reserveCapacity(literalCapacity + 4 * interpolationCount)
      arguments.reserveCapacity(interpolationCount)
    }

    fileprivate init() {}

    public mutating func appendLiteral(_ literal: String) {
      text += literal
      template += Self.escaped(literal)
    }

    public mutating func appendInterpolation<Value>(_ value: Value) {
      let text = "\(value)"
      append(.text(text), text)
    }

    /// Appends a message inside the message. It is translated by itself.
    public mutating func appendInterpolation(_ message: LocalizableMessage) {
      append(message.template == nil ? .text(message.text) : .message(message), message.text)
    }

    private mutating func append(_ argument: Argument, _ description: String) {
      text += description
      arguments.append(argument)
      template += "%\(arguments.count)$s"
    }

    /// Appends a message to the literal of which it is a part. Its arguments get the next numbers.
    fileprivate mutating func append(_ other: LocalizableMessage) {
      guard var rest = other.template?[...] else { return appendLiteral(other.text) }
      text += other.text
      // A literal percent sign is doubled. A single one begins the placeholder of the next argument.
      for argument in other.arguments {
        while let percent = rest.firstIndex(of: "%"), rest[percent...].hasPrefix("%%") {
          let end = rest.index(percent, offsetBy: 2)
          template += rest[..<end]
          rest = rest[end...]
        }
        guard let percent = rest.firstIndex(of: "%"), let end = rest[percent...].firstIndex(of: "s") else { break }
        arguments.append(argument)
        template += rest[..<percent] + "%\(arguments.count)$s"
        rest = rest[rest.index(after: end)...]
      }
      template += rest
    }

    fileprivate static func escaped(_ literal: String) -> String {
      guard literal.utf8.contains(UInt8(ascii: "%")) else { return literal }
      return literal.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%%")
    }
  }
}

// MARK: Bounds

extension LocalizableMessage {
  /// The number of bytes of UTF-8 of the template and its arguments.
  private var templateSize: Int {
    arguments.reduce(template?.utf8.count ?? 0) { size, argument in
      switch argument {
      case .text(let text): size + text.utf8.count
      case .message(let message): size + message.text.utf8.count + message.templateSize
      }
    }
  }

  /// Returns the message with its text in at most `count` bytes of UTF-8, and its template and arguments in as many.
  /// Long arguments lose their middle, and messages among them their translation. A template that is too long is left
  /// out.
  package func bounded(to count: Int) -> LocalizableMessage {
    let text = text.middleTruncated(to: count)
    guard templateSize > count else { return LocalizableMessage(text: text, template: template, arguments: arguments) }
    let room = count - (template?.utf8.count ?? 0)
    guard !arguments.isEmpty, room / arguments.count >= Self.minimumArgumentSize else { return .plain(text) }
    let shortened = arguments.map { argument in
      switch argument {
      case .text(let text): Argument.text(text.middleTruncated(to: room / arguments.count))
      case .message(let message): Argument.text(message.text.middleTruncated(to: room / arguments.count))
      }
    }
    return LocalizableMessage(text: text, template: template, arguments: shortened)
  }

  /// The size in bytes below which an argument is not shortened: too little would be left of it.
  private static let minimumArgumentSize = 64
}

// MARK: JSON

extension LocalizableMessage: JSONEncodable {
  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("message", text)
    json.member("template", template)
    encodeArguments(into: &json)
    json.endObject()
  }

  /// Writes the member `arguments`.
  func encodeArguments(into json: inout JSONWriter) {
    json.key("arguments")
    json.beginArray()
    for argument in arguments {
      switch argument {
      case .text(let text): json.string(text)
      case .message(let message): message.encode(into: &json)
      }
    }
    json.endArray()
  }

  /// Writes the members `template` and `arguments` if there is a template.
  public func encodeTemplate(into json: inout JSONWriter) {
    guard let template else { return }
    json.member("template", template)
    encodeArguments(into: &json)
  }
}

extension LocalizableMessage: JSONDecodable {
  public init(_ json: JSON?) { self.init(json, text: json?["message"]?.string ?? "") }

  /// Creates a message from its text and the members `template` and `arguments` of an object. If they are missing or
  /// invalid, the message has no template.
  public init(_ json: JSON?, text: String) { self.init(json, text: text, depth: Self.maximumDepth) }

  private init(_ json: JSON?, text: String, depth: Int) {
    guard let template = json?["template"]?.string, let values = json?["arguments"]?.elements,
      values.count <= Self.maximumArgumentCount
    else {
      self = .plain(text)
      return
    }
    var arguments: [Argument] = []
    for value in values {
      if let text = value.string {
        arguments.append(.text(text))
      } else if depth > 0, let text = value["message"]?.string {
        let message = LocalizableMessage(value, text: text, depth: depth - 1)
        arguments.append(message.template == nil ? .text(text) : .message(message))
      } else {
        self = .plain(text)
        return
      }
    }
    self.init(text: text, template: template, arguments: arguments)
  }

  /// Creates the message of the members `error` and `errorTemplate` of an object. Returns nil if there is no error.
  init?(errorOf json: JSON?) {
    guard let text = json?["error"]?.string else { return nil }
    self = json?["errorTemplate"].map { LocalizableMessage($0, text: text) } ?? .plain(text)
  }

  /// The maximum number of messages inside of one another. The peer is not trusted.
  private static let maximumDepth = 4
  /// The maximum number of arguments, more than any message has.
  private static let maximumArgumentCount = 16
}

extension JSONWriter {
  /// Writes the members `error` and `errorTemplate` of an object. Both are null without an error; the template is null,
  /// too, if the error cannot be translated.
  mutating func errorMembers(_ error: LocalizableMessage?) {
    member("error", error?.text)
    key("errorTemplate")
    guard let error, error.template != nil else { return null() }
    beginObject()
    error.encodeTemplate(into: &self)
    endObject()
  }
}

// MARK: Saving

extension LocalizableMessage {
  /// The template and its arguments as a text to be saved beside the English one; nil if there is no template.
  public var savedTemplate: String? {
    guard template != nil else { return nil }
    var json = JSONWriter()
    json.beginObject()
    encodeTemplate(into: &json)
    json.endObject()
    return String(decoding: json.bytes, as: UTF8.self)
  }

  /// Returns a saved message, given its English text and its `savedTemplate`. If the latter is invalid, the message has
  /// no template.
  public static func saved(_ text: String, _ savedTemplate: String?) -> LocalizableMessage {
    let json = savedTemplate.flatMap { try? JSON(parsing: $0) }
    return json.map { LocalizableMessage($0, text: text) } ?? .plain(text)
  }
}
