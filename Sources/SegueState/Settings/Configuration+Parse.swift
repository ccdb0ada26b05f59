internal import SegueSystem
internal import SegueWire

extension Configuration {
  /// Parses `bytes`, the contents of `path`, in the INI format of systemd: sections, lines `Key=value`, and comments
  /// after `#` or `;` at the start of a line. If a key occurs twice, the last value counts, except for `MusicFolder=`,
  /// where all do. An empty value stands for the default.
  static func parse(_ bytes: [UInt8], _ path: FilePath) -> (Configuration, [Warning]) {
    var configuration = Configuration()
    var warnings: [Warning] = []
    var section: String?
    for (number, line) in TextLines(bytes) {
      let line = line.trimmed
      guard let first = line.first, first != UInt8(ascii: "#"), first != UInt8(ascii: ";") else { continue }
      if let message = configuration.readLine(line, &section) {
        warnings.append(Warning(path: path, line: number, message: message))
      }
    }
    return (configuration, warnings)
  }

  /// Reads a line. Returns a warning if it is invalid.
  private mutating func readLine(_ line: ArraySlice<UInt8>, _ section: inout String?) -> String? {
    if line.first == UInt8(ascii: "[") {
      guard line.last == UInt8(ascii: "]") else { return "the section name must end with ]" }
      let name = line.dropFirst().dropLast().text ?? ""
      section = name
      let sections = Setting.Section.allCases.map(\.rawValue)
      return sections.contains(name)
        ? nil : "unknown section [\(name)]; did you mean [\(nearest(to: name, in: sections))]?"
    }
    guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else { return "neither a section nor Key=value" }
    let name = line[..<equals].text ?? ""
    let value = line[(equals + 1)...].trimmed
    guard let section else { return "\(name)= comes before any section" }
    // There was a warning about the section already.
    guard Setting.Section(rawValue: section) != nil else { return nil }
    guard let setting = Setting.all.first(where: { $0.key == name }) else {
      return "unknown key \(name)=; did you mean \(nearest(to: name, in: Setting.all.map(\.key)))=?"
    }
    guard setting.section.rawValue == section else { return "\(name)= belongs in [\(setting.section.rawValue)]" }
    return set(setting, value)
  }

  private mutating func set(_ setting: Setting, _ text: ArraySlice<UInt8>) -> String? {
    guard !text.isEmpty else {
      setting.write(&self, setting.defaultValue)
      named.remove(setting.name)
      return nil
    }
    do throws(Setting.InvalidValue) {
      var value = try setting.value(of: text)
      if case .paths(let before) = setting.read(self), case .paths(let more) = value {
        let new = more.filter { !before.contains($0) }
        guard before.count + new.count <= Setting.maximumPaths else {
          throw Setting.InvalidValue(reason: "there are more than \(Setting.maximumPaths) paths")
        }
        value = .paths(before + new)
      }
      setting.write(&self, value)
      named.insert(setting.name)
      return nil
    } catch {
      return "\(setting.key)=\(error.reason)"
    }
  }
}
