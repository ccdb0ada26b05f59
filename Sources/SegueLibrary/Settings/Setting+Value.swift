internal import SegueSystem
public import SegueWire

extension Setting {
  /// What is wrong with a value, in words that go on `Key=`.
  public struct Complaint: Error {
    public let words: String
  }

  /// What `text` stands for behind `Key=`; of paths it is one.
  public func value(of text: some Collection<UInt8>) throws(Complaint) -> SettingValue {
    let bytes = Array(text)[...]
    let text = bytes.text ?? ""
    switch type {
    case .flag:
      switch text {
      case "yes", "true", "on", "1": return .flag(true)
      case "no", "false", "off", "0": return .flag(false)
      default: throw Complaint(words: "\(text) is neither yes nor no")
      }
    case .whole(let range, let unit):
      guard let value = bytes.number.flatMap(Int.init(exactly:)), range.contains(value) else {
        throw Complaint(
          words: "\(text) is no whole number of \(unit) from \(range.lowerBound) to \(range.upperBound)")
      }
      return .whole(value)
    case .number(let range, let unit):
      guard let value = Double(text), range.contains(value) else {
        let bounds = (SettingValue.number(range.lowerBound).text, SettingValue.number(range.upperBound).text)
        throw Complaint(words: "\(text) is no number of \(unit) from \(bounds.0) to \(bounds.1)")
      }
      return .number(value)
    case .choice(let words):
      guard words.contains(text) else {
        let meant = nearest(to: text, in: words)
        throw Complaint(words: "\(text) is none of \(words.joined(separator: ", ")); did you mean \(meant)?")
      }
      return .text(text)
    case .name:
      guard text.utf8.count <= Self.longestName else {
        throw Complaint(words: "the name is longer than \(Self.longestName) bytes")
      }
      return .text(text.isEmpty ? nil : text)
    case .paths:
      guard bytes.count <= Self.longestPath else {
        throw Complaint(words: "the path is longer than \(Self.longestPath) bytes")
      }
      let path = bytes.after("~/").map { Directories.home.appending($0) } ?? FilePath(bytes: Array(bytes))
      guard path.isAbsolute, !path.bytes.contains(0) else {
        throw Complaint(words: "\(path) is no absolute path (one that begins with / or ~/)")
      }
      return .paths([path.normalized])
    }
  }

  /// Longer than any name of a sink (PulseAudio's PA_NAME_MAX is 128).
  private static let longestName = 1_024
  /// The longest that the system takes (PATH_MAX).
  private static let longestPath = 4_095
  /// The most paths that a setting has: every answer that names them has a limit.
  static let mostPaths = 50

  /// What it is to be set to while the daemon runs. Throws `invalid_params`.
  public func choice(of text: String) throws(Failure) -> SettingValue {
    do throws(Complaint) {
      return try value(of: text.utf8)
    } catch {
      throw Failure(.invalidParams, "\(name)=\(error.words)")
    }
  }
}

/// The candidate that the fewest edits make of `name`.
func nearest(to name: String, in candidates: [String]) -> String {
  let distance = EditDistance(from: Array(name.lowercased().unicodeScalars))
  func edits(_ candidate: String) -> Int { distance.to(candidate.lowercased().unicodeScalars).whole }
  return candidates.min { edits($0) < edits($1) } ?? ""
}
