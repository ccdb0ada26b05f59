internal import Glibc
public import SegueCatalogProviders
public import SegueSystem
public import SegueWire

/// The configuration in `segue.conf`. Every setting has a default. Two configurations are equal if all settings are,
/// whether the file has them or not.
public struct Configuration: Equatable, Sendable {
  /// The state of playback after a restart of the daemon.
  public enum Restore: String, Sendable, CaseIterable {
    case paused, resume, stopped
  }

  /// `[Library] MusicFolder=`, which may occur several times; empty for `MusicFolder.path`. The paths have no
  /// components "." and "..".
  public var musicFolders: [FilePath] = []
  /// `[Output] Device=`; nil for the default of the sound server.
  public var device: String?
  /// `[Output] Rate=`; nil for `source`, the rate of each track.
  public var rate: SampleRate?
  /// `[Player] Restore=`.
  public var restore: Restore = .paused
  /// `[Player] GracePeriod=`, in whole seconds: the time for which the stream and the worker are kept after a pause or
  /// stop.
  public var gracePeriod = MediaTime.seconds(10)
  /// `[Player] Crossfade=`, in whole seconds: the duration of the crossfade between tracks. Zero stands for none.
  public var crossfade = MediaTime.zero
  /// `[Player] Fade=`, in whole milliseconds: the duration of the fade-out on a pause or stop. Zero stands for none.
  public var fade = MediaTime.zero
  /// `[Player] ReplayGain=`.
  public var gain: GainMode = .off
  /// `[Player] Preamp=`, in dB: a gain that is added to the gain of tracks that have one.
  public var preamp = 0.0
  /// `[Player] FallbackGain=`, in dB: the gain of tracks that have none.
  public var fallbackGain = 0.0
  /// `[Player] PreventClipping=`.
  public var preventsClipping = true
  /// `[Player] BookmarkAfter=`, in whole minutes: tracks of at least this duration are resumed at their last position.
  /// Zero stands for none.
  public var bookmarkAfter = MediaTime.seconds(1200)
  /// `[Desktop] Notifications=`.
  public var notifies = false
  /// `[Network] CertificateAuthority=`, which may occur several times: files with the certificates of authorities, in
  /// PEM, that are trusted in addition to those of the system. The paths have no components "." and "..".
  public var certificateAuthorities: [FilePath] = []
  /// `[Catalog] Country=`; nil for that of the locale.
  public var catalogCountry: String?
  /// `[Catalog] Language=`; nil for that of the locale.
  public var catalogLanguage: String?
  /// `[Catalog] Genre=`: the genre of popular films; `all` for all genres.
  public var catalogGenre: String? = "action"
  /// `[Catalog] ITunesURL=` and the others: the base URLs of the providers. It has no tokens.
  public var catalogs = CatalogConfiguration()

  /// The names of the settings that have a value in the file.
  public private(set) var settingsInFile: Set<String> = []

  public init() {}

  public static func == (one: Configuration, other: Configuration) -> Bool {
    Setting.all.allSatisfy { $0.read(one) == $0.read(other) }
  }

  /// The music folders in the file, or the user's music folder if there are none. Reads one small file.
  public var effectiveMusicFolders: [FilePath] { musicFolders.isEmpty ? [MusicFolder.path] : musicFolders }

  /// The default path, `$XDG_CONFIG_HOME/segue/segue.conf`.
  public static var defaultPath: FilePath { Directories.config.appending("segue/segue.conf") }

  /// Reads the configuration at `path`. A missing file counts as an empty one. Invalid lines are ignored and cause
  /// warnings. Blocks on the disk; it is called at startup and when the configuration is reloaded.
  public static func read(_ path: FilePath) -> (Configuration, [INIWarning]) {
    do {
      return parse(try SmallFile.read(path, upTo: 1024 * 1024), path)
    } catch  where error.code == ENOENT || error.code == ENOTDIR {
      return (Configuration(), [])
    } catch {
      return (Configuration(), [INIWarning(path: path, line: 0, message: "could not be read: \(error.reason)")])
    }
  }
}

extension Configuration {
  /// Parses `bytes`, the contents of `path`, in the format that `INILine` describes. If a key occurs twice, the last
  /// value counts, except for `MusicFolder=` and `CertificateAuthority=`, where all do. An empty value stands for the
  /// default.
  static func parse(_ bytes: [UInt8], _ path: FilePath) -> (Configuration, [INIWarning]) {
    var configuration = Configuration()
    var warnings: [INIWarning] = []
    var section: String?
    for (number, line) in TextLines(bytes) {
      guard let line = INILine(line), let message = configuration.read(line, &section) else { continue }
      warnings.append(INIWarning(path: path, line: number, message: message))
    }
    return (configuration, warnings)
  }

  /// Reads a line. Returns a warning if it is invalid.
  private mutating func read(_ line: INILine, _ section: inout String?) -> String? {
    switch line {
    case .unclosedSection: return "the section name must end with ]"
    case .unknown: return "neither a section nor Key=value"
    case .section(let name):
      section = name
      let sections = Setting.Section.allCases.map(\.rawValue)
      if sections.contains(name) { return nil }
      if let meant = EditDistance.nearest(to: name, in: sections) {
        return "unknown section [\(name)]; did you mean [\(meant)]?"
      }
      return "unknown section [\(name)]; the sections are \(sections.map { "[\($0)]" }.joined(separator: ", "))"
    case .value(let name, let value):
      guard let section else { return "\(name)= comes before any section" }
      // There was a warning about the section already.
      guard Setting.Section(rawValue: section) != nil else { return nil }
      guard let setting = Setting.all.first(where: { $0.key == name }) else {
        return Self.unknownKey(name, in: section)
      }
      guard setting.section.rawValue == section else { return "\(name)= belongs in [\(setting.section.rawValue)]" }
      return set(setting, value)
    }
  }

  /// Returns the warning about an unknown key of a section, with the key that was probably meant. Those of the same
  /// section have precedence.
  private static func unknownKey(_ name: String, in section: String) -> String {
    let message = "unknown key \(name)="
    let (own, others) = (
      Setting.all.filter { $0.section.rawValue == section }, Setting.all.filter { $0.section.rawValue != section }
    )
    if let meant = EditDistance.nearest(to: name, in: own.map(\.key)) { return "\(message); did you mean \(meant)=?" }
    guard let meant = EditDistance.nearest(to: name, in: others.map(\.key)),
      let place = others.first(where: { $0.key == meant })?.section.rawValue
    else { return message }
    return "\(message); did you mean \(meant)= in section [\(place)]?"
  }

  private mutating func set(_ setting: Setting, _ text: ArraySlice<UInt8>) -> String? {
    guard !text.isEmpty else {
      setting.write(&self, setting.defaultValue)
      settingsInFile.remove(setting.name)
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
      settingsInFile.insert(setting.name)
      return nil
    } catch {
      return "\(setting.key)=\(error.reason)"
    }
  }
}
