internal import SegueSystem
internal import SegueWire

extension Configuration {
  /// INI as systemd's: sections, `Key=value`, comments after `#` or `;` at a line's start. Of a key that comes twice
  /// the last counts, but for `MusicFolder=`, of which all do; an empty value is the default again.
  static func parse(_ bytes: [UInt8], _ path: FilePath) -> (Configuration, [Warning]) {
    var configuration = Configuration()
    var warnings: [Warning] = []
    var section: String?
    for (number, line) in TextLines(bytes) {
      let line = line.trimmed
      guard let first = line.first, first != UInt8(ascii: "#"), first != UInt8(ascii: ";") else { continue }
      if let message = configuration.take(line, &section) {
        warnings.append(Warning(path: path, line: number, message: message))
      }
    }
    return (configuration, warnings)
  }

  /// One line; answers what is wrong with it.
  private mutating func take(_ line: ArraySlice<UInt8>, _ section: inout String?) -> String? {
    if line.first == UInt8(ascii: "[") {
      guard line.last == UInt8(ascii: "]") else { return "a section's name ends with ]" }
      let name = line.dropFirst().dropLast().text ?? ""
      section = name
      return Key.sections.contains(name)
        ? nil : "unknown section [\(name)]; did you mean [\(nearest(to: name, in: Key.sections))]?"
    }
    guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else { return "neither a section nor Key=value" }
    let name = line[..<equals].text ?? ""
    let value = line[(equals + 1)...].trimmed
    guard let section else { return "\(name)= stands before any section" }
    // The section was told of already.
    guard Key.sections.contains(section) else { return nil }
    guard let key = Key.allCases.first(where: { $0.rawValue == name }) else {
      return "unknown key \(name)=; did you mean \(nearest(to: name, in: Key.allCases.map(\.rawValue)))=?"
    }
    guard key.section == section else { return "\(name)= belongs in [\(key.section)]" }
    return set(key, value)
  }

  private mutating func set(_ key: Key, _ value: ArraySlice<UInt8>) -> String? {
    switch key {
    case .musicFolder:
      let folder = value.after("~/").map { Directories.home.appending($0) } ?? FilePath(bytes: Array(value))
      guard value.isEmpty || (folder.isAbsolute && !folder.bytes.contains(0)) else {
        return "MusicFolder=\(folder) is no absolute path (one that begins with / or ~/)"
      }
      if value.isEmpty {
        musicFolders = []
      } else if !musicFolders.contains(folder.normalized) {
        musicFolders.append(folder.normalized)
      }
    case .device: device = value.text
    case .restore:
      let name = value.text ?? Configuration().restore.rawValue
      guard let found = Restore(rawValue: name) else {
        let nearest = nearest(to: name, in: Restore.allCases.map(\.rawValue))
        return "Restore=\(name) is none of paused, resume, stopped; did you mean \(nearest)?"
      }
      restore = found
    case .gracePeriod:
      guard !value.isEmpty else {
        gracePeriod = Configuration().gracePeriod
        return nil
      }
      guard let seconds = value.number, seconds <= 86_400 else {
        return "GracePeriod=\(value.text ?? "") is no whole number of seconds from 0 to 86400"
      }
      gracePeriod = MediaTime(seconds: Double(seconds))
    case .replayGain:
      let name = value.text ?? Configuration().gain.rawValue
      guard let found = GainMode(rawValue: name) else {
        let nearest = nearest(to: name, in: GainMode.allCases.map(\.rawValue))
        return "ReplayGain=\(name) is none of off, track, album, auto; did you mean \(nearest)?"
      }
      gain = found
    case .preamp: return set(\.preamp, key, decibels: value)
    case .fallbackGain: return set(\.fallbackGain, key, decibels: value)
    case .preventClipping:
      switch value.text {
      case nil: preventsClipping = Configuration().preventsClipping
      case "yes", "true", "on", "1": preventsClipping = true
      case "no", "false", "off", "0": preventsClipping = false
      case .some(let text): return "PreventClipping=\(text) is neither yes nor no"
      }
    case .bookmarkAfter:
      guard !value.isEmpty else {
        bookmarkAfter = Configuration().bookmarkAfter
        return nil
      }
      guard let minutes = value.number, minutes <= 100_000 else {
        return "BookmarkAfter=\(value.text ?? "") is no whole number of minutes from 0 to 100000"
      }
      bookmarkAfter = minutes == 0 ? nil : MediaTime(seconds: Double(minutes) * 60)
    }
    return nil
  }

  private mutating func set(
    _ place: WritableKeyPath<Configuration, Double>, _ key: Key, decibels value: ArraySlice<UInt8>
  ) -> String? {
    guard let text = value.text else {
      self[keyPath: place] = Configuration()[keyPath: place]
      return nil
    }
    guard let decibels = Double(text), Gain.range.contains(decibels) else {
      return "\(key.rawValue)=\(text) is no number of dB from -30 to 30"
    }
    self[keyPath: place] = decibels
    return nil
  }

  /// What the file can set, by the names it has there.
  public enum Key: String, Sendable, CaseIterable {
    case musicFolder = "MusicFolder"
    case device = "Device"
    case restore = "Restore"
    case gracePeriod = "GracePeriod"
    case replayGain = "ReplayGain"
    case preamp = "Preamp"
    case fallbackGain = "FallbackGain"
    case preventClipping = "PreventClipping"
    case bookmarkAfter = "BookmarkAfter"

    static let sections = ["Library", "Output", "Player"]

    /// The name of the section it belongs in.
    public var section: String {
      switch self {
      case .musicFolder: "Library"
      case .device: "Output"
      case .restore, .gracePeriod, .replayGain, .preamp, .fallbackGain, .preventClipping, .bookmarkAfter: "Player"
      }
    }
  }
}

/// The candidate that the fewest edits make of `name`.
private func nearest(to name: String, in candidates: [String]) -> String {
  let distance = EditDistance(from: Array(name.lowercased().unicodeScalars))
  func edits(_ candidate: String) -> Int { distance.to(candidate.lowercased().unicodeScalars).whole }
  return candidates.min { edits($0) < edits($1) } ?? ""
}
