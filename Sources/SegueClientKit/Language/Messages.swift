/// Returns a message in the language of the user, or the English message if there is no translation.
///
/// `contrib/translations` finds the messages in the sources. So the message is a literal without interpolation, which
/// may be divided with `+`. It is a whole sentence or a label of its own. If there are arguments, `%1$s` and `%2$d`
/// stand for the texts and numbers among them, and `%%` for a percent sign. A placeholder without an argument stays as
/// it is. Control characters of arguments become visible (`String.visible`), and long arguments are cut.
public func tr(_ message: String, _ arguments: any CustomStringConvertible...) -> String {
  let message = Language.translation(of: message) ?? message
  return arguments.isEmpty ? message : MessageFormat.format(message, arguments)
}

/// Returns a text that the daemon sends in English, such as the description of a setting, in the language of the user.
/// It is returned as it is if it has no translation.
public func translated(text: String) -> String {
  // The header of the translations stands under the empty message.
  text.isEmpty ? text : Language.translation(of: text) ?? text
}

/// Returns a message as it is. `contrib/translations` finds it, and it is translated where it is used.
public func trLater(_ message: String) -> String { message }

/// Returns a message with a count in the language of the user, which has plural forms of its own. In English it is
/// `one` if the count is 1, and `many` otherwise. `%1$d` stands for the count, and `%2$s` for the first further
/// argument.
public func trn(
  _ one: String, _ many: String, _ count: Int, _ arguments: any CustomStringConvertible...
) -> String {
  let message = Language.translation(of: one, count: count) ?? (count == 1 ? one : many)
  return MessageFormat.format(message, [count] + arguments)
}

/// The placeholders of messages.
enum MessageFormat {
  /// The maximum length of an argument in bytes, which exceeds that of every path.
  private static let maximumArgumentLength = 8_192

  /// Returns `message` with arguments in place of its placeholders.
  static func format(_ message: String, _ arguments: [any CustomStringConvertible]) -> String {
    var message = message
    return message.withUTF8 { bytes in
      guard bytes.contains(UInt8(ascii: "%")) else { return String(decoding: bytes, as: UTF8.self) }
      var text = ""
      var rest = bytes[...]
      while let percent = rest.firstIndex(of: UInt8(ascii: "%")) {
        text += String(decoding: rest[..<percent], as: UTF8.self)
        rest = rest[(percent + 1)...]
        if rest.first == UInt8(ascii: "%") {
          text += "%"
          rest = rest.dropFirst()
        } else if let (number, length) = placeholder(rest), arguments.indices.contains(number - 1) {
          text += shown(arguments[number - 1].description)
          rest = rest.dropFirst(length)
        } else {
          text += "%"
        }
      }
      return text + String(decoding: rest, as: UTF8.self)
    }
  }

  /// Returns the numbers of the placeholders of a message.
  static func placeholders(of message: String) -> Set<Int> {
    var message = message
    return message.withUTF8 { bytes in
      var numbers: Set<Int> = []
      var rest = bytes[...]
      while let percent = rest.firstIndex(of: UInt8(ascii: "%")) {
        rest = rest[(percent + 1)...]
        if rest.first == UInt8(ascii: "%") {
          rest = rest.dropFirst()
        } else if let (number, length) = placeholder(rest) {
          numbers.insert(number)
          rest = rest.dropFirst(length)
        }
      }
      return numbers
    }
  }

  /// Parses the rest of a placeholder such as `%12$s` behind its percent sign. Returns the number of the argument, and
  /// the number of bytes.
  private static func placeholder(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> (number: Int, length: Int)? {
    let digits = bytes.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    let rest = bytes.dropFirst(digits.count)
    guard (1...2).contains(digits.count), rest.first == UInt8(ascii: "$"),
      let kind = rest.dropFirst().first, kind == UInt8(ascii: "s") || kind == UInt8(ascii: "d")
    else { return nil }
    return (digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }, digits.count + 2)
  }

  private static func shown(_ argument: String) -> String {
    if argument.utf8.count <= maximumArgumentLength { return argument.visible }
    return String(decoding: argument.utf8.prefix(maximumArgumentLength), as: UTF8.self).visible + "…"
  }
}
