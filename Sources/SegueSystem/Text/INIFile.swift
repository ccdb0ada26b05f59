/// A line of a configuration file in the INI format of systemd: sections, lines `Key=value`, and comments after `#` or
/// `;` at the start of a line. Spaces around section names, keys and values are ignored.
public enum INILine: Equatable, Sendable {
  case section(String)
  case value(key: String, value: ArraySlice<UInt8>)
  /// The bracket that ends the name of a section is missing.
  case unclosedSection
  /// The line is neither a section nor `Key=value`.
  case unknown

  /// Parses a line. Returns nil for a comment or an empty line.
  public init?(_ line: ArraySlice<UInt8>) {
    let line = line.trimmed
    guard let first = line.first, first != UInt8(ascii: "#"), first != UInt8(ascii: ";") else { return nil }
    if first == UInt8(ascii: "[") {
      self = line.last == UInt8(ascii: "]") ? .section(line.dropFirst().dropLast().text ?? "") : .unclosedSection
    } else if let equals = line.firstIndex(of: UInt8(ascii: "=")) {
      self = .value(key: line[..<equals].trimmed.text ?? "", value: line[(equals + 1)...].trimmed)
    } else {
      self = .unknown
    }
  }
}

/// A warning about something in a configuration file that was ignored.
public struct INIWarning: Equatable, Sendable, CustomStringConvertible {
  public let path: FilePath
  /// The number of the line, from 1; 0 for the whole file.
  public let line: Int
  public let message: String

  public init(path: FilePath, line: Int, message: String) {
    self.path = path
    self.line = line
    self.message = message
  }

  public var description: String { line > 0 ? "\(path):\(line): \(message)" : "\(path): \(message)" }
}

/// Changes of configuration files that keep all other lines, such as comments.
public enum INIFile {
  /// Returns the contents of a file in which `key` has this value in `section`, or no value if it is nil. The last line
  /// with the key is replaced, because it is the one that counts, and all others are removed. A new line follows the
  /// last one of its section that is not empty, and a new section is added at the end.
  public static func setting(
    _ key: String, in section: String, to value: String?, of bytes: [UInt8]
  ) -> [UInt8] {
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)
    if lines.last == [] { lines.removeLast() }
    let replacement = value.map { Array("\(key)=\($0)".utf8) }
    var current: String?
    var matches: [Int] = []
    var end: Int?
    for (index, line) in lines.enumerated() {
      let content = TextLines(line).first { _ in true }?.text ?? []
      switch INILine(content) {
      case .section(let name)?: current = name
      case .value(key, _)? where current == section: matches.append(index)
      default: break
      }
      if current == section, !content.trimmed.isEmpty { end = index + 1 }
    }
    if let replacement {
      if let last = matches.popLast() {
        lines[last] = replacement
      } else if let end {
        lines.insert(replacement, at: end)
      } else {
        if !lines.isEmpty { lines.append([]) }
        lines += [Array("[\(section)]".utf8), replacement]
      }
    }
    // A line that was inserted stands after all lines with the key.
    for index in matches.reversed() { lines.remove(at: index) }
    return Array(lines.map { $0 + [UInt8(ascii: "\n")] }.joined())
  }
}
